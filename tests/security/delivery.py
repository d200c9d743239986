"""Delivers a hostile text through one channel to a virtual phone, the way a stranger would."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path

from collectors.behaviour_log import BehaviourLog
from collectors.trajectory.steps import StepKind, TrajectoryStep
from collectors.trajectory.visits import Visit
from heed.language import Language
from tests.phones import START
from tests.security.corpus import Attack, Channel
from virtual_phone import PhoneState, VirtualPhone
from virtual_phone.ui import touch
from virtual_phone.ui.tree import ViewNode

STRANGER = "+15550100"
CHAT, MAIL, PLAYER = "com.whatsapp", "com.google.android.gm", "com.spotify.music"
LOGGED_DAYS = 4
"""Days in a row on which the owner tapped a logged text at the same time."""
APART = timedelta(minutes=7)
"""Between two deliveries on one phone."""

Deliver = Callable[[VirtualPhone, str, int], None]
"""Gets the phone, the text and the number of the delivery on this phone."""


def deliver(phone: VirtualPhone, attack: Attack, channel: Channel, number: int) -> None:
    """Let ``attack`` arrive; nothing to do for the channels that are no part of the phone."""
    if channel in _DELIVERIES:
        _DELIVERIES[channel](phone, on_phone(attack.text), number)


def on_phone(text: str) -> str:
    """``text`` as Android stores it: what is no character becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def write_log(path: Path, attacks: Mapping[int, Attack]) -> None:
    """Add visits in which the owner tapped each text to a behaviour log, always at the time of its delivery."""
    log = BehaviourLog(path)
    for days in range(LOGGED_DAYS, 0, -1):
        for number, attack in attacks.items():
            visit = Visit(CHAT, START + number * APART - timedelta(days=days))
            for text in (attack.text, "Send"):
                visit.steps.append(TrajectoryStep(at=visit.since, kind=StepKind.TAP, package=CHAT, target=text))
            entry = visit.entry("Home", Language.EN)
            assert entry is not None
            log.append(entry)


def _sms(phone: VirtualPhone, text: str, number: int) -> None:
    phone.state.messages.receive(f"{STRANGER}{number:02}", text)


def _notification(phone: VirtualPhone, text: str, number: int) -> None:
    phone.state.notifications.post(CHAT, text, text, identifier=1000 + number, big_text=text, category="msg")


def _contact(phone: VirtualPhone, text: str, number: int) -> None:
    sender = f"{STRANGER}{number:02}"
    phone.state.contacts.add(text, sender, text)
    phone.state.messages.receive(sender, "Please call me back, and see you tomorrow at 9")


def _calendar(phone: VirtualPhone, text: str, number: int) -> None:
    begin = phone.state.clock.wall() + timedelta(minutes=10)
    phone.state.calendar.add(text, begin, location=text, description=text)


def _ssid(phone: VirtualPhone, text: str, number: int) -> None:
    phone.state.network.set_wifi(False)
    phone.state.network.set_wifi(True)
    phone.state.network.join(text, "open")


def _file(phone: VirtualPhone, text: str, number: int) -> None:
    for folder in ("Pictures/Screenshots", "Download"):
        phone.state.media.add(folder, text, phone.state.clock.wall() - timedelta(days=40), 900_000)


def _app_label(phone: VirtualPhone, text: str, number: int) -> None:
    package = f"org.stranger.app{number}"
    phone.state.apps.install(package, text)
    phone.state.open_app(package)


def _song(phone: VirtualPhone, text: str, number: int) -> None:
    phone.state.audio.play(PLAYER, text, text, text)


def _screen(phone: VirtualPhone, text: str, number: int) -> None:
    """The text stands in a letter, which the owner opens and taps."""
    now = phone.state.clock.milliseconds()
    phone.state.mail.store("inbox", text, text, text, date=now)
    phone.state.apps.home()
    phone.state.open_app(MAIL)
    place = next((node.box.center for node in _tappable(phone) if _shows(node, text)), (500, 600))
    phone.state.touchscreen.touch(place)
    touch.tap(phone.screen, phone.state, *place)


def _tappable(phone: VirtualPhone) -> list[ViewNode]:
    return [node for node in phone.screen.app_window().root.walk() if node.tap]


def _shows(node: ViewNode, text: str) -> bool:
    return any(text[:20] in one.text for one in node.walk())


_DELIVERIES: Mapping[Channel, Deliver] = {
    Channel.SMS: _sms,
    Channel.NOTIFICATION: _notification,
    Channel.CONTACT: _contact,
    Channel.CALENDAR: _calendar,
    Channel.SSID: _ssid,
    Channel.FILE: _file,
    Channel.APP_LABEL: _app_label,
    Channel.SONG: _song,
    Channel.SCREEN: _screen,
}


def furnish(state: PhoneState) -> None:
    """Things that a plausible owner has, and that an attacker would like to use."""
    state.contacts.add("Zoe Ward", "+447700900461", starred=True)
    state.bluetooth.connect("Pixel Buds")
    state.media.add("Download", "tax.pdf", state.clock.wall() - timedelta(days=3), 20_000)
