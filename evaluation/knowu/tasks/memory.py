"""What heed remembers of a persona in a task: the whole behaviour log, or the entries nearest to the request."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from pydantic import AwareDatetime, BaseModel, TypeAdapter, ValidationError

from evaluation.embeddings import SentenceEmbedder
from heed.errors import UsageError


class Memory:
    """How much of a log is remembered.

    Args:
        nearest: the number of entries nearest to the request; None = the whole log.
    """

    def __init__(self, nearest: int | None = None) -> None:
        self.nearest = nearest

    @classmethod
    def parse(cls, text: str) -> "Memory":
        """``full`` or ``nearest:K``; ``UsageError`` for anything else."""
        found = re.fullmatch(r"nearest:([1-9]\d{0,5})", text)
        if found is None and text != "full":
            raise UsageError(
                f"{text!r} is no memory.", "Use full, or nearest:10 for the ten entries nearest to a task."
            )
        return cls(int(found[1]) if found else None)

    async def write(self, log: Path, request: str, embedder: SentenceEmbedder, file: Path) -> None:
        """Write what is remembered of KnowU-Bench's ``log`` as a behaviour log of heed's, in the order of time."""
        entries = _load(log)
        if self.nearest is not None and len(entries) > self.nearest:
            entries = await _nearest(entries, request, embedder, self.nearest)
        _write(entries, file)


class _Entry(BaseModel):
    """An entry of KnowU-Bench's logs; its label and category are for the scoring, and not read."""

    time: AwareDatetime
    location: str = ""
    action: str

    @property
    def line(self) -> dict[str, str]:
        return {"time": self.time.isoformat(), "location": self.location, "action": self.action}


_ENTRIES = TypeAdapter(list[_Entry])


def _load(log: Path) -> list[_Entry]:
    try:
        return sorted(_ENTRIES.validate_json(log.read_bytes()), key=lambda entry: entry.time)
    except OSError as error:
        raise UsageError(f"Cannot read {log}: {error.strerror}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise UsageError(f"{log} is no behaviour log of KnowU-Bench: {place}: {first['msg']}.") from error


def _write(entries: Sequence[_Entry], file: Path) -> None:
    file.write_text("".join(f"{json.dumps(entry.line, ensure_ascii=False)}\n" for entry in entries), "utf-8")


async def _nearest(entries: Sequence[_Entry], request: str, embedder: SentenceEmbedder, count: int) -> list[_Entry]:
    rows = await embedder.embed([request, *(entry.action for entry in entries)])
    order = np.argsort(-(rows[1:] @ rows[0]), kind="stable")[:count]
    return [entries[number] for number in sorted(order)]
