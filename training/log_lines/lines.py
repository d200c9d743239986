"""The labelled log lines (``data/*.jsonl``), and joined lines that report two things."""

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import TypeAdapter

from heed.language import HAN
from heed.model import Frozen

DATA = Path(__file__).parent / "data"
_HAN = re.compile(rf"[{HAN}]")
_JOINTS = {True: ("，", "。", "，然后", " "), False: (". ", ", ", " and ", ", then ", " - ", " before I ")}
_WITH_NONE = 0.6
"""Share of joined lines whose second part reports nothing."""


class LogLine(Frozen):
    """A line with the functions that it reports."""

    text: str
    functions: tuple[str, ...] = ()

    @property
    def chinese(self) -> bool:
        return bool(_HAN.search(self.text))


def read_lines(folder: Path = DATA) -> list[LogLine]:
    """All lines of a folder, sorted by file."""
    adapter = TypeAdapter(LogLine)
    return [
        adapter.validate_json(line)
        for path in sorted(folder.glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]


def joined(lines: Sequence[LogLine], count: int, chance: random.Random) -> Iterator[LogLine]:
    """``count`` lines made of two lines of one language each."""
    of_language = {han: [line for line in lines if line.chinese is han] for han in (True, False)}
    silent = {han: [line for line in group if not line.functions] for han, group in of_language.items()}
    for _ in range(count):
        han = chance.random() < 0.5
        pair = [
            chance.choice(of_language[han]),
            chance.choice((silent if chance.random() < _WITH_NONE else of_language)[han]),
        ]
        chance.shuffle(pair)
        text = pair[0].text + chance.choice(_JOINTS[han]) + pair[1].text
        yield LogLine(text=text, functions=tuple({*pair[0].functions, *pair[1].functions}))
