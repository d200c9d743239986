"""Translates scenario entries into commands for an Android emulator: console commands, shell commands and taps.

Untried on a real emulator; tested with the virtual phone's emulator console. Some events have no equivalent on an
emulator: ``emulator_scenes`` gives the commands of each entry, or the reason why there are none.
"""

import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

from android_bridge.commands import content_call, quote, settings_put
from heed.messages import msg
from virtual_phone.scenario import device_events, events, message_events, touch_events
from virtual_phone.scenario.document import Scenario, ScenarioEntry
from virtual_phone.state.well_known import LAUNCHER_APP
from virtual_phone.text_picture import encoded


class EmulatorCommand(NamedTuple):
    """One command to send."""

    target: Literal["console", "shell", "tap"]
    line: str
    """The command; for ``tap`` the text on the screen to tap."""


class UnsupportedEvent(Exception):
    """An event that has no equivalent on an emulator; the message gives the reason."""


def _battery(event: device_events.BatteryEvent) -> Iterator[EmulatorCommand]:
    if event.charger is not None:
        plugged = event.charger != "none"
        yield EmulatorCommand("console", f"power ac {'on' if plugged else 'off'}")
        yield EmulatorCommand("console", f"power status {'charging' if plugged else 'discharging'}")
    if event.level is not None:
        yield EmulatorCommand("console", f"power capacity {event.level}")


def _sms(event: message_events.SmsEvent) -> Iterator[EmulatorCommand]:
    text = event.text.replace("\\", "\\\\").replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\\n")
    yield EmulatorCommand("console", f"sms send {_number(event.sender)} {text}")


def _number(sender: str) -> str:
    number = re.sub(r"[\s().-]", "", sender)
    if not re.fullmatch(r"\+?\d{1,20}", number, re.ASCII):
        raise UnsupportedEvent(msg("The console accepts numbers only as sender, not {sender!r}.", sender=sender))
    return number


def _send_sms(event: message_events.SentSmsEvent) -> Iterator[EmulatorCommand]:
    raise UnsupportedEvent(msg("Only the messages app itself may store a sent message."))


def _chat(event: message_events.ChatEvent) -> Iterator[EmulatorCommand]:
    if event.own:
        raise UnsupportedEvent(msg("Only the chat app itself may send a message."))
    yield _post(event.person, event.person, event.text)


def _mail(event: message_events.MailEvent) -> Iterator[EmulatorCommand]:
    yield _post(event.sender, event.subject, f"{event.subject}\n{event.text}")


def _notification(event: message_events.NotificationEvent) -> Iterator[EmulatorCommand]:
    yield _post(event.title, event.tag or event.title, event.text)


def _post(title: str, tag: str, text: str) -> EmulatorCommand:
    return EmulatorCommand("shell", f"cmd notification post -t {quote(title)} {quote(tag)} {quote(text)}")


def _open_app(event: touch_events.OpenAppEvent) -> Iterator[EmulatorCommand]:
    if event.app == LAUNCHER_APP:
        yield EmulatorCommand("shell", "input keyevent HOME")
    else:
        yield EmulatorCommand("shell", f"monkey -p {quote(event.app)} -c android.intent.category.LAUNCHER 1")


def _screen(event: device_events.ScreenEvent) -> Iterator[EmulatorCommand]:
    yield EmulatorCommand("shell", f"input keyevent {'SLEEP' if event.to == 'off' else 'WAKEUP'}")
    if event.to == "unlocked":
        yield EmulatorCommand("shell", "wm dismiss-keyguard")


def _place(event: device_events.PlaceEvent) -> Iterator[EmulatorCommand]:
    yield EmulatorCommand("console", f"geo fix {event.longitude} {event.latitude}")
    if event.wifi is not None:
        yield EmulatorCommand("shell", f"svc wifi {'enable' if event.wifi else 'disable'}")


