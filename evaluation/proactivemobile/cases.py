"""The benchmark's records, official or in its style, as typed cases."""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import JsonValue, ValidationError

from collectors.context import RenderedContext
from function_pool.call import FunctionCall
from heed.errors import UsageError
from heed.language import HAN
from heed.model import Frozen

Dimension = Literal["profile", "phone", "world", "trace"]
_ANSWERS = "recom"
_CALLS = ("function", "functions", "model_recommendation")
_DATE = re.compile(r"(\d{4})年(\d{1,2})月(\d{1,2})日|(\d{4})-(\d\d)-(\d\d)|\b(\d{1,2}) ([A-Z][a-z]{2})[a-z]* (\d{4})")
_CLOCK = re.compile(r"\b(\d{1,2}):(\d\d)\b")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class ProactiveCase(Frozen):
    """A context with the right answers; an answer without calls is silence."""

    id: str
    difficulty: str = "unknown"
    scenario: str = "unknown"
    language: str = "unknown"
    said: RenderedContext
    """The trace without its pictures."""
    pictures: tuple[str, ...] = ()
    """Paths, relative to the file of the cases."""
    places: tuple[int, ...] = ()
    """How many texts of the trace stand before each picture."""
    answers: tuple[tuple[FunctionCall, ...], ...]

    @property
    def silent(self) -> bool:
        """Whether silence is right."""
        return not any(self.answers)

    @property
    def modality(self) -> str:
        return "multimodal" if self.pictures else "text"

    @property
    def now(self) -> datetime | None:
        """The record's own clock, as its phone says, the day also as its world says; None where that is not said in a
        known way."""
        date = _DATE.search(self.said.phone) or _DATE.search(self.said.world)
        clock = _CLOCK.search(self.said.phone)
        if date is None or clock is None:
            return None
        year, month, day = _day(date)
        try:
            return datetime(year, month, day, int(clock[1]), int(clock[2]), tzinfo=UTC)
        except ValueError:
            return None

    def without(self, dimension: Dimension) -> "ProactiveCase":
        """The case with one dimension left out."""
        empty: Any = () if dimension == "trace" else ""
        gone = {"pictures": (), "places": ()} if dimension == "trace" else {}
        return self.model_copy(update={"said": self.said.model_copy(update={dimension: empty}), **gone})


def _day(match: re.Match[str]) -> tuple[int, int, int]:
    if match[9]:
        return int(match[9]), _MONTHS.index(match[8]) + 1 if match[8] in _MONTHS else 0, int(match[7])
    year, month, day = (match[1], match[2], match[3]) if match[1] else (match[4], match[5], match[6])
    return int(year), int(month), int(day)


def load_cases(path: Path) -> tuple[ProactiveCase, ...]:
    """The cases of a file; ``UsageError`` names the record at fault."""
    try:
        raw = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"Cannot read the cases {path}: {error}.") from error
    if not isinstance(raw, list):
        raise UsageError(f"{path} holds no cases: it must be a JSON array of records.")
    return tuple(_case(record, at, path) for at, record in enumerate(raw))


def _case(record: Any, number: int, path: Path) -> ProactiveCase:
    try:
        told, said = record.get("benchmark_metadata", {}), record["reference_information"]
        answers: Any = next((value for key, value in record.items() if key.startswith(_ANSWERS)), [])
        trace = [*_steps(said.get("trace", ()))]
        return ProactiveCase(
            id=str(told.get("id", number)),
            difficulty=str(told.get("difficulty_level", "unknown")),
            scenario=str(told.get("scenario", "unknown")),
            language=str(told.get("language") or _language(said)),
            said=RenderedContext(
                profile=_words(said.get("profile")),
                phone=_words(said.get("phone")),
                world=_words(said.get("world")),
                trace=tuple(text for kind, text in trace if kind == "text"),
                habits=tuple(map(str, said.get("habits", ()))),
                log=tuple(map(str, said.get("log", ()))),
            ),
            pictures=tuple(text for kind, text in trace if kind == "picture"),
            places=tuple(_texts(trace[:at]) for at, (kind, _) in enumerate(trace) if kind == "picture"),
            answers=tuple(calls_of(answer) for answer in answers) or ((),),
        )
    except (AttributeError, KeyError, TypeError, ValidationError) as error:
        raise UsageError(
            f"{path}: record {number} is not in the benchmark's format ({type(error).__name__}: {error})."
        ) from error


def _words(value: JsonValue) -> str:
    return value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)


def _steps(trace: Sequence[Any]) -> Sequence[tuple[str, str]]:
    steps = [step if isinstance(step, Mapping) else {"source": "text", "text": str(step)} for step in trace]
    return [(str(step.get("source", "text")), str(step.get(step.get("source", "text"), ""))) for step in steps]


def _texts(steps: Sequence[tuple[str, str]]) -> int:
    return sum(kind == "text" for kind, _ in steps)


def calls_of(answer: Mapping[str, Any]) -> tuple[FunctionCall, ...]:
    """The calls of one answer, under whichever of its names."""
    calls = next((answer[key] for key in _CALLS if key in answer), None) or ()
    return tuple(FunctionCall(name=call["name"], parameters=call.get("parameters") or {}) for call in calls)


def _language(said: Mapping[str, Any]) -> str:
    return "zh" if re.search(rf"[{HAN}]", str(said.get("phone", ""))) else "en"
