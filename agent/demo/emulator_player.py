"""Playing a scenario on a real Android emulator: its events through the emulator's console and adb.

Untried on a real emulator: tested on the virtual phone that plays one. Not everything can be made to happen there;
``script`` says what is sent for an event, or why nothing is.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from agent.demo.emulator_console import EmulatorConsole
from android_bridge.commands import content_call, quote, settings_put
from android_bridge.device import Device
from android_bridge.facts.hierarchy import HIERARCHY
from heed.errors import DeviceError
from heed.messages import Text, message_of, msg
from virtual_phone.scenario import events
from virtual_phone.scenario.document import Entry, Scenario
from virtual_phone.state.well_known import LAUNCHER_APP


class Order(NamedTuple):
    """One thing to send."""

    to: Literal["console", "shell", "tap"]
    line: str
    """A command; for ``tap`` the text on the screen to tap."""


class Cannot(Exception):
    """Why an event cannot be made to happen on an emulator."""


def _battery(event: events.BatteryEvent) -> Iterator[Order]:
    if event.charger is not None:
        plugged = event.charger != "none"
        yield Order("console", f"power ac {'on' if plugged else 'off'}")
        yield Order("console", f"power status {'charging' if plugged else 'discharging'}")
    if event.level is not None:
        yield Order("console", f"power capacity {event.level}")


def _sms(event: events.SmsEvent) -> Iterator[Order]:
    text = event.text.replace("\\", "\\\\").replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\\n")
    yield Order("console", f"sms send {_number(event.sender)} {text}")


def _number(sender: str) -> str:
    number = re.sub(r"[\s().-]", "", sender)
    if not re.fullmatch(r"\+?\d{1,20}", number, re.ASCII):
        raise Cannot(msg("The console sends and calls from numbers only, not from {sender!r}.", sender=sender))
    return number


def _notification(event: events.NotificationEvent) -> Iterator[Order]:
    tag = event.tag or event.title
    yield Order("shell", f"cmd notification post -t {quote(event.title)} {quote(tag)} {quote(event.text)}")


def _open_app(event: events.OpenAppEvent) -> Iterator[Order]:
    if event.app == LAUNCHER_APP:
        yield Order("shell", "input keyevent HOME")
    else:
        yield Order("shell", f"monkey -p {quote(event.app)} -c android.intent.category.LAUNCHER 1")


def _screen(event: events.ScreenEvent) -> Iterator[Order]:
    yield Order("shell", f"input keyevent {'SLEEP' if event.to == 'off' else 'WAKEUP'}")
    if event.to == "unlocked":
        yield Order("shell", "wm dismiss-keyguard")


def _place(event: events.PlaceEvent) -> Iterator[Order]:
    yield Order("console", f"geo fix {event.longitude} {event.latitude}")
    if event.wifi is not None:
        yield Order("shell", f"svc wifi {'enable' if event.wifi else 'disable'}")


def _call(event: events.CallEvent) -> Iterator[Order]:
    verb = {"ring": "call", "answer": "accept", "hang_up": "cancel"}[event.action]
    yield Order("console", f"gsm {verb} {_number(event.sender)}")


def _bluetooth(event: events.BluetoothEvent) -> Iterator[Order]:
    if event.device:
        raise Cannot(msg("An emulator has no Bluetooth devices."))
    yield Order("shell", f"svc bluetooth {'enable' if event.enabled else 'disable'}")


def _calendar(event: events.CalendarEvent) -> Iterator[Order]:
    raise Cannot(msg("It is dated in the scenario's time, and the emulator keeps its own."))


def _setting(event: events.SettingEvent) -> Iterator[Order]:
    yield Order("shell", settings_put(event.namespace, event.key, event.value))


def _media(event: events.MediaEvent) -> Iterator[Order]:
    folder = f"/sdcard/{event.folder}"
    path = quote(f"{folder}/{event.name}")
    yield Order("shell", f"mkdir -p {quote(folder)} && head -c {event.size} /dev/zero > {path}")
    yield Order("shell", content_call("content://media", "scan_file", f"{folder}/{event.name}"))


def _music(event: events.MusicEvent) -> Iterator[Order]:
    if event.title:
        raise Cannot(msg("The player chooses the song itself."))
    yield Order("shell", "input keyevent MEDIA_PAUSE")


def _tap(event: events.TapEvent) -> Iterator[Order]:
    yield Order("tap", event.text) if event.text else Order("shell", f"input tap {event.x} {event.y}")


def _type(event: events.TypeEvent) -> Iterator[Order]:
    if not event.root.isascii():
        raise Cannot(msg("`input text` types ASCII only."))
    yield Order("shell", f"input text {quote(event.root.replace(' ', '%s'))}")


def _key(event: events.KeyEvent) -> Iterator[Order]:
    yield Order("shell", f"input keyevent {quote(event.root)}")


def _swipe(event: events.SwipeEvent) -> Iterator[Order]:
    (left, top), (right, bottom) = event.start, event.end
    yield Order("shell", f"input swipe {left} {top} {right} {bottom} 300")


def _advance(event: events.AdvanceEvent) -> Iterator[Order]:
    return iter(())


ORDERS: dict[str, Callable[[Any], Iterator[Order]]] = {
    "battery": _battery, "sms": _sms, "notification": _notification, "open_app": _open_app, "screen": _screen,
    "place": _place, "call": _call, "bluetooth": _bluetooth, "calendar": _calendar, "setting": _setting,
    "media": _media, "music": _music, "tap": _tap, "type": _type, "key": _key, "swipe": _swipe, "advance": _advance,
}  # fmt: skip
DIFFERENT: Mapping[str, Text] = {
    "battery": msg("Its only charger is mains power."),
    "notification": msg(
        "Notifications are posted by Android's shell, not by their app: nobody else may post in its name."
    ),
    "place": msg("Its Wi-Fi is switched on and off; the network's name is the emulator's own."),
    "advance": msg(
        "Time passes as it does; what is due at a time of day or on a weekday happens by the emulator's clock."
    ),
}
"""What an event does a little differently there."""


class Scene(NamedTuple):
    """An entry and what is sent for it."""

    entry: Entry
    orders: tuple[Order, ...]
    left_out: Text = ""
    """Why nothing is sent; empty when all is well."""


def script(scenario: Scenario) -> list[Scene]:
    """Every entry of the timeline, in order."""
    scenes, caller = [], ""
    for _, entry in scenario.moments():
        event = getattr(entry, entry.event)
        if isinstance(event, events.CallEvent):
            # Only the console's `gsm call` has a number of its own: the others go on about that call.
            caller = event.sender or caller
            event = event.model_copy(update={"sender": caller})
        try:
            scenes.append(Scene(entry, tuple(ORDERS[entry.event](event))))
        except Cannot as reason:
            scenes.append(Scene(entry, (), message_of(reason)))
    return scenes


def limits(scenario: Scenario) -> list[Text]:
    """What will not be as in the scenario, a sentence each: told before it begins."""
    told: list[Text] = [
        "The emulator keeps its own clock, apps, contacts, messages, alarms and files: only what happens is played."
    ]
    for scene in script(scenario):
        event = scene.entry.event
        left_out = msg("{at} {event} is left out: {reason}", at=scene.entry.at, event=event, reason=scene.left_out)
        told.append(left_out if scene.left_out else DIFFERENT.get(event, ""))
    return list({str(sentence): sentence for sentence in told if sentence}.values())


def start(scenario: Scenario) -> list[Order]:
    """How the emulator is prepared: battery, charger and place; the rest of the scenario's start stays its own."""
    state = scenario.state
    prepared = list(_battery(events.BatteryEvent(level=state.battery, charger=state.charger)))
    if state.latitude is not None and state.longitude is not None:
        place = events.PlaceEvent(name=state.place, latitude=state.latitude, longitude=state.longitude, wifi=state.wifi)
        prepared += _place(place)
    return prepared + list(_screen(events.ScreenEvent(to="off" if state.screen == "off" else "unlocked")))


