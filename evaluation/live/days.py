"""Reads a folder of days: scenarios, their persons' behaviour logs, and the right answers."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from pydantic import AwareDatetime, ConfigDict, Field, JsonValue, TypeAdapter, ValidationError

from heed.errors import HeedError, UsageError
from heed.model import Frozen
from virtual_phone.scenario import Scenario

ANSWERS = "answers.json"
Source = Literal["text", "state", "habit"]


class DayAnswer(Frozen):
    """The right behaviour at one entry of a day's timeline."""

    model_config = ConfigDict(extra="ignore")
    moment: int = Field(ge=1)
    """Number of the entry, from 1."""
    at: str
    """Time of day."""
    when: AwareDatetime
    kind: Literal["need", "lookalike", "ordinary"]
    """``lookalike`` and ``ordinary`` entries are quiet: silence is right."""
    source: Source | None = None
    """What a need rests on: what somebody wrote, phone and world, or the behaviour log."""
    like: str = ""
    """The need that a look-alike resembles; begins with its ``at``."""
    why: str = ""
    accept: tuple[str, ...] = ()
    """Functions of which any is right at a need."""
    key_arguments: Mapping[str, Mapping[str, tuple[JsonValue, ...]]] = Field(default_factory=dict)
    """Per function and parameter (or parameters joined by ``|``) the accepted values."""
    early_minutes: float = 0
    late_minutes: float = 30
    tolerated: tuple[str, ...] = ()
    """Functions that are neither right nor false here."""


class LiveDay(Frozen):
    """One day with everything that is needed to play it on any machine."""

    name: str
    scenario: Scenario
    log: str
    """The lines of the person's behaviour log."""
    answers: tuple[DayAnswer, ...]

    def input_of(self, answer: DayAnswer) -> str:
        """The event of an answer's entry, in one line."""
        entry = self.scenario.timeline[answer.moment - 1]
        event = getattr(entry, entry.event).model_dump(mode="json", exclude_defaults=True)
        return f"{entry.event}: {json.dumps(event, ensure_ascii=False)}"


_ANSWERS: TypeAdapter[dict[str, tuple[DayAnswer, ...]]] = TypeAdapter(dict[str, tuple[DayAnswer, ...]])


def load_answers(folder: Path, names: Sequence[str] = ()) -> dict[str, tuple[DayAnswer, ...]]:
    """Returns the answers of the named days, or of all.

    Raises:
        UsageError: the answers cannot be read, or a name is unknown.
    """
    file = folder / ANSWERS
    try:
        answers = _ANSWERS.validate_json(file.read_bytes())
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise UsageError(f"{file}: {place}: {first['msg']}.", "docs/evaluation.md tells the format.") from error
    if unknown := [name for name in names if name not in answers]:
        raise UsageError(f"No such day: {', '.join(unknown)}.", f"There are {', '.join(answers)}.")
    return {name: answers[name] for name in names or answers}


def load_days(folder: Path, answers: Mapping[str, tuple[DayAnswer, ...]]) -> Iterator[LiveDay | tuple[str, str]]:
    """Yields each day; for a day that cannot be read, its name and its fault."""
    for name, rows in answers.items():
        try:
            yield _load_day(folder, name, rows)
        except (HeedError, OSError) as error:
            yield name, str(error)


def _load_day(folder: Path, name: str, rows: tuple[DayAnswer, ...]) -> LiveDay:
    scenario = Scenario.load(folder / f"{name}.yaml")
    if len(rows) != len(scenario.timeline):
        raise UsageError(f"{len(scenario.timeline)} entries in {name}.yaml, {len(rows)} in {ANSWERS}.")
    log = scenario.persona.behaviour
    return LiveDay(name=name, scenario=scenario, log=Path(log).read_text("utf-8") if log else "", answers=rows)
