"""Varies the facts of the moment around a labelled text, so that the reader learns which of them decide.

Most labelled messages state no fact but the time, and most texts of played days, which state all of them, are ordinary:
without variation, an alarm that is set would count against a need.
"""

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from heed.language import Language, language_of
from models.reader.description import LOW_BATTERY, MOST_APPOINTMENTS, Appointment, Moment, describe
from training.reader.examples import ReaderExample

_AHEAD = timedelta(hours=12)
"""How far the daemon looks into the calendar."""
_AS_THEY_ARE, _KEPT = 0.2, 0.5
"""Share of the examples whose facts are not varied, and of the facts of a day that stay in the others."""
_MORE_APPOINTMENTS = (0, 0, 0, 1, 1, 2, 3)
_PLACES = ("", "", "home", "home", "work")
_RINGERS = ("normal", "normal", "normal", "vibrate", "silent")
_DO_NOT_DISTURB = ("off", "off", "off", "off", "priority")
_ALARM, _BATTERY, _IN_CALENDAR = 0.6, 0.3, 0.1
"""Shares of the moments with an alarm, with a low battery, and of the appointments that are in the calendar already."""
_NEARLY_EMPTY = 9
_ALARM_HOURS = range(4, 11)
_WORDS = re.compile(r"[a-z]{4,}")
_DECIDING = {
    "ringer": frozenset({"set_volume_and_ringer", "set_do_not_disturb"}),
    "do_not_disturb": frozenset({"set_volume_and_ringer", "set_do_not_disturb"}),
    "battery": frozenset({"set_power_saving_mode"}),
}
"""Facts that decide whether these functions are needed."""
_CALENDAR = frozenset({"create_calendar_event", "create_reminder"})


def on_a_busy_phone(one: ReaderExample) -> ReaderExample:
    """The example with a low battery, an alarm and a muted ringer: none of them decides what a message calls for."""
    alarm = (one.moment.now + timedelta(days=1)).replace(hour=6, minute=50)
    moment = one.moment.model_copy(
        update={
            "next_alarm": one.moment.next_alarm or alarm,
            "battery": one.moment.battery or _NEARLY_EMPTY,
            "ringer": one.moment.ringer or "vibrate",
        }
    )
    return one._replace(moment=moment, given=describe(one.text, moment))


class FactsVariation:
    """Draws facts of a moment that do not depend on the label.

    A fact that the writer of a message stated stays, because it may decide, and so do the appointments and the alarm of
    a look-alike of a played day.

    Args:
        titles: of appointments, per language.
    """

    def __init__(self, titles: Mapping[Language, Sequence[str]]) -> None:
        self._titles = titles

    @classmethod
    def of(cls, found: Iterable[ReaderExample]) -> "FactsVariation":
        """With the titles of all appointments of the examples, of those in the calendar and of those to be created."""
        titles: dict[Language, dict[str, None]] = {language: {} for language in Language}
        for one in found:
            for appointment in (*one.moment.appointments, *one.appointments):
                titles[language_of(appointment.title)].setdefault(appointment.title)
        return cls({language: list(named) for language, named in titles.items()})

    def vary(self, one: ReaderExample, chance: random.Random) -> ReaderExample:
        """The example at another moment of the same time; of some needs the appointment is in the calendar already."""
        if chance.random() < _AS_THEY_ARE:
            return one
        if one.appointments and _CALENDAR.issuperset(one.functions) and chance.random() < _IN_CALENDAR:
            known = one.moment.model_copy(update={"appointments": one.appointments[:1]})
            one = one._replace(kind="lookalike", functions=(), spans=(), moment=known)
        moment = self._moment(one, chance)
        return one._replace(moment=moment, given=describe(one.text, moment))

    def _moment(self, one: ReaderExample, chance: random.Random) -> Moment:
        decisive = {name for name, functions in _DECIDING.items() if functions.intersection(one.functions)}
        if one.kind == "lookalike" and not one.spans_known:
            decisive |= {"appointments", "next_alarm"}
        update: dict[str, Any] = {}
        for name, value in _drawn(one.moment.now, chance).items():
            stated = getattr(one.moment, name) not in (None, "", ())
            own = stated and (one.spans_known or chance.random() < _KEPT)
            if not own and name not in decisive:
                update[name] = value
        appointments = [*update.get("appointments", one.moment.appointments), *self._appointments(one, chance)]
        update["appointments"] = tuple(sorted(appointments, key=lambda event: event.start)[:MOST_APPOINTMENTS])
        return one.moment.model_copy(update=update)

    def _appointments(self, one: ReaderExample, chance: random.Random) -> list[Appointment]:
        """Appointments of other people, of which the text does not speak."""
        titles = self._titles[language_of(one.text.text)]
        drawn = [chance.choice(titles) for _ in range(chance.choice(_MORE_APPOINTMENTS) if titles else 0)]
        return [
            Appointment(title=title, start=_soon(one.moment.now, chance))
            for title in drawn
            if not _common(title, one.text.text)
        ]


def _drawn(now: datetime, chance: random.Random) -> dict[str, Any]:
    return {
        "appointments": (),
        "next_alarm": _alarm(now, chance) if chance.random() < _ALARM else None,
        "battery": chance.randint(2, LOW_BATTERY) if chance.random() < _BATTERY else None,
        "ringer": chance.choice(_RINGERS),
        "do_not_disturb": chance.choice(_DO_NOT_DISTURB),
        "place": chance.choice(_PLACES),
    }


def _alarm(now: datetime, chance: random.Random) -> datetime:
    """An alarm of the next morning that comes."""
    minute = chance.randrange(0, 60, 5)
    found = now.replace(hour=chance.choice(_ALARM_HOURS), minute=minute, second=0, microsecond=0)
    return found if found > now else found + timedelta(days=1)


def _soon(now: datetime, chance: random.Random) -> datetime:
    """A quarter of an hour within the hours that the daemon looks ahead."""
    later = now + _AHEAD * chance.random()
    return later.replace(minute=later.minute // 15 * 15, second=0, microsecond=0) + timedelta(minutes=15)


def _common(title: str, text: str) -> bool:
    """Whether a title has a word, or two Chinese characters in a row, of a text."""
    return bool({*_WORDS.findall(title.casefold())} & {*_WORDS.findall(text.casefold())}) or any(
        title[at : at + 2] in text for at in range(len(title) - 1) if language_of(title[at : at + 2]) is Language.ZH
    )
