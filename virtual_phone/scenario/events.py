"""The events of a scenario: one small model per kind, each with ``apply``."""

from typing import Protocol

from pydantic import Field

from heed.model import Frozen
from virtual_phone.scenario.device_events import (
    BatteryEvent,
    BluetoothEvent,
    CalendarDeletionEvent,
    CalendarEvent,
    DoNotDisturbEvent,
    MediaEvent,
    MusicEvent,
    PlaceEvent,
    RadioEvent,
    RingerEvent,
    ScreenEvent,
    SettingEvent,
    TimeZoneEvent,
)
from virtual_phone.scenario.message_events import (
    CallEvent,
    ChatEvent,
    MailEvent,
    NotificationEvent,
    SentSmsEvent,
    SmsEvent,
)
from virtual_phone.scenario.touch_events import KeyEvent, OpenAppEvent, SwipeEvent, TapEvent, TypeEvent
from virtual_phone.state import PhoneState


class ScenarioEvent(Protocol):
    """An event of a scenario."""

    def apply(self, state: PhoneState) -> None:
        """Apply the event to the phone."""
        ...


class AdvanceEvent(Frozen):
    """Only time passes: the entry's moment is so many minutes after ``at``."""

    minutes: float = Field(ge=0)

    def apply(self, state: PhoneState) -> None:
        """Change nothing: the time has passed already."""


class EventFields(Frozen):
    """The possible events of an entry, at most one of them set."""

    battery: BatteryEvent | None = None
    sms: SmsEvent | None = None
    send_sms: SentSmsEvent | None = None
    chat: ChatEvent | None = None
    mail: MailEvent | None = None
    notification: NotificationEvent | None = None
    open_app: OpenAppEvent | None = None
    screen: ScreenEvent | None = None
    place: PlaceEvent | None = None
    call: CallEvent | None = None
    bluetooth: BluetoothEvent | None = None
    calendar: CalendarEvent | None = None
    calendar_delete: CalendarDeletionEvent | None = None
    do_not_disturb: DoNotDisturbEvent | None = None
    ringer: RingerEvent | None = None
    radio: RadioEvent | None = None
    timezone: TimeZoneEvent | None = None
    setting: SettingEvent | None = None
    media: MediaEvent | None = None
    music: MusicEvent | None = None
    tap: TapEvent | None = None
    type: TypeEvent | None = None
    key: KeyEvent | None = None
    swipe: SwipeEvent | None = None
    advance: AdvanceEvent | None = None


EVENTS = tuple(EventFields.model_fields)