class EmulatorPlayer:
    """Sends a scenario's events to an emulator."""

    def __init__(self, device: Device, console: EmulatorConsole) -> None:
        self._device, self._console = device, console

    async def prepare(self, scenario: Scenario) -> None:
        """Bring the emulator as near to the scenario's start as can be."""
        await self._send(start(scenario))

    async def play(self, scene: Scene) -> None:
        """Let one entry happen; ``DeviceError`` when the emulator refuses."""
        await self._send(scene.orders)

    async def _send(self, wanted: Sequence[Order]) -> None:
        for order in wanted:
            if order.to == "console":
                await self._console.run(order.line)
            else:
                await self._shell(order.line if order.to == "shell" else await self._tap(order.line))

    async def _shell(self, line: str) -> None:
        result = await self._device.shell(line)
        if result.exit_code != 0:
            raise DeviceError(
                msg(
                    "{serial} refused `{line}`: {text}",
                    serial=self._device.serial,
                    line=line,
                    text=result.text.strip()[:200],
                )
            )

    async def _tap(self, text: str) -> str:
        screen = await self._device.read(HIERARCHY)
        for node in screen.nodes():
            if text in (node.text, node.description):
                return "input tap {} {}".format(*node.bounds.center)
        raise DeviceError(
            msg("Nothing on the screen of {serial} says {text!r}.", serial=self._device.serial, text=text)
        )
