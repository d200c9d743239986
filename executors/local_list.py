"""Lists stored on this machine: a file with one JSON object per line, each with an id."""

import json
import os
import secrets
import tempfile
from collections.abc import Mapping
from pathlib import Path

from pydantic import JsonValue

from executors.executor import HostError
from executors.plan import Outcome, OutcomeKind, Proof, Step
from heed.messages import msg
from heed.write_errors import write_remedy

Entry = Mapping[str, JsonValue]


class LocalList:
    """One list. Every change replaces the whole file atomically."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @staticmethod
    def new_id() -> str:
        """Returns an id for a new entry; recorded before adding, so that an interrupted step finds the entry again."""
        return secrets.token_hex(8)

    def entries(self) -> list[Entry]:
        """Returns all entries, oldest first; raises ``HostError`` when the file cannot be read or parsed."""
        try:
            text = self._path.read_text(encoding="utf-8")
            return [dict(json.loads(line)) for line in text.splitlines() if line.strip()]
        except FileNotFoundError:
            return []
        except (OSError, ValueError, TypeError) as error:
            raise HostError(
                msg("Cannot read {path}: {error}.", path=self._path, error=error), msg("Correct it or move it away.")
            ) from error

    def add(self, identifier: str, entry: Entry) -> None:
        """Appends an entry; raises ``HostError`` when the file cannot be written."""
        self._write([*self.entries(), {"id": identifier, **entry}])

    def remove(self, identifier: str) -> None:
        """Removes an entry if it is present; raises ``HostError`` when the file cannot be written."""
        self._write([entry for entry in self.entries() if entry.get("id") != identifier])

    def check_entry(self, step: Step, *, present: bool) -> Outcome:
        """Returns ``VERIFIED`` when the entry ``step.before["entry"]`` is in the list (or is not)."""
        found = any(entry.get("id") == step.before["entry"] for entry in self.entries())
        proof = (Proof(command=f"read {self._path.name}", answer="the entry is there" if found else "no such entry"),)
        if found is present:
            return Outcome(kind=OutcomeKind.VERIFIED, proof=proof)
        message = msg("The entry is still there.") if found else msg("The entry is not there.")
        return Outcome(kind=OutcomeKind.FAILED, message=message, proof=proof)

    def _write(self, entries: list[Entry]) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self._path.parent, prefix=f".{self._path.name}.")
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.writelines(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)
            Path(name).replace(self._path)
        except OSError as error:
            raise HostError(
                msg("Cannot write {path}: {strerror}.", path=self._path, strerror=error.strerror),
                write_remedy(error, msg("Change its path.")),
            ) from error
