"""Labelled requests: those that are learned from (``data``), and those that only measure (``held_out``)."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter

from heed.model import Frozen
from training.log_lines.lines import read_lines

FOLDER = Path(__file__).parent
LANGUAGES = ("en", "zh")
_Row = TypeVar("_Row", bound=Frozen)


class RequestExample(Frozen):
    """A request that is learned from."""

    text: str
    function: str
    """Empty: no function of the pool serves it."""
    spans: Mapping[str, str] = {}
    """Parameter -> the words that hold its value."""
    choices: Mapping[str, str] = {}
    """Parameter -> its allowed value."""


class HeldOutRequest(Frozen):
    """A request of a hand that nothing is learned from."""

    text: str
    function: str
    """Empty: no function of the pool serves it."""
    arguments: Mapping[str, Sequence[str]] = {}
    """Parameter -> the right values, any of which counts; ``?`` = not stated, so that the owner must be asked."""


def training_requests() -> list[RequestExample]:
    """All requests that are learned from."""
    return [one for language in LANGUAGES for one in _read(FOLDER / "data" / f"{language}.jsonl", RequestExample)]


def held_out_requests(language: str) -> list[HeldOutRequest]:
    """The requests of one language that measure."""
    return _read(FOLDER / "held_out" / f"{language}.jsonl", HeldOutRequest)


def log_line_examples() -> list[RequestExample]:
    """Lines of behaviour logs that report one function: the same things in the words of a diary."""
    return [
        RequestExample(text=line.text, function=line.functions[0]) for line in read_lines() if len(line.functions) == 1
    ]


def _read(path: Path, kind: type[_Row]) -> list[_Row]:
    adapter: TypeAdapter[_Row] = TypeAdapter(kind)
    return [adapter.validate_json(line) for line in path.read_text("utf-8").splitlines()]
