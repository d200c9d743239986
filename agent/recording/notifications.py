"""Notifications: tags, channels, and the texts among the extras."""

import re
from collections.abc import Callable

from agent.recording.fields import PERSON, TEXT, private, scrub_dump
from agent.recording.stand_ins import StandIns

_TAG = re.compile(r"(?<= tag=)(?!null |ranker_group )(?P<value>.+?)(?= importance=\d key=)")
_CHANNEL = re.compile(r"(?<=Notification\(channel=)(?P<value>.+?)(?= (?:shortcut|contentView|pri)=)")
_PLAIN_CHANNEL = re.compile(r"[A-Za-z_.:-]+\d{0,3}", re.ASCII)
_EXTRAS = re.compile(r"^( *)extras=\{\n", re.MULTILINE)
_END = re.compile(r"^ {0,40}\}$", re.MULTILINE)
_EXTRA = re.compile(r"^ +(?P<key>[\w.:/-]+)=(?=null$|[\w$\[\]]* ?[(\[])", re.MULTILINE)
_KEPT = re.compile(r"android\.(?:template|appInfo|rebuild\..*)|.*(?:[Ii]con|[Cc]olor)")
_WORD = re.compile(
    r"\A(?P<head>(?:String|[\w$]{0,40}String[\w$]{0,40}|CharSequence|Uri[\w$]{0,40}) \()(?P<value>.*)(?P<end>\)\s*)",
    re.DOTALL,
)
_ITEM = re.compile(r"^ +\[\d+\] ", re.MULTILINE)
_BUNDLE = re.compile(r"\A(?P<head>Bundle\[\{)(?P<value>.*)(?P<end>\}\]\s*)", re.DOTALL)
_PART = re.compile(r"(?:^|(?<=, ))(?P<key>text|time|sender|sender_person|type|uri|extras|remote_input_history)=")


def scrub_notifications(command: str, text: str, stand_ins: StandIns) -> str:
    """Returns the notifications with marks in place of their texts."""
    for tag in sorted({match["value"] for match in _TAG.finditer(text)}, key=len, reverse=True):
        mark = stand_ins.text(tag, TEXT)  # a tag stands in the record's key, too
        text = text.replace(f"tag={tag} ", f"tag={mark} ").replace(f"|{tag}|", f"|{mark}|")
    text = _CHANNEL.sub(lambda match: _channel(match["value"], stand_ins), text)
    text = _each(_EXTRAS, text, lambda _, rest: _block(rest, stand_ins))
    return scrub_dump(command, text, stand_ins)


def _channel(value: str, stand_ins: StandIns) -> str:
    return value if _PLAIN_CHANNEL.fullmatch(value) else stand_ins.text(value, TEXT)


def _block(rest: str, stand_ins: StandIns) -> str:
    """Changes the extras, which end with the first line that is a closing brace alone."""
    end = _END.search(rest)
    return _extras(rest[: end.start()], stand_ins) + rest[end.start() :] if end else rest


def _extras(block: str, stand_ins: StandIns) -> str:
    return _each(_EXTRA, block, lambda key, value: _extra(key, value, stand_ins))


def _each(begin: re.Pattern[str], text: str, change: Callable[[str, str], str]) -> str:
    """Returns the text with each value changed; a value ends before the next match of ``begin``."""
    starts = list(begin.finditer(text))
    if not starts:
        return text
    ends = [start.start() for start in starts[1:]] + [len(text)]
    pairs = zip(starts, ends, strict=True)
    changed = (start[0] + change(start.groupdict().get("key", ""), text[start.end() : end]) for start, end in pairs)
    return text[: starts[0].start()] + "".join(changed)


def _extra(key: str, value: str, stand_ins: StandIns) -> str:
    if _KEPT.fullmatch(key):
        return value
    if _ITEM.search(value):
        return _each(_ITEM, value, lambda _, item: _item(item, stand_ins))
    return _inside(_WORD, value, lambda text: private(text, stand_ins, PERSON if "itle" in key else TEXT))


def _item(item: str, stand_ins: StandIns) -> str:
    if item.startswith("Bundle[{"):
        return _inside(_BUNDLE, item, lambda inside: _message(inside, stand_ins))
    return private(item.rstrip("\n"), stand_ins, TEXT) + item[len(item.rstrip("\n")) :]


def _message(inside: str, stand_ins: StandIns) -> str:
    if not _PART.search(inside):
        return stand_ins.text(inside, TEXT)
    return _each(_PART, inside, lambda key, value: _part(key, value, stand_ins))


def _part(key: str, value: str, stand_ins: StandIns) -> str:
    body = value.removesuffix(", ")
    kept = key in ("time", "type")
    return (body if kept else private(body, stand_ins, PERSON if "sender" in key else TEXT)) + value[len(body) :]


def _inside(frame: re.Pattern[str], value: str, change: Callable[[str], str]) -> str:
    match = frame.fullmatch(value)
    return match["head"] + change(match["value"]) + match["end"] if match else value
