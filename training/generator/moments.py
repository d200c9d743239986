"""Writes moments as ``Context``: the grammar's signal among unrelated content, for the renderer of the collectors."""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from random import Random
from typing import TypeVar
from zoneinfo import ZoneInfo

from pydantic import JsonValue

from collectors.context import Context, Fact, Section, Trigger, TriggerKind
from heed.trust import Trust
from training.generator.grammar import Parts, ScenarioGrammar

_T = TypeVar("_T")
PLACES = ("home", "work", "")
_ZONE = ZoneInfo("UTC")
_STATE: Mapping[str, tuple[JsonValue, ...]] = {
    "battery.plugged": (True, False),
    "power_saving.enabled": (False, False, True),
    "network.kind": ("wifi", "mobile", "mobile", "none"),
    "dnd.mode": ("off", "off", "off", "priority"),
    "ringer.mode": ("normal", "normal", "vibrate", "silent"),
    "media.playing": (False, False, True),
    "bluetooth.enabled": (True, False),
    "dark_mode.enabled": (True, False),
    "screen.on": (True,),
    "screen.locked": (False, True),
    "call.state": ("idle",),
}
"""Device facts and their values; each is left out at random, like a fact that could not be read."""
_QUIET_TRIGGERS = (
    Trigger(kind=TriggerKind.CLOCK),
    Trigger(kind=TriggerKind.SCREEN, data={"state": "unlocked"}),
    Trigger(kind=TriggerKind.SCREEN_TIME),
)


class MomentWriter:
    """Writes contexts in one language from one random generator."""

    def __init__(self, grammar: ScenarioGrammar, chance: Random) -> None:
        self._grammar, self._chance = grammar, chance

    def write(self, signal: Parts, background: Parts, now: datetime, fill: Callable[[str], str]) -> Context:
        """``signal`` among ``background``; the latest steps and texts are the signal's."""
        steps = self._mixed(background.steps, signal.steps)
        texts = self._mixed(background.texts, signal.texts)
        notes = [*background.profile, *signal.profile]
        dates = [*background.calendar, *signal.calendar]
        self._chance.shuffle(notes)
        self._chance.shuffle(dates)
        device: list[tuple[str, JsonValue]] = [
            *self._state(),
            *self._texts(texts, now, fill),
            ("calendar", [fill(date) for date in dates]),
        ]
        return Context(
            serial="generated",
            now=now,
            trigger=self._trigger(signal, now, fill),
            profile=_section([(f"profile.person.{n}", fill(note)) for n, note in enumerate(notes)], now, Trust.OWNER),
            device=_section(device, now),
            world=_section([("time.workday", now.weekday() < 5)], now),
            trajectory=_section([("log.recent", list(self._log(steps, now, fill)))], now),
        )

    def _mixed(self, noise: tuple[_T, ...], signal: tuple[_T, ...]) -> list[_T]:
        """The signal in its order, with some noise before, little between and at times something after it."""
        before = list(noise)
        late = [before.pop() for _ in range(self._chance.choice((0, 0, 1, 2))) if before]
        return [*before, *signal, *late] if self._chance.random() < 0.5 else [*before, *late, *signal]

    def _trigger(self, signal: Parts, now: datetime, fill: Callable[[str], str]) -> Trigger:
        if not signal.texts or self._chance.random() < 0.5:
            return self._chance.choice(_QUIET_TRIGGERS)
        app, text = signal.texts[-1]
        if app == "sms":
            data: dict[str, JsonValue] = {"number": f"1{self._chance.randrange(10**9):09}", "text": fill(text)}
            return Trigger(kind=TriggerKind.SMS_RECEIVED, data=data, trust=Trust.THIRD_PARTY)
        return Trigger(
            kind=TriggerKind.NOTIFICATION, data={"app": fill(app), "text": fill(text)}, trust=Trust.THIRD_PARTY
        )

    def _state(self) -> Iterator[tuple[str, JsonValue]]:
        yield "battery.level", self._chance.randint(5, 100)
        for name, values in _STATE.items():
            if self._chance.random() < 0.8:
                yield name, self._chance.choice(values)

    def _texts(
        self, texts: list[tuple[str, str]], now: datetime, fill: Callable[[str], str]
    ) -> Iterator[tuple[str, JsonValue]]:
        notifications: list[JsonValue] = []
        messages: list[JsonValue] = []
        for age, (app, text) in enumerate(reversed(texts)):
            time = (now - timedelta(minutes=2 + 9 * age)).isoformat()
            if app == "sms":
                number = f"1{self._chance.randrange(10**9):09}"
                messages.append({"number": number, "contact": None, "text": fill(text), "time": time})
            else:
                notifications.append({"app": fill(app), "title": None, "text": fill(text), "time": time})
        yield "notifications", notifications
        yield "sms.unread", messages

    def _log(self, steps: list[str], now: datetime, fill: Callable[[str], str]) -> Iterator[dict[str, JsonValue]]:
        place = self._chance.choice(PLACES)
        for age, step in zip(range(len(steps), 0, -1), steps, strict=True):
            time = now - timedelta(seconds=70 * age - self._chance.randrange(60))
            yield {"time": time.isoformat(), "location": place, "action": fill(step)}


def _section(facts: list[tuple[str, JsonValue]], now: datetime, trust: Trust = Trust.DEVICE) -> Section:
    return Section(
        facts=tuple(
            Fact.model_validate({"name": name, "value": value, "source": "generator", "read_at": now, "trust": trust})
            for name, value in facts
            if value not in ([], "")
        )
    )


def any_time(chance: Random) -> datetime:
    """A moment of some day of some year."""
    day = datetime(2024, 1, 1, tzinfo=_ZONE) + timedelta(days=chance.randrange(1000))
    return day + timedelta(minutes=chance.randrange(6 * 60, 24 * 60))
