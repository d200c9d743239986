"""The texts of the screen, and the addresses in the tables of sockets."""

import re

from agent.recording.fields import TEXT, private
from agent.recording.stand_ins import StandIns

_ATTRIBUTE = re.compile(
    r"(?<= )(?P<name>text|content-desc|hint|tooltip-text|pane-title|state-description)=\"(?P<value>[^\"]+)\""
)
_ENTITY = re.compile(r"(&#?\w+;)")
_SOCKET = re.compile(r"(?<![0-9A-Fa-f])(?:[0-9A-F]{8}|[0-9A-F]{32})(?=:[0-9A-F]{4}\b)")
_OWN_ADDRESS = re.compile(r"0+|0100007F|0{24}01000000|(?:0{16}|0{20})(?:FFFF0000|0000FFFF|FFFF)0100007F")


def scrub_screen(command: str, text: str, stand_ins: StandIns) -> str:
    """Returns the hierarchy of the screen with marks in place of its texts."""
    return _ATTRIBUTE.sub(lambda match: _attribute(match, stand_ins), text)


def _attribute(match: re.Match[str], stand_ins: StandIns) -> str:
    parts = _ENTITY.split(match["value"])
    shown = "".join(part if _ENTITY.fullmatch(part) else private(part, stand_ins, TEXT) for part in parts)
    return f'{match["name"]}="{shown}"'


def scrub_sockets(command: str, text: str, stand_ins: StandIns) -> str:
    """Returns the tables of sockets with marks in place of the addresses of other machines."""
    return _SOCKET.sub(
        lambda match: match[0] if _OWN_ADDRESS.fullmatch(match[0]) else _address(match[0], stand_ins), text
    )


def _address(value: str, stand_ins: StandIns) -> str:
    """Replaces the digits alone: an invented letter might be none of a hexadecimal number."""
    return re.sub(r"\d+", lambda digits: stand_ins.text(digits[0], "IP address"), value)
