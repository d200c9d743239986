"""Settings and properties: kept where the form of the value is harmless and the key not sensitive."""

import re
from collections.abc import Callable

from agent.recording.fields import SETTING as KIND
from agent.recording.fields import private
from agent.recording.stand_ins import StandIns

_SENSITIVE = re.compile(
    r"name|owner|info|ssid|account|mail|addr|secret|token|key|number|phone|msisdn|user|serial|imei|meid|iccid|imsi|"
    r"messag|text|label|title|locat|place|latitude|longitude|hotspot|passw|pin\b|contact|host|url|dns|proxy|mac\b|uuid|"
    r"guid|hash|cert|android_id|device_id|_id$|operator|carrier",
    re.IGNORECASE,
)
_PUBLIC_PROPERTIES = re.compile(
    r"ro\.(?:\w+\.)?(?:build|product|version|config|soc|board|hardware|system|vendor|odm)\b(?!.*serial)", re.ASCII
)
_HARMLESS = re.compile(
    r"-?[\d.]{1,6}|0x[0-9a-f]{1,8}|null|true|false|[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-[A-Z]{2})?(?:,[a-zA-Z-]{2,12}){0,5}|"
    r"[A-Z][a-z]+/[A-Z][A-Za-z_]+|(?:[A-Za-z]\w*\.)+\w+(?:/[\w.$]+)?(?:[:;,](?:[A-Za-z]\w*\.)+\w+(?:/[\w.$]+)?)*",
    re.ASCII,
)
_HARMLESS_WORD = re.compile(r"[a-z]+(?:_[a-z0-9]+)*|[A-Z]+(?:_[A-Z0-9]+)*|1[67]\d{11}", re.ASCII)
_FLAG = re.compile(r"-?\d{1,3}|null|true|false|", re.ASCII)


SETTINGS = re.compile(
    r"^(?P<key>[\w#][\w.#:/@$-]*)=(?P<value>.*(?:\n(?![\w#][\w.#:/@$-]*=).*)*)$", re.MULTILINE | re.ASCII
)
PROPERTIES = re.compile(r"^\[(?P<key>[^\]\n]+)\]: \[(?P<value>(?:.|\n(?!\[))*?)\]$", re.MULTILINE)


def scrub_pairs(pattern: re.Pattern[str]) -> Callable[[str, str, StandIns], str]:
    """Returns the rule for an output of pairs: the groups ``key`` and ``value``."""

    def scrub(command: str, text: str, stand_ins: StandIns) -> str:
        return pattern.sub(lambda match: _pair(match, stand_ins), text)

    return scrub


def _pair(match: re.Match[str], stand_ins: StandIns) -> str:
    begin = match.start("value") - match.start()
    value = setting_value(match["key"], match["value"], stand_ins)
    return match[0][:begin] + value + match[0][begin + len(match["value"]) :]


def setting_value(key: str, value: str, stand_ins: StandIns) -> str:
    """Returns a setting's or property's value: kept where its form is harmless and its key is not sensitive."""
    if _PUBLIC_PROPERTIES.match(key) or _FLAG.fullmatch(value.strip()):
        return value
    if not _SENSITIVE.search(key) and (_HARMLESS.fullmatch(value.strip()) or _HARMLESS_WORD.fullmatch(value.strip())):
        return value
    return private(value, stand_ins, KIND)


def scrub_setting(command: str, text: str, stand_ins: StandIns) -> str:
    """Returns the value of one setting, whose key is the last word of the command."""
    value = text.removesuffix("\n")
    return setting_value(command.rsplit(maxsplit=1)[-1], value, stand_ins) + text[len(value) :]


def scrub_identity(command: str, text: str, stand_ins: StandIns) -> str:
    """Returns the values of the phone's identity, which stand in the order of its commands."""
    keys = [part.split()[-1] for part in command.split(";") if "echo" not in part]
    lines = text.split("\n")
    values = [place for place, line in enumerate(lines) if not line.startswith("heed-")]
    for key, place in zip(keys, values, strict=False):
        lines[place] = setting_value(key, lines[place], stand_ins)
    return "\n".join(lines)