def _call(event: message_events.CallEvent) -> Iterator[EmulatorCommand]:
    if event.action == "dial":
        yield EmulatorCommand("shell", f"am start -a android.intent.action.CALL -d {quote(f'tel:{event.to}')}")
        return
    verb = {"ring": "call", "answer": "accept", "hang_up": "cancel"}[event.action]
    yield EmulatorCommand("console", f"gsm {verb} {_number(event.sender)}")


def _bluetooth(event: device_events.BluetoothEvent) -> Iterator[EmulatorCommand]:
    if event.device:
        raise UnsupportedEvent(msg("An emulator has no Bluetooth devices."))
    yield EmulatorCommand("shell", f"svc bluetooth {'enable' if event.enabled else 'disable'}")


def _calendar(event: device_events.CalendarEvent) -> Iterator[EmulatorCommand]:
    raise UnsupportedEvent(msg("Its date is in the scenario's time, and the emulator keeps its own."))


def _calendar_delete(event: device_events.CalendarDeletionEvent) -> Iterator[EmulatorCommand]:
    raise UnsupportedEvent(msg("The emulator's calendar has events of its own."))


def _do_not_disturb(event: device_events.DoNotDisturbEvent) -> Iterator[EmulatorCommand]:
    yield EmulatorCommand("shell", f"cmd notification set_dnd {event.root}")


def _ringer(event: device_events.RingerEvent) -> Iterator[EmulatorCommand]:
    yield EmulatorCommand("shell", f"cmd audio set-ringer-mode {event.root.upper()}")


_RADIOS: Mapping[str, tuple[str, str, str]] = {
    "airplane": ("cmd connectivity airplane-mode", "enable", "disable"),
    "wifi": ("svc wifi", "enable", "disable"),
    "mobile_data": ("svc data", "enable", "disable"),
    "bluetooth": ("svc bluetooth", "enable", "disable"),
    "nfc": ("svc nfc", "enable", "disable"),
    "location": ("cmd location set-location-enabled", "true", "false"),
}
"""Command and its words for on and off."""


def _radio(event: device_events.RadioEvent) -> Iterator[EmulatorCommand]:
    if event.hotspot is not None:
        raise UnsupportedEvent(msg("An emulator has no hotspot."))
    for name, (command, on, off) in _RADIOS.items():
        if (wanted := getattr(event, name)) is not None:
            yield EmulatorCommand("shell", f"{command} {on if wanted else off}")


def _timezone(event: device_events.TimeZoneEvent) -> Iterator[EmulatorCommand]:
    yield EmulatorCommand("shell", f"cmd alarm set-timezone {quote(event.root)}")


def _setting(event: device_events.SettingEvent) -> Iterator[EmulatorCommand]:
    yield EmulatorCommand("shell", settings_put(event.namespace, event.key, event.value))


def _media(event: device_events.MediaEvent) -> Iterator[EmulatorCommand]:
    folder = f"/sdcard/{event.folder}"
    path = quote(f"{folder}/{event.name}")
    contents = f"head -c {event.size} /dev/zero"
    if event.shows:
        picture = encoded(event.shows, Path(event.name).suffix)
        contents = f"echo {b64encode(picture).decode()} | base64 -d"
    yield EmulatorCommand("shell", f"mkdir -p {quote(folder)} && {contents} > {path}")
    yield EmulatorCommand("shell", content_call("content://media", "scan_file", f"{folder}/{event.name}"))


def _music(event: device_events.MusicEvent) -> Iterator[EmulatorCommand]:
    if event.title:
        raise UnsupportedEvent(msg("The song that a player plays cannot be chosen."))
    yield EmulatorCommand("shell", "input keyevent MEDIA_PAUSE")


def _tap(event: touch_events.TapEvent) -> Iterator[EmulatorCommand]:
    yield (
        EmulatorCommand("tap", event.text) if event.text else EmulatorCommand("shell", f"input tap {event.x} {event.y}")
    )


def _type(event: touch_events.TypeEvent) -> Iterator[EmulatorCommand]:
    if not event.root.isascii():
        raise UnsupportedEvent(msg("`input text` types ASCII only."))
    yield EmulatorCommand("shell", f"input text {quote(event.root.replace(' ', '%s'))}")


