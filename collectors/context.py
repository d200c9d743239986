"""The ``Context``: what is known at one moment, in the benchmark's four dimensions.

This is the only module of the collectors that the models import: data, no phone.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum

from pydantic import Field, JsonValue

from heed.messages import Text
from heed.model import Frozen
from heed.trust import Trust


class Dimension(StrEnum):
    """The four dimensions of context (ProactiveMobile, CVPR 2026)."""

    PROFILE = "profile"
    DEVICE = "device"
    WORLD = "world"
    TRAJECTORY = "trajectory"


class Fact(Frozen):
    """One thing that was read, with where it came from, when, how sure and who could have written it."""

    name: str
    """Dotted and stable, e.g. ``battery.level``: situations, prompts and redaction sets refer to it."""
    value: JsonValue
    """Language-neutral; the wording in English and Chinese comes from the collectors' table."""
    source: str
    """The command, file or library it was read from."""
    read_at: datetime
    """On the phone's wall clock."""
    trust: Trust
    confidence: float = Field(default=1.0, ge=0.0, le=1.0)


class Missing(Frozen):
    """Something that could not be read: said, never invented and never silently empty."""

    name: str
    reason: Text


class Section(Frozen):
    """The facts of one dimension, in a stable order, and what is missing from it."""

    facts: tuple[Fact, ...] = ()
    missing: tuple[Missing, ...] = ()


class Frame(Frozen):
    """A reference to a stored screenshot."""

    sha256: str
    path: str
    width: int
    height: int
    taken_at: datetime


class LogEntry(Frozen):
    """One action in the long-term behaviour log: one JSON object per line in its file."""

    time: datetime
    location: str
    action: str
    line: int = 0
    """1-based line in the log file, so that a habit can cite the lines it rests on."""


class Trigger(Frozen):
    """What just happened on the phone and made us look.

    ``kind`` is one of ``battery_level``, ``charger``, ``sms_received``, ``notification``, ``app_foreground``,
    ``screen``, ``bluetooth_disconnected``, ``calendar_event``, ``connectivity``, ``call``, ``alarm``,
    ``screen_time`` or ``clock`` (only the time can be the reason).
    """

    kind: str
    data: Mapping[str, JsonValue] = Field(default_factory=dict)
    trust: Trust = Trust.DEVICE


class Context(Frozen):
    """What is known about the phone's owner, the phone, the world and the last minutes, at one moment."""

    serial: str
    now: datetime
    """The phone's wall clock, timezone-aware."""
    place: str = "unknown"
    """``home``, ``work``, another known place's label, or ``unknown``."""
    trigger: Trigger = Trigger(kind="clock")
    profile: Section = Section()
    device: Section = Section()
    world: Section = Section()
    trajectory: Section = Section()
    frames: tuple[Frame, ...] = Field(default=(), max_length=10)
    """Oldest first; at most ten, the benchmark's limit."""

    def section(self, dimension: Dimension) -> Section:
        section: Section = getattr(self, dimension.value)
        return section

    def facts(self) -> Iterable[Fact]:
        """All facts, in the order of the dimensions."""
        for dimension in Dimension:
            yield from self.section(dimension).facts

    def fact(self, name: str) -> Fact | None:
        """The fact called ``name``, or None when it was not read."""
        return next((fact for fact in self.facts() if fact.name == name), None)

    def value(self, name: str, default: JsonValue = None) -> JsonValue:
        """The value of the fact called ``name``, or ``default`` when it was not read."""
        fact = self.fact(name)
        return default if fact is None else fact.value


class RenderedContext(Frozen):
    """A context in words, in the benchmark's four fields: what a language model reads.

    The profile comes first in a prompt and changes slowly: keep its wording and order stable, and keep times out
    of it, so that what a model has already read is not read again.
    """

    profile: str
    phone: str
    """Includes the phone's date and time, and what could not be read."""
    world: str
    trace: tuple[str, ...] = ()
    """Oldest first; the last line is the trigger: what just happened."""
