"""Notifications on the phone and do-not-disturb, from ``dumpsys notification --noredact``.

Checked against Android 10 (Smartisan), 14 (Xiaomi HyperOS, vivo) and newer (Motorola, emulator, HyperOS): flags in
hexadecimal or by name, redacted or not, values over several lines, lists of lines.

The dump does not escape the texts of apps, so a text can imitate the lines of another notification. Everything here,
the package included, is therefore third-party text.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum

from android_bridge.facts.reader import Reader
from android_bridge.facts.text import find, from_millis, missing, parser, pieces
from heed.messages import msg
from heed.model import Frozen


class NotificationMessage(Frozen):
    """One message of a conversation (``Notification.MessagingStyle``)."""

    sender: str
    """Empty for the phone's owner."""
    text: str


class Notification(Frozen):
    """One notification. A text is None when the app gave none or the phone hid it (``redacted``)."""

    key: str
    package: str
    user: int
    """Android's user; -1 for all."""
    id: int
    tag: str | None
    channel: str
    category: str
    """``msg``, ``call``, ``alarm``, ``sys``, …; empty when the app gave none."""
    importance: int
    """0 none to 5 maximum, as ``NotificationManager.IMPORTANCE_*``."""
    flags: frozenset[str]
    when: datetime | None
    """The time that the notification shows; None when it shows none."""
    posted: datetime | None
    """When it was posted or last changed."""
    title: str | None
    text: str | None
    big_text: str | None
    sub_text: str | None
    lines: tuple[str, ...]
    """The lines of an inbox-style notification, newest first as printed."""
    conversation: str | None
    """The title of the conversation, for a group."""
    messages: tuple[NotificationMessage, ...]
    redacted: bool
    """True when the phone printed only the lengths of the texts."""

    @property
    def ongoing(self) -> bool:
        """True for notifications that cannot be swiped away: players, downloads, services."""
        return bool(self.flags & {"ONGOING_EVENT", "FOREGROUND_SERVICE"})

    @property
    def summary(self) -> bool:
        """True for the summary of a group, whose members are listed too."""
        return bool(self.flags & {"GROUP_SUMMARY", "AUTOGROUP_SUMMARY"})


class Notifications(Frozen):
    """The posted notifications, and the number of records that could not be parsed."""

    items: tuple[Notification, ...]
    unread: int = 0


class DoNotDisturb(StrEnum):
    """``Settings.Global.ZEN_MODE_*``, in the order of their numbers."""

    OFF = "off"
    PRIORITY = "priority"
    TOTAL_SILENCE = "total_silence"
    ALARMS_ONLY = "alarms_only"


# android.app.Notification.FLAG_*, in the order of their bits.
_FLAGS = (
    *("SHOW_LIGHTS", "ONGOING_EVENT", "INSISTENT", "ONLY_ALERT_ONCE", "AUTO_CANCEL", "NO_CLEAR"),
    *("FOREGROUND_SERVICE", "HIGH_PRIORITY", "LOCAL_ONLY", "GROUP_SUMMARY", "AUTOGROUP_SUMMARY"),
)
_ZEN = {
    "ZEN_MODE_OFF": DoNotDisturb.OFF,
    "ZEN_MODE_IMPORTANT_INTERRUPTIONS": DoNotDisturb.PRIORITY,
    "ZEN_MODE_NO_INTERRUPTIONS": DoNotDisturb.TOTAL_SILENCE,
    "ZEN_MODE_ALARMS": DoNotDisturb.ALARMS_ONLY,
}
_ZEN_SETTING = {str(place): mode for place, mode in enumerate(DoNotDisturb)}

_LONGEST_HEADER = 4096
_START = re.compile(r"^ {4}NotificationRecord\(0x[0-9a-f]+: (?=pkg=)", re.MULTILINE)
_HEADER = re.compile(
    r"pkg=(?P<package>\S+) user=UserHandle\{(?P<user>-?\d+)\} id=(?P<id>-?\d+)"
    r" tag=(?>(?P<tag>.*?) importance=(?P<importance>\d) key=(?=-?\d{1,10}\|))"
    r"(?>(?P<key>.*?)(?: bbbc=\d+)?: Notification\(channel=)"
    r"(?>(?P<channel>.*?) (?:shortcut=|contentView=|pri=))(?P<rest>.*)",
    re.ASCII,
)
_IN_HEADER = {name: re.compile(rf" {name}=(\S+)") for name in ("category", "flags")}
_WHEN = re.compile(r"^ {12}when=(\d{1,15})(?:/\d+)?$", re.MULTILINE | re.ASCII)
_UPDATED = re.compile(r"^ {6}mUpdateTimeMs=(\d{1,15})$", re.MULTILINE | re.ASCII)
_EXTRAS = re.compile(r"^( *)extras=\{\n", re.MULTILINE)
_TEXT = re.compile(r"[\w$]* \((.*)\)", re.DOTALL)
_HIDDEN = re.compile(r"[\w$]* \[length=\d+\]")
_ITEM = re.compile(r"^ +\[\d+\] ", re.MULTILINE)
_MESSAGE_FIELD = re.compile(r"(?:^|, )(text|time|sender|sender_person|type|uri|extras|remote_input_history)=")
_ZEN_SECTION = re.compile(r"^  Zen Mode:$", re.MULTILINE)
_ZEN_LINE = re.compile(r"^    mZenMode=(\w+)$", re.MULTILINE)


