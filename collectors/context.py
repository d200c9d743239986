"""The ``Context``: everything known at one moment, in the four dimensions of ProactiveMobile.

The models import no other module of the collectors: it holds data only.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Annotated, NewType

from pydantic import Field, JsonValue

from heed.messages import Text
from heed.model import Frozen
from heed.trust import Trust
from heed.unicode import ValidJson, ValidText


class Dimension(StrEnum):
    """The four dimensions of context (ProactiveMobile, CVPR 2026)."""

    PROFILE = "profile"
    DEVICE = "device"
    WORLD = "world"
    TRAJECTORY = "trajectory"


class Fact(Frozen):
    """One value with its source, its time, its confidence and its trust label."""

    name: str
    """Dotted and stable, e.g. ``battery.level`` (see ``fact_names``)."""
    value: ValidJson
    """Independent of language; units are those of ``fact_names``."""
    source: str
    """The command, file or library it was read from."""
    read_at: datetime
    """Time of reading on the phone's wall clock, timezone-aware."""
    trust: Trust
    """Who could have written the value."""
    confidence: float = Field(default=1.0, ge=0.0, le=1.0)
    """Probability that the value is correct."""


class Missing(Frozen):
    """A fact or source that could not be read."""

    name: str
    """Name of the source, or ``clock`` or ``frame``."""
    reason: Text
    """One sentence for the owner."""


class Section(Frozen):
    """The facts of one dimension in a stable order, and the missing ones."""

    facts: tuple[Fact, ...] = ()
    missing: tuple[Missing, ...] = ()


class StoredFrame(Frozen):
    """A reference to a stored picture of the screen."""

    sha256: str
    """Of the file."""
    path: str
    width: int
    """Pixels."""
    height: int
    """Pixels."""
    taken_at: datetime
    """On the phone's wall clock."""


class LogEntry(Frozen):
    """One entry of the behaviour log."""

    time: datetime
    """Timezone-aware."""
    location: ValidText
    """Place name or location text; may be empty."""
    action: ValidText
    """What the owner did, in one or a few sentences."""
    package: str = ""
    """The app of a visit that heed recorded; empty for an entry that the owner wrote or imported.

    The ``action`` of a recorded visit quotes views of the screen, which third parties may have written.
    """
    app: str = ""
    """Of a recorded visit: the app's usual name, from heed's own table; empty where the table does not have it."""
    line: int = 0
    """1-based line in the log file, which habits refer to; 0 = not from a file."""

    @property
    def trust(self) -> Trust:
        """Who could have written parts of ``action``."""
        return Trust.THIRD_PARTY if self.package else Trust.OWNER


class TriggerKind(StrEnum):
    """The kinds of trigger that heed makes; stored in the journal and named by situations."""

    CLOCK = "clock"
    """Only the time is the reason: a habit or a situation is due."""
    COMMAND = "command"
    """The owner typed a call."""
    BATTERY_LEVEL = "battery_level"
    CHARGER = "charger"
    SMS_RECEIVED = "sms_received"
    NOTIFICATION = "notification"
    APP_FOREGROUND = "app_foreground"
    SCREEN = "screen"
    BLUETOOTH_CONNECTED = "bluetooth_connected"
    BLUETOOTH_DISCONNECTED = "bluetooth_disconnected"
    CALENDAR_EVENT = "calendar_event"
    """An appointment begins soon."""
    CALENDAR_ADDED = "calendar_added"
    EVENING_BEFORE = "evening_before"
    """Time to sleep before an early appointment."""
    CONNECTIVITY = "connectivity"
    CALL = "call"
    ALARM = "alarm"
    SCREEN_TIME = "screen_time"


OtherKind = NewType("OtherKind", str)
"""A kind that is none of heed's own: a plug-in's or a benchmark's."""

AnyKind = Annotated[TriggerKind | OtherKind, Field(union_mode="left_to_right")]
"""Reads heed's own kinds as ``TriggerKind`` and every other as it is."""


class Trigger(Frozen):
    """The reason for a snapshot and a decision: an event, a due time or a command."""

    kind: AnyKind
    data: Mapping[str, ValidJson] = Field(default_factory=dict)
    trust: Trust = Trust.DEVICE


class Context(Frozen):
    """Everything known at one moment about the owner, the phone, the world and the last minutes."""

    serial: str
    """The address at which adb reaches the phone."""
    phone: str = ""
    """The key of the phone's identity; empty in recorded cases and in contexts from before phones were told apart."""
    now: datetime
    """The phone's wall clock, timezone-aware."""
    place: str = "unknown"
    """``home``, ``work``, another known place's label, or ``unknown``."""
    trigger: Trigger = Trigger(kind=TriggerKind.CLOCK)
    profile: Section = Section()
    device: Section = Section()
    world: Section = Section()
    trajectory: Section = Section()
    frames: tuple[StoredFrame, ...] = Field(default=(), max_length=10)
    """Oldest first; at most ten, the benchmark's limit."""

    @property
    def phone_id(self) -> str:
        """The key of the phone: of its identity, or the address where that was not recorded."""
        return self.phone or self.serial

    def section(self, dimension: Dimension) -> Section:
        """The section of ``dimension``."""
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
    """A context as text in the benchmark's four fields, for language models and the perceptor.

    The profile is the first part of a prompt. Its wording and order are stable and it has no times, so that an engine
    can reuse its evaluation of it.
    """

    profile: str
    phone: str
    """Includes the phone's date and time, and the missing facts."""
    world: str
    trace: tuple[str, ...] = ()
    """Oldest first; the last line is the trigger."""
    habits: tuple[str, ...] = ()
    """Learnt habits, most frequent first; not a field of the benchmark."""
    log: tuple[str, ...] = ()
    """Entries of the behaviour log nearest to the moment, oldest first; not a field of the benchmark."""
