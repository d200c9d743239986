"""A scenario file, validated as a whole; an error names file and line."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import yaml
from pydantic import AfterValidator, AwareDatetime, Field, JsonValue, ValidationError, model_validator

from heed.clock import Clock
from heed.errors import UsageError
from heed.model import Frozen
from virtual_phone.builds import DEFAULT_BUILD, build_names
from virtual_phone.scenario.events import EVENTS, EventFields
from virtual_phone.scenario.start import StartState
from virtual_phone.state import PhoneState

_TIME_OF_DAY = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?")
FOLDER = Path(__file__).parent.parent / "scenarios"
"""The scenarios that ship with the package, and the behaviour logs of their owners."""


def shipped() -> list[str]:
    """Names of the scenarios that ship with the package."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def _moment(text: str) -> str:
    if _TIME_OF_DAY.fullmatch(text) is None:
        try:
            datetime.fromisoformat(text)
        except ValueError as error:
            raise ValueError("expected a time such as 14:30 or 2026-02-06T14:30+08:00") from error
    return text


def _known_build(name: str) -> str:
    if name not in build_names():
        raise ValueError(f"no such build; the builds are {', '.join(build_names())}")
    return name


class ScenarioEntry(EventFields):
    """One entry of the timeline: a moment and at most one event."""

    at: Annotated[str, AfterValidator(_moment)]
    """A time of day (today, or the next day when it lies before the entry above) or a full ISO time."""
    note: str = ""
    """A note for readers of the file: what is going on."""
    expect: str = ""
    """What an assistant should do: a function's name, ``silence``, or empty for no opinion."""
    answer: Literal["once", "always", "not_now", "never"] = "not_now"
    """The owner's answer when asked at this moment."""
    take_back: str = ""
    """The function whose newest action the owner undoes at this moment."""

    @model_validator(mode="after")
    def _one_event(self) -> Self:
        present = [name for name in EVENTS if getattr(self, name) is not None]
        if len(present) > 1:
            raise ValueError(f"one event per entry, found {' and '.join(present)}")
        if not present:
            raise ValueError(f"an entry needs one of {', '.join(EVENTS)}")
        return self

    @property
    def event(self) -> str:
        """The name of the event."""
        return next(name for name in EVENTS if getattr(self, name) is not None)


class Persona(Frozen):
    """The phone's owner, as far as an assistant may know."""

    profile: dict[str, JsonValue] = Field(default_factory=dict)
    """The owner's profile, in the fields of a profile file."""
    behaviour: str = ""
    """Name of a behaviour log (JSON lines) beside the scenario; empty = none."""
    quiet_hours: str = Field(default="", pattern=r"^$|^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$")
    """When nothing may be suggested, such as ``22:30-07:00``; empty = heed's default."""
    situations: Literal["all"] | list[str] = "all"
    """The situations that the owner has switched on; ``all`` = all there are."""
    own_situations: str = ""
    """Name of a file with situations of the owner's own, beside the scenario; empty = none."""


class Scenario(Frozen):
    """A day of a phone: a start state and a timeline of entries."""

    name: str
    description: str = ""
    """One line for the list of scenarios."""
    language: Literal["en", "zh"] = "en"
    """The phone's language, and heed's in the demo."""
    build: Annotated[str, AfterValidator(_known_build)] = DEFAULT_BUILD
    """The phone's build of Android: generic, pixel-14, pixel-15, pixel-16, oneui-6 or hyperos."""
    root: bool = False
    """Whether it is a build for developers: `adb root` works, and there are `su` and `sqlite3`."""
    start: AwareDatetime
    """The phone's time when the scenario begins, with its offset from UTC."""
    timezone: str = ""
    """IANA name; derived from the offset when empty."""
    persona: Persona = Field(default_factory=Persona)
    """The phone's owner."""
    state: StartState = Field(default_factory=StartState)
    """How the phone differs from the standard one at the start."""
    timeline: list[ScenarioEntry] = Field(default_factory=list)
    """The entries, in the order of their time."""

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        before = self.start
        for number, (moment, _) in enumerate(self.moments(), start=1):
            if moment < before:
                raise ValueError(f"timeline entry {number} lies before the one above it")
            before = moment
        return self

    @classmethod
    def load(cls, path: Path | str) -> Self:
        """Read a scenario file, or one of the shipped ones by name; ``UsageError`` with file, line and fault."""
        path = Path(path)
        if not path.suffix and not path.exists():
            path = FOLDER / f"{path}.yaml"
        try:
            text = path.read_text("utf-8")
            node = yaml.compose(text, Loader=yaml.SafeLoader)
            return cls.model_validate(yaml.safe_load(text))._beside(path.parent)
        except OSError as error:
            raise UsageError(f"The scenario {path} cannot be read: {error.strerror}.") from error
        except yaml.MarkedYAMLError as error:
            line = error.problem_mark.line + 1 if error.problem_mark else 1
            raise UsageError(f"{path}, line {line}: {error.problem}.", "Correct the YAML.") from error
        except ValidationError as error:
            raise UsageError(_fault(path, node, error), "See the scenarios that ship with heed.") from error

    def _beside(self, folder: Path) -> Self:
        """The scenario with the full paths of the files that lie beside it."""
        named = {"behaviour": self.persona.behaviour, "own_situations": self.persona.own_situations}
        paths = {field: str(folder / name) for field, name in named.items() if name}
        return self.model_copy(update={"persona": self.persona.model_copy(update=paths)})

    def moments(self) -> Iterator[tuple[datetime, ScenarioEntry]]:
        """Yields each entry with its moment."""
        now = self.start
        for entry in self.timeline:
            match = _TIME_OF_DAY.fullmatch(entry.at)
            if match:
                hour, minute, second = (int(part or 0) for part in match.groups())
                moment = now.replace(hour=hour, minute=minute, second=second, microsecond=0)
                now = moment if moment >= now else moment + timedelta(days=1)
            else:
                moment = datetime.fromisoformat(entry.at)
                now = moment if moment.tzinfo else moment.replace(tzinfo=self.start.tzinfo)
            if entry.advance is not None:
                now += timedelta(minutes=entry.advance.minutes)
            yield now, entry

    def new_state(
        self, *, serial: str = "vphone-1", host: Clock | None = None, build: str = "", root: bool = False
    ) -> PhoneState:
        """A phone at the scenario's start; ``build`` replaces the scenario's build, ``root`` makes it a rooted one."""
        state = PhoneState.standard(
            self.start,
            language=self.language,
            serial=serial,
            timezone=self.timezone,
            host=host,
            build=build or self.build,
            rooted=root or self.root,
        )
        with state.clock.showing(self.start):
            self.state.furnish(state)
        return state


def _fault(path: Path, node: yaml.Node | None, error: ValidationError) -> str:
    first = error.errors()[0]
    place = ".".join(str(step) for step in first["loc"])
    message = first["msg"].removeprefix("Value error, ")
    return f"{path}, line {_line(node, first['loc'])}: {place + ': ' if place else ''}{message}."


def _line(node: yaml.Node | None, location: tuple[Any, ...]) -> int:
    """The line of the deepest part of ``location`` that the file has."""
    line = 1
    for step in (None, *location):
        if step is not None:
            node = _child(node, step)
        if node is None:
            break
        line = node.start_mark.line + 1
    return line


def _child(node: yaml.Node | None, step: str | int) -> yaml.Node | None:
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        child: yaml.Node = node.value[step]
        return child
    if isinstance(node, yaml.MappingNode):
        return next((value for key, value in node.value if key.value == str(step)), None)
    return None