@parser(msg("The notifications"))
def parse_notifications(text: str) -> Notifications:
    """Parses ``dumpsys notification``: every record, newest first as printed."""
    starts = list(_START.finditer(text))
    if not starts and "Current Notification Manager state:" not in text:
        raise missing(msg("list of notifications"))
    items = [_notification(record) for record in pieces(starts, text)]
    known = tuple(item for item in items if item is not None)
    return Notifications(items=known, unread=len(items) - len(known))


def _notification(record: str) -> Notification | None:
    # Bounded: an app chooses the tag, and a long one that repeats the header's words would make the match very slow.
    header = _HEADER.match(record.partition("\n")[0][:_LONGEST_HEADER])
    if header is None:
        return None
    extras = dict(_extras(record))
    texts = {name: _string(extras.get(f"android.{name}")) for name in _TEXT_EXTRAS}
    return Notification(
        **{name: header[name] for name in ("package", "key", "channel")},
        user=int(header["user"]),
        id=int(header["id"]),
        tag=None if header["tag"] == "null" else header["tag"],
        importance=int(header["importance"]),
        category=_in_header("category", header["rest"]),
        flags=_flags(_in_header("flags", header["rest"])),
        when=_time(_WHEN, record),
        posted=_time(_UPDATED, record),
        title=texts["title"],
        text=texts["text"],
        big_text=texts["bigText"],
        sub_text=texts["subText"],
        conversation=texts["conversationTitle"],
        lines=tuple(_list(extras.get("android.textLines", ""))),
        messages=tuple(_messages(extras.get("android.messages", ""))),
        redacted=any(_HIDDEN.fullmatch(value) for value in extras.values()),
    )


_TEXT_EXTRAS = ("title", "text", "bigText", "subText", "conversationTitle")


def _in_header(name: str, rest: str) -> str:
    match = _IN_HEADER[name].search(rest)
    return match[1].rstrip(")") if match else ""


def _flags(printed: str) -> frozenset[str]:
    if re.fullmatch(r"0x[0-9a-f]{1,8}", printed):
        bits = int(printed, 16)
        return frozenset(name for place, name in enumerate(_FLAGS) if bits >> place & 1)
    return frozenset(printed.split("|")) - {"0", ""}


def _time(pattern: re.Pattern[str], record: str) -> datetime | None:
    match = pattern.search(record)
    return from_millis(int(match[1])) if match and int(match[1]) else None


def _extras(record: str) -> Iterator[tuple[str, str]]:
    """Yields each extra's key and printed value; a value ends before the next line that begins like an extra."""
    begin = _EXTRAS.search(record)
    end = re.compile(rf"^{begin[1]}\}}$", re.MULTILINE).search(record, begin.end()) if begin else None
    if begin is None or end is None:
        return
    block = record[begin.end() : end.start()]
    entry = re.compile(rf"^ {{{len(begin[1]) + 4}}}([\w.:/-]+)=(?=null$|[\w$\[\]]* ?[(\[])", re.MULTILINE)
    starts = list(entry.finditer(block))
    for start, value in zip(starts, pieces(starts, block), strict=True):
        yield start[1], value.removesuffix("\n")


def _string(value: str | None) -> str | None:
    match = _TEXT.fullmatch(value or "")
    return match[1] if match else None


def _list(value: str) -> list[str]:
    return [item.removesuffix("\n") for item in _ITEM.split(value)[1:]]


def _messages(value: str) -> Iterator[NotificationMessage]:
    """Elements printed as ``Bundle[{text=…, sender=…, time=…}]``; those still in a parcel have no text."""
    for item in _list(value):
        if not (item.startswith("Bundle[{") and item.endswith("}]")):
            continue
        names_and_values = _MESSAGE_FIELD.split(item[len("Bundle[{") : -len("}]")])[1:]
        fields = dict(zip(names_and_values[::2], names_and_values[1::2], strict=True))
        if "text" in fields:
            sender = fields.get("sender", "null")
            yield NotificationMessage(sender="" if sender == "null" else sender, text=fields["text"])


@parser(msg("Do not disturb"))
def parse_do_not_disturb(text: str) -> DoNotDisturb:
    """Parses ``dumpsys notification``: the mode in its last Zen Mode section, which follows all texts of apps."""
    sections = [match.end() for match in _ZEN_SECTION.finditer(text)]
    if not sections:
        raise missing(msg("Zen Mode section"))
    return _zen(find(_ZEN_LINE, text[sections[-1] :], msg("mZenMode")))


def _zen(printed: str) -> DoNotDisturb:
    if printed not in _ZEN:
        raise missing(msg("meaning of {printed!r}", printed=printed))
    return _ZEN[printed]


@parser(msg("Do not disturb"))
def parse_zen_setting(text: str) -> DoNotDisturb:
    """Parses ``settings get global zen_mode``."""
    if text.strip() not in _ZEN_SETTING:
        raise missing(msg("mode between 0 and 3"))
    return _ZEN_SETTING[text.strip()]


NOTIFICATIONS = Reader("notifications", "dumpsys notification --noredact", parse_notifications)
DO_NOT_DISTURB = Reader("do_not_disturb", "settings get global zen_mode", parse_zen_setting)
DO_NOT_DISTURB_DUMP = Reader("do_not_disturb_dump", "dumpsys notification", parse_do_not_disturb)
