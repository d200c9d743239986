"""The online meeting that an appointment states in the calendar: platform, link, number and password."""

import re
from collections.abc import Mapping

from pydantic import JsonValue

from heed.model import Frozen
from models.values.choices import choice
from models.values.codes import password
from models.values.incoming import IncomingText

_FUNCTION, _PLATFORM = "join_online_meeting", "platform"
_KEYS = ("title", "location", "description")
_LONGEST = 1000
_NUMBER = re.compile(
    r"(?:meeting ?(?:id|number|no)|会议号|会议ID|\bID)\s{0,2}(?:is|为|是)?\s{0,2}[:：#]?\s{0,2}"
    r"(?P<number>\d{2,5}(?:[ -]?\d{2,5}){1,4})",
    re.IGNORECASE,
)
_LINK = re.compile(r"https?://\S{1,500}")


class OnlineMeeting(Frozen):
    """An online meeting; a link or a number is stated."""

    platform: str
    """As ``join_online_meeting`` names it."""
    url: str = ""
    id: str = ""
    password: str = ""


def online_meeting(appointment: Mapping[str, JsonValue]) -> OnlineMeeting | None:
    """The online meeting of an appointment, given its title, location, description and links; None without one."""
    text = "\n".join(str(appointment.get(key, "")) for key in _KEYS)[:_LONGEST]
    link, platform = _meeting_link(appointment.get("links"))
    number = _number(text)
    platform = platform or (_platform(text) if number else None)
    if platform is None or not (link or number):
        return None
    return OnlineMeeting(platform=platform, url=link, id=number, password=password(_LINK.sub(" ", text)) or "")


def _meeting_link(links: JsonValue) -> tuple[str, str | None]:
    """The first link that is a platform's, with the platform."""
    for link in links if isinstance(links, list) else []:
        if platform := _platform(str(link).split("?")[0]):
            return str(link), platform
    return "", None


def _platform(text: str) -> str | None:
    return choice(_FUNCTION, _PLATFORM, "", IncomingText(app="", text=text))


def _number(text: str) -> str:
    """The meeting number after the words that announce one."""
    match = _NUMBER.search(_LINK.sub(" ", text))
    return re.sub(r"\D", "", match["number"]) if match else ""
