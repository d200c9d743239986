"""Facts around a labelled text are varied unless they decide; those that do not decide leave the gate open."""

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from models.config import Keenness
from models.reader.card import shipped_reader_card
from models.reader.description import Appointment, Moment, describe
from models.reader.reading import TextReader
from models.values.incoming import IncomingText
from tests.conftest import REPO
from training.reader.examples import ReaderExample, load
from training.reader.facts import FactsVariation, on_a_busy_phone

NOW = datetime.fromisoformat("2026-05-04T10:00:00+02:00")
DATA = REPO / "training" / "reader" / "data"
DENTIST = Appointment(title="Dentist", start=NOW + timedelta(hours=5))
OTHER = "Choir practice"
DRAWS = 200


def made(**change: Any) -> ReaderExample:
    text = IncomingText(app="sms", sender="Ann", known=True, text="Your check at the dentist is today at 15:00.")
    moment = change.pop("moment", Moment(now=NOW))
    one = ReaderExample("hand", "need", describe(text, moment), text, moment, ("create_calendar_event",), (), True)
    return one._replace(**change)


def variants(one: ReaderExample) -> Iterator[ReaderExample]:
    other = made(moment=Moment(now=NOW, appointments=(Appointment(title=OTHER, start=NOW),)))
    variation, chance = FactsVariation.of([one, other]), random.Random(4)
    for _ in range(DRAWS):
        yield variation.vary(one, chance)


def test_a_message_without_facts_is_read_with_every_kind_of_them() -> None:
    found = list(variants(made()))
    facts = {fact.split()[0] for one in found for fact in one.given.facts}
    assert {"Monday", "at", "calendar", "alarm", "ringer", "do", "battery"} == facts
    assert any(len(one.given.facts) == 1 for one in found)
    assert all(one.moment.now == NOW and one.kind == "need" for one in found)


def test_a_fact_that_the_writer_stated_stays() -> None:
    stated = Moment(now=NOW, appointments=(DENTIST,), ringer="silent", place="work", battery=4)
    for one in variants(made(kind="lookalike", functions=(), moment=stated)):
        assert DENTIST in one.moment.appointments
        assert (one.moment.ringer, one.moment.place, one.moment.battery) == ("silent", "work", 4)


def test_of_a_played_day_facts_change_but_for_a_look_alikes_calendar_and_alarm() -> None:
    moment = Moment(now=NOW, appointments=(DENTIST,), next_alarm=NOW + timedelta(hours=21), place="home")
    ordinary = list(variants(made(kind="ordinary", functions=(), moment=moment, spans_known=False)))
    assert {DENTIST in one.moment.appointments for one in ordinary} == {True, False}
    assert {one.moment.place for one in ordinary} == {"", "home", "work"}
    for one in variants(made(kind="lookalike", functions=(), moment=moment, spans_known=False)):
        assert DENTIST in one.moment.appointments
        assert one.moment.next_alarm == moment.next_alarm


def test_the_ringer_decides_about_a_ringer() -> None:
    found = variants(made(functions=("set_volume_and_ringer",)))
    assert {one.moment.ringer for one in found} == {""}


def test_a_need_whose_appointment_is_in_the_calendar_is_a_look_alike() -> None:
    found = list(variants(made(appointments=(DENTIST,))))
    known = [one for one in found if one.kind == "lookalike"]
    assert 0 < len(known) < len(found) / 4
    assert all(DENTIST in one.moment.appointments and not one.functions for one in known)


def test_appointments_that_are_added_share_no_word_with_the_text() -> None:
    text = IncomingText(app="sms", sender="Ann", known=True, text="Choir is at 7")
    added = {event.title for one in variants(made(text=text)) for event in one.moment.appointments}
    assert OTHER not in added


@pytest.mark.parametrize("hand", ["driver_glasgow", "teacher_qingdao"])
def test_battery_alarm_and_ringer_do_not_close_the_gate(hand: str) -> None:
    reader, cut = TextReader.load(), shipped_reader_card().thresholds[Keenness.BALANCED]
    needs = [one for one in load(DATA / f"{hand}.jsonl", hand) if one.kind == "need"]
    bare, busy = (
        [reader.read(one.given).need for one in found] for found in (needs, list(map(on_a_busy_phone, needs)))
    )
    opened = sum(need >= cut for need in bare)
    assert sum(need >= cut for need in busy) >= 0.9 * opened
