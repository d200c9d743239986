"""The evaluated beginning of every prompt, kept on disk so that a start does not evaluate it again.

A damaged state file ends the process that loads it, so a file counts only with a manifest that holds its hash,
and its name is a hash of all that it depends on: model file, context, precision, library and the tokens.
"""

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path

import llama_cpp as llama

from models.config import LlamaConfig
from models.llama.session import LlamaSession


class PrefixStore:
    """Saved prefixes of a model, in ``weights`` (with its adapter), in ``folder``; the ``kept`` last used stay."""

    def __init__(self, folder: Path, weights: Sequence[Path], config: LlamaConfig) -> None:
        self._folder = folder
        self._kept = config.saved_prefixes
        self._depends_on = [
            *(part for file in weights for part in _identity(file)),
            config.context_tokens,
            config.kv_type,
            llama.__version__,
        ]

    def restore(self, session: LlamaSession, ids: Sequence[int]) -> bool:
        """Fill ``session`` with what was saved for these tokens; False when nothing sound was."""
        state, manifest = self._files(ids)
        try:
            promised = json.loads(manifest.read_text("utf-8"))
            if promised != _manifest(state):
                return False
        except (OSError, ValueError):
            return False
        os.utime(manifest)
        return session.restore(state, ids)

    def save(self, session: LlamaSession, ids: Sequence[int]) -> None:
        """Save what ``session`` holds, which is the evaluation of exactly these tokens."""
        if not self._kept:
            return
        state, manifest = self._files(ids)
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        manifest.unlink(missing_ok=True)
        partial = state.with_suffix(".partial")  # one name, so that what a killed process left is overwritten
        if session.save(partial):
            partial.replace(state)
            manifest.write_text(json.dumps(_manifest(state)), "utf-8")
        partial.unlink(missing_ok=True)
        self._drop_old()

    def _files(self, ids: Sequence[int]) -> tuple[Path, Path]:
        key = hashlib.sha256(json.dumps([*self._depends_on, *ids]).encode()).hexdigest()[:32]
        return self._folder / f"{key}.state", self._folder / f"{key}.json"

    def _drop_old(self) -> None:
        manifests = sorted(self._folder.glob("*.json"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
        kept = {path.stem for path in manifests[: self._kept]}
        for path in self._folder.iterdir():
            if path.stem not in kept and path.suffix in (".state", ".json"):
                path.unlink(missing_ok=True)


def _identity(file: Path) -> tuple[str, int, int]:
    """What changes with the file's content."""
    stat = file.stat()
    return str(file.resolve()), stat.st_size, stat.st_mtime_ns


def _manifest(state: Path) -> dict[str, str]:
    with state.open("rb") as file:
        return {"sha256": hashlib.file_digest(file, "sha256").hexdigest()}
