"""Private values that are known by the name of their field, in any dump: names, texts, networks, accounts."""

import re
from functools import partial
from typing import NamedTuple

from agent.recording.stand_ins import StandIns

PERSON, TEXT, NETWORK, ACCOUNT, SETTING, CELL = "name", "text", "network", "account", "setting", "cell"
DEVICE_NAME, DEVICE, SERIAL, PHONE = "device name", "device number", "serial number", "phone number"


class PrivateField(NamedTuple):
    """Fields of any dump: the pattern's group ``value`` is replaced."""

    kind: str
    pattern: re.Pattern[str]


_PHONE = re.compile(r"\+?\(?\d[\d ()./-]{3,24}")
_EMPTY = frozenset({"", "null", "NULL", "none", "None", "unknown", "<none>", "<unknown ssid>", "true", "false"})

_FIELDS: tuple[tuple[str, str], ...] = (
    (NETWORK, r"(?i:\bssid)\b[\"']?\s{0,2}[:=]\s{0,2}\"(?P<value>[^\n]{1,64}?)\"(?=[,;}\]\s]|$)"),
    (NETWORK, r"(?i:\bssid)\b[\"']?\s{0,2}[:=]\s{0,2}(?P<value>[^\s\",;<\[{}]{1,64})"),
    (NETWORK, r"^Wifi is connected to \"(?P<value>.{1,64})\"$"),
    (NETWORK, r"\bextra: \"?(?P<value>[^\",\n]{1,64})"),
    (ACCOUNT, r"\bAccount ?\{name=(?P<value>.{1,128}?), type="),
    (ACCOUNT, r"(?i:\baccount_?name|\baccount)[=:]\s?(?P<value>[^\s,;{})\]]{1,128})"),
    (
        DEVICE_NAME,
        r"^[ \t]{0,40}(?i:name|local name|hostname|device name|alias|mName)\s?[:=]\s?(?P<value>[^\n]{1,80})$",
    ),
    # A Bluetooth device: its address, its kind, its name.
    (
        DEVICE_NAME,
        r"^[ \t]{1,40}\S{17} {1,9}(?:\([^)\n]{0,80}\) {1,9})?\[[ \w./-]{1,80}\](?: \([^)\n]{0,80}\))? "
        r"(?P<value>[^\n]{1,80})$",
    ),
    (DEVICE_NAME, r"\b(?:m?[dD]eviceName|device_name|friendlyName|address_name)[=:]\s?(?P<value>[^,;}\n]{1,80})"),
    (PERSON, r"\b(?:\w*[dD]isplayName|contactName|callerName|cnapName)[=:]\s?\"?(?P<value>[^\",;}\]\n]{1,80})"),
    (
        PHONE,
        r"\b\w*(?:[nN]umber|[hH]andle|[mM]sisdn|line1)[=:]\s?(?:tel:)?"
        r"(?P<value>\+?[\d*#][\d() ./*#%-]{2,24}\d)(?![\d:.])",
    ),
    (DEVICE, r"(?i:\b(?:imei|meid|imsi|icc_?id|subscriberid|esn)\d?)\b[\"']?\s?[:=]\s?(?P<value>[\w*]{6,22})"),
    (SERIAL, r"(?i:\b(?:serial(?:_?(?:no|number))?|device_?id))[\"']?\s?[:=]\s?(?P<value>[\w-]{6,40})"),
    (CELL, r"\bm?(?:Ci|Cid|Nci|Tac|Lac|Eci|Basestation(?:Id|Latitude|Longitude))=(?P<value>\d{2,12})\b"),
    (TEXT, r"\b(?:tickerText|contentTitle|contentText|bigText|subText|summaryText)=(?!null$)(?P<value>[^\n]+)$"),
    (TEXT, r"\bmetadata: ?size=\d+, description=(?P<value>[^\n]+)$"),
    (
        TEXT,
        r"\b(?:m?Description|mConversationId|mParentId|shortcut(?:Id)?)=(?P<value>[^,\n}]{1,200}?)"
        r"(?=[,}\n]| contentView=)",
    ),
    (TEXT, r"\bmName=(?P<value>[^\n]{1,200}?)(?=, m[A-Z]\w{1,40}=|[}\n])"),
    (TEXT, r"\bdat=(?P<value>[^\s}]+)"),
    (TEXT, r"\b(?:addressLines|feature|thoroughfare|postalCode|locality)=(?P<value>\[[^\]\n]*\]|[^,\]\n]+)"),
    (TEXT, r"\b(?:m?[lL]abel|m?[tT]itle)[=:]\s?\"(?P<value>[^\"\n]{1,200})\""),
)
FIELDS = tuple(PrivateField(kind, re.compile(pattern, re.MULTILINE)) for kind, pattern in _FIELDS)


def scrub_dump(command: str, text: str, stand_ins: StandIns) -> str:
    """Returns the output of ``command`` with marks in place of the values of private fields."""
    for field in FIELDS:
        text = field.pattern.sub(partial(_replaced, stand_ins=stand_ins, kind=field.kind), text)
    return text


def _replaced(match: re.Match[str], stand_ins: StandIns, kind: str) -> str:
    value, begin = match["value"], match.start("value") - match.start()
    return match[0][:begin] + private(value, stand_ins, kind) + match[0][begin + len(value) :]


def private(value: str, stand_ins: StandIns, kind: str) -> str:
    """Returns the mark of a private value; a value that says that there is none stays."""
    if value.strip() in _EMPTY:
        return value
    if _PHONE.fullmatch(value):
        return stand_ins.phone(value)
    return stand_ins.text(value, kind)
