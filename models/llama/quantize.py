"""Makes a GGUF model smaller, in a process of its own: llama.cpp ends the process on a file it does not like."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from gguf import GGUFReader

from heed.errors import ModelError, UsageError
from heed.messages import msg
from models.llama.header import read_header
from models.llama.memory import MIB

KINDS = {"F16": 1, "Q4_0": 2, "Q8_0": 7, "Q4_K_S": 14, "Q4_K_M": 15, "Q5_K_M": 17, "Q6_K": 18, "IQ4_XS": 30}
"""Name → ``llama_ftype``; from about 16 to about 4 bits a weight."""


def quantize(source: Path, target: Path, kind: str, importance: Path | None = None) -> str:
    """Write ``source`` to ``target`` at the precision ``kind``; one sentence about the result.

    ``importance``: an importance matrix in the GGUF format of llama.cpp's ``llama-imatrix``, which says where precision
    is needed most.
    """
    if kind.upper() not in KINDS:
        raise UsageError(msg("There is no precision {kind!r}.", kind=kind), msg("Use one of: {kinds}.", kinds=KINDS))
    before = read_header(source)
    if target.exists():
        raise UsageError(msg("{target} exists already.", target=target), msg("Choose another name, or delete it."))
    if importance is not None:
        _check_importance(importance)
    partial = target.with_suffix(".partial")
    child = [sys.executable, "-P", "-m", "models.llama.quantize", str(source), str(partial), kind.upper()]
    child += [str(importance)] if importance else []
    environment = {**os.environ, "GGML_NO_BACKTRACE": "1"}
    done = subprocess.run(child, check=False, capture_output=True, text=True, errors="replace", env=environment)
    if done.returncode:
        partial.unlink(missing_ok=True)
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise ModelError(
            msg(
                "llama.cpp cannot quantize {source}: {lines}.",
                source=source,
                lines=lines[-1] if lines else "it gives no reason",
            )
        )
    partial.replace(target)
    after = read_header(target)
    return f"{target}: {after.size / MIB:,.0f} MiB, was {before.size / MIB:,.0f}"


def _check_importance(path: Path) -> None:
    header = read_header(path)
    if header.metadata.get("general.type") != "imatrix":
        raise UsageError(
            msg("{path} is no importance matrix.", path=path),
            msg("Use a file in the GGUF format of llama.cpp's llama-imatrix."),
        )


def _importance(path: Path) -> Any:
    """What ``llama_model_quantize`` takes: an array of names with the mean square of each input, ended by no name."""
    import llama_cpp as llama

    tensors = {tensor.name: tensor.data.reshape(-1) for tensor in GGUFReader(path).tensors}
    names = [name.removesuffix(".in_sum2") for name in tensors if name.endswith(".in_sum2")]
    entries = (llama.llama_model_imatrix_data * (len(names) + 1))()
    for entry, name in zip(entries, names, strict=False):
        means = tensors[f"{name}.in_sum2"] / tensors[f"{name}.counts"][0]
        entry.name, entry.size = name.encode(), means.size
        entry.data = (ctypes.c_float * means.size)(*means.tolist())
    return entries


def main() -> None:
    """Run by ``quantize`` in a process of its own: source, target, kind, and the importance matrix if there is one."""
    import llama_cpp as llama

    source, target, kind, *importance = sys.argv[1:]
    params = llama.llama_model_quantize_default_params()
    params.ftype = KINDS[kind]
    params.allow_requantize = True
    entries = _importance(Path(importance[0])) if importance else None
    if entries is not None:
        params.imatrix = ctypes.cast(entries, type(params.imatrix))
    sys.exit(llama.llama_model_quantize(source.encode(), target.encode(), ctypes.byref(params)))


if __name__ == "__main__":
    main()
