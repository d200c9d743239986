"""The interfaces of a phone that a domain of its state uses, so that no domain imports another one's class."""

from datetime import datetime
from typing import Literal, Protocol

from virtual_phone.builds import Build
from virtual_phone.state.clock import VirtualClock
from virtual_phone.state.files import FileSystem
from virtual_phone.state.log import LogState
from virtual_phone.state.record import ChatLine

Language = Literal["en", "zh"]
Panel = Literal["", "shade", "recents"]
"""What is open over the foreground activity: nothing, the notification shade or the recent apps."""


class IdentityView(Protocol):
    """Language and time zone of the phone."""

    @property
    def language(self) -> Language: ...
    @property
    def timezone(self) -> str: ...
    def all_properties(self) -> dict[str, str]: ...
    def clock_text(self, moment: datetime) -> str: ...


class SettingsView(Protocol):
    """The tables of ``settings``."""

    def get(self, namespace: str, key: str) -> str | None: ...
    def store(self, namespace: str, key: str, value: str) -> None: ...
    def integer(self, namespace: str, key: str, default: int) -> int: ...


class NotificationsView(Protocol):
    """Posting and cancelling of notifications."""

    heads_up: str | None

    def post(
        self,
        package: str,
        title: str,
        text: str,
        *,
        identifier: int = ...,
        tag: str | None = ...,
        channel: str = ...,
        channel_name: str = ...,
        importance: int = ...,
        big_text: str | None = ...,
        category: str | None = ...,
        conversation: str | None = ...,
        chat: list[ChatLine] | None = ...,
        actions: list[str] | None = ...,
        ongoing: bool = ...,
        custom_view: bool = ...,
        tap: dict[str, str] | None = ...,
    ) -> object: ...
    def cancel_tag(self, package: str, tag: str) -> None: ...
    def cancel_app(self, package: str, identifier: int) -> None: ...
    def cancel_all(self, package: str | None = ...) -> None: ...

    def end_guidance(self) -> None: ...


class ForegroundActivity(Protocol):
    """The activity in front."""

    @property
    def package(self) -> str: ...


class AppsView(Protocol):
    """Processes of apps, and the start of an app from a notification."""

    @property
    def foreground(self) -> ForegroundActivity: ...
    def uid(self, package: str) -> int: ...
    def pid(self, package: str) -> int: ...
    def running(self) -> list[str]: ...
    def start_from_notification(self, tap: dict[str, str], package: str) -> None: ...


class BatteryView(Protocol):
    """Level in percent and charger."""

    @property
    def level(self) -> int: ...
    @property
    def plugged(self) -> bool: ...


class PowerView(Protocol):
    """Wakefulness and battery saver."""

    @property
    def wakefulness(self) -> Literal["Awake", "Asleep", "Dozing"]: ...
    @property
    def saver(self) -> bool: ...
    def set_saver(self, on: bool) -> None: ...
    def battery_changed(self) -> None: ...


class DoNotDisturbView(Protocol):
    """The do-not-disturb mode, by name and by Android's number."""

    @property
    def effective(self) -> str: ...
    @property
    def number(self) -> int: ...


class AudioView(Protocol):
    """Ringer mode, and the end of a player's session."""

    @property
    def ringer_number(self) -> int: ...
    def end_session(self, package: str) -> None: ...


class DisplayView(Protocol):
    """Dark mode and pixel density."""

    @property
    def night_number(self) -> int: ...
    @property
    def density(self) -> int: ...


class SwitchView(Protocol):
    """A radio that is on or off: Bluetooth, location."""

    @property
    def enabled(self) -> bool: ...
    def set_enabled(self, on: bool) -> None: ...


class NetworkView(Protocol):
    """Airplane mode and operator."""

    @property
    def airplane(self) -> bool: ...
    @property
    def operator(self) -> str: ...


class AlarmsView(Protocol):
    """The next alarm, and the buttons of alarm notifications."""

    def act(self, tag: str, button: int) -> bool: ...
    def next_formatted(self) -> str: ...
    def refresh_timers(self) -> None: ...


class MessagesView(Protocol):
    """The buttons of message notifications."""

    def act(self, tag: str, button: int) -> None: ...


class ActiveCall(Protocol):
    """A call that is ringing or active."""

    @property
    def state(self) -> str: ...


class CallsView(Protocol):
    """The current call, and the buttons of its notification."""

    @property
    def current(self) -> ActiveCall | None: ...
    def act(self, button: int) -> None: ...


class ContactsView(Protocol):
    """Names by telephone number."""

    def name_of(self, number: str) -> str: ...


class PhoneParts(Protocol):
    """The phone, as one domain of its state sees it."""

    panel: Panel

    @property
    def build(self) -> Build: ...
    @property
    def clock(self) -> VirtualClock: ...
    @property
    def log(self) -> LogState: ...
    @property
    def files(self) -> FileSystem: ...
    @property
    def identity(self) -> IdentityView: ...
    @property
    def settings(self) -> SettingsView: ...
    @property
    def notifications(self) -> NotificationsView: ...
    @property
    def apps(self) -> AppsView: ...
    @property
    def battery(self) -> BatteryView: ...
    @property
    def power(self) -> PowerView: ...
    @property
    def dnd(self) -> DoNotDisturbView: ...
    @property
    def audio(self) -> AudioView: ...
    @property
    def display(self) -> DisplayView: ...
    @property
    def network(self) -> NetworkView: ...
    @property
    def bluetooth(self) -> SwitchView: ...
    @property
    def location(self) -> SwitchView: ...
    @property
    def alarms(self) -> AlarmsView: ...
    @property
    def messages(self) -> MessagesView: ...
    @property
    def calls(self) -> CallsView: ...
    @property
    def contacts(self) -> ContactsView: ...
    def changed(self) -> None: ...
    async def until_changed(self) -> None: ...
