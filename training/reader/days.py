"""Training examples of the reader, from played days with answers."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from models.reader.description import Appointment, Moment, describe
from models.values.incoming import IncomingText
from training.reader.examples import ReaderExample, app_name
from virtual_phone import PhoneState, Scenario, ScenarioPlayer
from virtual_phone.scenario import ScenarioEntry
from virtual_phone.state.people import digits

_AHEAD = timedelta(hours=12)
_NEAR = 0.2
"""Kilometres within which the phone is at a place, about."""


def load_days(folder: Path) -> Iterator[ReaderExample]:
    """Every text of the days of a folder, with its label from ``answers.json``."""
    answers = json.loads(folder.joinpath("answers.json").read_text("utf-8"))
    for day, rows in answers.items():
        yield from _day(folder / f"{day}.yaml", day, rows)


def _day(path: Path, day: str, rows: list[Mapping[str, Any]]) -> Iterator[ReaderExample]:
    scenario = Scenario.load(path)
    state = scenario.new_state()
    state.clock.freeze()
    player = ScenarioPlayer(scenario, state)
    for (when, entry), row in zip(scenario.moments(), rows, strict=True):
        state.clock.set(when)
        moment = _moment(state, scenario)
        text = _text(entry, state)
        player.step()
        if text is not None and not (row["kind"] == "need" and row["source"] != "text"):
            functions = tuple(row.get("accept", ())) if row["kind"] == "need" else ()
            yield ReaderExample(day, row["kind"], describe(text, moment), text, moment, functions, (), False)


def _text(entry: ScenarioEntry, state: PhoneState) -> IncomingText | None:
    if entry.sms:
        name = state.contacts.name_of(entry.sms.sender)
        return IncomingText(app="sms", sender=name or entry.sms.sender, known=bool(name), text=entry.sms.text)
    if entry.mail:
        known = _known(state, entry.mail.sender)
        return IncomingText(
            app="mail", sender=entry.mail.sender, known=known, title=entry.mail.subject, text=entry.mail.text
        )
    if entry.chat and not entry.chat.own:
        known = _known(state, entry.chat.person)
        name = app_name(entry.chat.app)
        return IncomingText(
            app=entry.chat.app, app_name=name, sender=entry.chat.person, known=known, text=entry.chat.text
        )
    if entry.notification:
        one = entry.notification
        return IncomingText(
            app=one.app,
            app_name=app_name(one.app),
            sender=one.title,
            known=_known(state, one.title),
            title=one.title,
            text=one.text,
        )
    return None


def _known(state: PhoneState, sender: str) -> bool:
    names = {contact.name.casefold() for contact in state.contacts.raw}
    return sender.casefold() in names or bool(digits(sender) and state.contacts.name_of(sender))


def _moment(state: PhoneState, scenario: Scenario) -> Moment:
    now = state.clock.wall()
    begin = int(now.timestamp() * 1000)
    coming = state.calendar.instances(begin, begin + int(_AHEAD.total_seconds() * 1000))
    appointments = [
        Appointment(title=event.title, start=datetime.fromtimestamp(start / 1000, now.tzinfo))
        for event, start, _ in coming
        if start >= begin
    ]
    return Moment(
        now=now,
        appointments=tuple(appointments),
        next_alarm=state.alarms.next_due(now),
        battery=state.battery.level,
        ringer=state.audio.ringer,
        do_not_disturb=state.dnd.mode,
        place=_place(state, scenario),
    )


def _place(state: PhoneState, scenario: Scenario) -> str:
    places = scenario.persona.profile.get("locations")
    for name in ("home", "work"):
        place = places.get(name) if isinstance(places, dict) else None
        if isinstance(place, dict) and "latitude" in place:
            north = (float(place["latitude"]) - state.location.latitude) * 111  # type: ignore[arg-type]
            east = (float(place["longitude"]) - state.location.longitude) * 80  # type: ignore[arg-type]
            if (north**2 + east**2) ** 0.5 < _NEAR:
                return name
    return ""
