"""Describes an incoming text and its moment in the words that the network was trained on.

The words are English in every language of the phone: they are marks for the network, not sentences for people.
"""

import re
from collections.abc import Iterator
from datetime import datetime

from heed.model import Frozen
from models.reader.text_input import ReaderInput
from models.values.incoming import IncomingText

MOST_APPOINTMENTS = 4
LOW_BATTERY = 20
"""Percent up to which the level is told."""
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_NUMBER = re.compile(r"[+\d][\d\s()-]*")
_SERVICE = re.compile(r"10\d{3,}|9\d{4,}|12\d{3,}|\d{3,6}")
"""Numbers of services: Chinese service numbers and short codes."""


class Appointment(Frozen):
    """A coming calendar event."""

    title: str
    start: datetime


class Moment(Frozen):
    """Facts of the phone's moment that the reader uses."""

    now: datetime
    appointments: tuple[Appointment, ...] = ()
    """The next calendar events, soonest first."""
    next_alarm: datetime | None = None
    battery: int | None = None
    """Percent."""
    ringer: str = ""
    do_not_disturb: str = ""
    place: str = ""
    """``home``, ``work`` or empty."""


def describe(text: IncomingText, moment: Moment) -> ReaderInput:
    """The network's view of a text at a moment."""
    return ReaderInput(head=_head(text), text=said(text), facts=tuple(_facts(moment)))


def said(text: IncomingText) -> str:
    """Title and text of a mail or notification; of a message the text alone, whose title is its sender."""
    own_title = text.title.strip() not in ("", text.sender)
    return f"{text.title}\n{text.text}" if own_title else text.text


def _head(text: IncomingText) -> str:
    app = text.app_name or text.app
    known = {True: "in contacts", False: "not in contacts", None: ""}[text.known]
    return f"{app} from {_sender(text.sender)} {known}"


def is_phone_number(sender: str) -> bool:
    """Whether a sender is the number of a person's phone, not a name nor the number of a service."""
    return bool(_NUMBER.fullmatch(sender)) and not _is_service(sender)


def _is_service(number: str) -> bool:
    return bool(_SERVICE.fullmatch(re.sub(r"[\s()-]", "", number)))


def _sender(sender: str) -> str:
    if not _NUMBER.fullmatch(sender):
        return sender
    return "service number" if _is_service(sender) else "phone number"


def _facts(moment: Moment) -> Iterator[str]:
    now = moment.now
    yield f"{_DAYS[now.weekday()]} {now.day} {now:%B} {now:%H:%M}"
    if moment.place:
        yield f"at {moment.place}"
    for one in moment.appointments[:MOST_APPOINTMENTS]:
        yield f"calendar {_when(one.start, now)} {one.title}"
    if moment.next_alarm is not None:
        yield f"alarm {_when(moment.next_alarm, now)}"
    if moment.ringer not in ("", "normal"):
        yield f"ringer {moment.ringer}"
    if moment.do_not_disturb not in ("", "off"):
        yield "do not disturb on"
    if moment.battery is not None and moment.battery <= LOW_BATTERY:
        yield f"battery {moment.battery}"


def _when(moment: datetime, now: datetime) -> str:
    days = (moment.date() - now.date()).days
    day = {0: "today", 1: "tomorrow"}.get(days, f"{_DAYS[moment.weekday()]} {moment.day} {moment:%B}")
    return f"{day} {moment:%H:%M}"
