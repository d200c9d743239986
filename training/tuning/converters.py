"""llama.cpp's converters, from the source distribution of the pinned llama-cpp-python: the commit of the engine.

The archive is fetched once by pip, checked against the hash in ``constraints-llama.txt``, and unpacked to heed's cache.
"""

import subprocess
import sys
import tarfile
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from heed.errors import UsageError
from heed.paths import cache_dir, create_folder

_PACKAGE = "llama-cpp-python"
_PINS = Path(__file__).parents[2] / "constraints-llama.txt"
_DOWNLOAD_TIMEOUT, _TIMEOUT = 900.0, 4 * 3600.0
"""Seconds to fetch the archive, and for one conversion."""
_MODEL, _ADAPTER = "convert_hf_to_gguf.py", "convert_lora_to_gguf.py"


class Converters:
    """Runs the converters of one llama.cpp source tree, each in a process of its own."""

    def __init__(self, tree: Path, pre_tokenizer: str = "") -> None:
        """``pre_tokenizer``: llama.cpp's name of the vocabulary's pre-tokenizer, if the converters do not know it."""
        if not (tree / _MODEL).is_file():
            raise UsageError(f"{tree} is no source tree of llama.cpp.", f"Name the folder that holds {_MODEL}.")
        self._tree, self._pre = tree, pre_tokenizer

    def model(self, folder: Path, target: Path, precision: str) -> Path:
        """The language model in ``folder`` as GGUF in ``f32``, ``f16`` or ``bf16``."""
        return self._run(_MODEL, target, folder, "--outtype", precision)

    def projector(self, folder: Path, target: Path, precision: str) -> Path:
        """The vision projector of the model in ``folder`` as GGUF."""
        return self._run(_MODEL, target, folder, "--outtype", precision, "--mmproj")

    def adapter(self, folder: Path, base: Path, target: Path, precision: str) -> Path:
        """The adapter in ``folder``, of the model in ``base``, as GGUF."""
        return self._run(_ADAPTER, target, folder, "--base", base, "--outtype", precision)

    def _run(self, script: str, target: Path, *arguments: object) -> Path:
        target.parent.mkdir(parents=True, exist_ok=True)
        child = [sys.executable, "-m", "training.tuning.converter_process", str(self._tree), self._pre, script]
        done = subprocess.run(
            [*child, *map(str, arguments), "--outfile", str(target)],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=_TIMEOUT,
        )
        if done.returncode or not target.is_file():
            lines = [line for line in done.stderr.splitlines() if line.strip()]
            raise UsageError(f"{script} failed: {lines[-1] if lines else 'it gives no reason'}")
        return target


def engine_tree() -> Path:
    """The source tree of llama.cpp at the engine's commit; fetched when it is not in the cache."""
    wanted = _pinned_version()
    try:
        installed = version(_PACKAGE)
    except PackageNotFoundError as error:
        raise UsageError("llama.cpp is not installed.", "Install heed-android[llama].") from error
    if installed != wanted:
        raise UsageError(
            f"{_PACKAGE} {installed} is installed, not the pinned {wanted}.",
            "Install the pinned one: the converters have to be of the engine's commit.",
        )
    tree = cache_dir() / f"{_PACKAGE}-{wanted}"
    if not (tree / _MODEL).is_file():
        _fetch(create_folder(tree))
    return tree


def _pinned_version() -> str:
    line = next(line for line in _PINS.read_text("utf-8").splitlines() if line.startswith(_PACKAGE))
    return line.removeprefix(f"{_PACKAGE}==").rstrip("\\ ")


def _fetch(tree: Path) -> None:
    """Only what the converters need is kept."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", _PACKAGE]
        command += ["--require-hashes", "--dest", folder, "--requirement", str(_PINS)]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=_DOWNLOAD_TIMEOUT, errors="replace"
        )
        archive = next(Path(folder).glob("*.tar.gz"), None)
        if archive is None:
            raise UsageError(
                f"The source of {_PACKAGE} cannot be fetched: {done.stderr.strip().splitlines()[-1:]}.",
                "Name a source tree of llama.cpp with --llama-cpp.",
            )
        _unpack(archive, tree)


def _unpack(archive: Path, tree: Path) -> None:
    parts = ("convert_hf_to_gguf.py", "convert_lora_to_gguf.py", "conversion/", "gguf-py/gguf/", "LICENSE")
    with tarfile.open(archive) as file:
        for member in file:
            _, found, name = member.name.partition("/vendor/llama.cpp/")
            if found and member.isfile() and name.startswith(parts):
                member.name = name
                file.extract(member, tree, filter="data")