def _key(event: touch_events.KeyEvent) -> Iterator[EmulatorCommand]:
    yield EmulatorCommand("shell", f"input keyevent {quote(event.root)}")


def _swipe(event: touch_events.SwipeEvent) -> Iterator[EmulatorCommand]:
    (left, top), (right, bottom) = event.start, event.end
    yield EmulatorCommand("shell", f"input swipe {left} {top} {right} {bottom} 300")


def _advance(event: events.AdvanceEvent) -> Iterator[EmulatorCommand]:
    return iter(())


COMMANDS_BY_EVENT: dict[str, Callable[[Any], Iterator[EmulatorCommand]]] = {
    "battery": _battery, "sms": _sms, "notification": _notification, "open_app": _open_app, "screen": _screen,
    "place": _place, "call": _call, "bluetooth": _bluetooth, "calendar": _calendar, "setting": _setting,
    "send_sms": _send_sms, "chat": _chat, "mail": _mail, "calendar_delete": _calendar_delete,
    "do_not_disturb": _do_not_disturb, "ringer": _ringer, "radio": _radio, "timezone": _timezone,
    "media": _media, "music": _music, "tap": _tap, "type": _type, "key": _key, "swipe": _swipe, "advance": _advance,
}  # fmt: skip
DIFFERENCES = {
    "battery": "The charger is always AC.",
    "notification": "Notifications are posted by Android's shell, because only an app itself may post in its name.",
    "chat": "A chat message is a notification only, posted by Android's shell.",
    "mail": "An e-mail is a notification only, posted by Android's shell.",
    "place": "Wi-Fi is switched on and off; the network's name is the emulator's own.",
    "advance": "Time is not advanced; what is due at a time of day or on a weekday happens by the emulator's clock.",
}
"""The difference between an event of a scenario and the same on an emulator."""


class EmulatorScene(NamedTuple):
    """A scenario entry and its commands."""

    entry: ScenarioEntry
    commands: tuple[EmulatorCommand, ...]
    unsupported: str = ""
    """Why the entry has no commands; empty = it is supported."""


def emulator_scenes(scenario: Scenario) -> list[EmulatorScene]:
    """Return every entry of the timeline with its commands, in order."""
    scenes, caller = [], ""
    for _, entry in scenario.moments():
        event = getattr(entry, entry.event)
        if isinstance(event, message_events.CallEvent):
            # Only `ring` and `dial` have a number in the scenario; the console's other commands need it too.
            caller = event.sender or event.to or caller
            event = event.model_copy(update={"sender": caller})
        try:
            scenes.append(EmulatorScene(entry, tuple(COMMANDS_BY_EVENT[entry.event](event))))
        except UnsupportedEvent as reason:
            scenes.append(EmulatorScene(entry, (), str(reason)))
    return scenes


def limitations(scenario: Scenario) -> list[str]:
    """Return one sentence for each difference between the scenario and its playback on an emulator."""
    sentences = [
        "The emulator keeps its own clock, apps, contacts, messages, alarms and files: only what happens is played."
    ]
    for scene in emulator_scenes(scenario):
        event = scene.entry.event
        left_out = f"{scene.entry.at} {event} is left out: {scene.unsupported}"
        sentences.append(left_out if scene.unsupported else DIFFERENCES.get(event, ""))
    return [sentence for sentence in dict.fromkeys(sentences) if sentence]


def start_commands(scenario: Scenario) -> list[EmulatorCommand]:
    """Return the commands for battery, charger, location and screen at the start; the rest is the emulator's own."""
    state = scenario.state
    commands = list(_battery(device_events.BatteryEvent(level=state.battery, charger=state.charger)))
    if state.latitude is not None and state.longitude is not None:
        place = device_events.PlaceEvent(
            name=state.place, latitude=state.latitude, longitude=state.longitude, wifi=state.wifi
        )
        commands += _place(place)
    return commands + list(_screen(device_events.ScreenEvent(to="off" if state.screen == "off" else "unlocked")))
