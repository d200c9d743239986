"""Writes records from the grammar: for each need a look-alike in which silence is right."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any

from pydantic import JsonValue

from collectors.wording import render
from function_pool.call import FunctionCall
from function_pool.spec import Pool
from function_pool.validation import validate
from heed.errors import Bug, HeedError
from heed.language import Language
from training.generator.grammar import Moments, Parts, ScenarioGrammar, call_templates, grammar, parts_of
from training.generator.moments import MomentWriter, any_time

NO_RECOMMENDATION = "No Recommendation"
LOOSE = 0.4
"""Share of moments that are made of loose words."""
LEAST_NOISE, MOST_NOISE = 5.0, 20.0
"""Characters of a record per character of its signal."""
_SLOT = re.compile(r"\{(\w+)\}")
_TRIES = 100
Record = dict[str, Any]


def records(count: int, seed: int, pool: Pool) -> Iterator[Record]:
    """``count`` records, positives and look-alikes in turn, over all functions of the grammar in ``pool``."""
    chance = Random(seed)  # noqa: S311 - reproducible, not secret
    names = [spec.name for spec in pool if spec.name in call_templates()]
    for number in range(count):
        if number % 2 == 0:
            writer = RecordWriter(Language.EN if chance.random() < 0.5 else Language.ZH, chance, pool)
        yield writer.record(names[number // 2 % len(names)], number % 2 == 0, f"{seed}-{number}")


class RecordWriter:
    """Writes and checks the records of one language."""

    def __init__(self, language: Language, chance: Random, pool: Pool) -> None:
        self._language, self._chance, self._pool = language, chance, pool
        self._grammar: ScenarioGrammar = grammar(language)

    def record(self, function: str, needed: bool, name: str) -> Record:
        """A record about ``function`` that passes the review."""
        for _ in range(_TRIES):
            record = self._written(function, needed, name)
            if record is not None:
                return record
        raise Bug(f"the grammar has no valid record of {function}")

    def _written(self, function: str, needed: bool, name: str) -> Record | None:
        now = any_time(self._chance)
        values = self._values()
        values |= {"iso_today": now.date().isoformat(), "iso_date": (now + timedelta(days=2)).date().isoformat()}
        moments = self._grammar.functions[function]
        kind, signal, template = self._signal(moments, needed)
        values["rec"] = _filled(moments.rec, values)
        fresh = self._values()
        own, background = signal.all(), self._background(function, len(signal))
        context = MomentWriter(self._grammar, self._chance).write(
            signal, background, now, lambda text: _filled(text, values if text in own else fresh)
        )
        said = render(context, self._language)
        text = said.model_dump(exclude={"habits", "log"})
        answer = [self._answer(function, values)] if needed else [{"instruction": NO_RECOMMENDATION, "function": []}]
        record = {
            "benchmark_metadata": {
                "id": name,
                "difficulty_level": 1 + (len(signal) > 80) + (len(signal) > 140),
                "scenario": self._pool.get(function).scenario,
                "language": self._language.value,
                "template": f"{function}/{kind}/{template}",
            },
            "reference_information": {**text, "trace": list(said.trace)},
            "recommendation": answer,
        }
        return record if self._passes(record, len(background) / len(signal), now) else None

    def _signal(self, moments: Moments, needed: bool) -> tuple[str, Parts, int]:
        at = self._chance.randrange(len(moments.need))
        need = parts_of([moments.need[at]])
        if self._chance.random() < LOOSE:
            at, need = -1, parts_of([self._framed(moments, self._grammar.loose)])
        if needed:
            return "need", need, at
        kind = self._chance.choice(("calm", "calm", "done", "done", "dismissed"))
        if kind == "calm":
            if self._chance.random() < LOOSE:
                return kind, parts_of([self._framed(moments, self._grammar.idle)]), -1
            at = self._chance.randrange(len(moments.calm))
            return kind, parts_of([moments.calm[at]]), at
        end = moments.done if kind == "done" else self._chance.choice(self._grammar.dismissed)
        return kind, need.model_copy(update={"steps": (*need.steps, *end.split(" / "))}), at

    def _framed(self, moments: Moments, frames: Sequence[str]) -> str:
        """A moment that only names what the function is about."""
        one, two = self._chance.sample(moments.words, 2)
        return _filled(self._chance.choice(frames), {"one": one, "two": two})

    def _background(self, function: str, signal: int) -> Parts:
        """Noise of any phone, and calm moments of other functions, many times the signal."""
        wanted = signal * self._chance.uniform(LEAST_NOISE, MOST_NOISE / 2)
        background = self._little(function)
        while len(background) < wanted:
            more = self._little(function)
            together = {
                name: dict.fromkeys((*getattr(background, name), *getattr(more, name))) for name in Parts.model_fields
            }
            background = Parts(**{name: tuple(parts) for name, parts in together.items()})
        return background

    def _little(self, function: str) -> Parts:
        noise, pick = self._grammar.noise, self._chance
        others = [name for name in self._grammar.functions if name != function]
        calm = parts_of([self._grammar.functions[name].calm[0] for name in pick.sample(others, pick.randint(0, 2))])
        idle = parts_of([self._framed(self._grammar.functions[pick.choice(others)], self._grammar.idle)])
        texts = (*calm.texts, *idle.texts, *parts_of(pick.sample(noise.apps, pick.randint(1, 2))).texts)
        done = self._grammar.functions[pick.choice(others)].done.split(" / ") if pick.random() < 0.3 else ()
        return Parts(
            profile=(*calm.profile, *idle.profile, pick.choice(noise.profile)),
            calendar=(*calm.calendar, *idle.calendar, *pick.sample(noise.calendar, pick.randint(0, 1))),
            texts=tuple(pick.sample(texts, len(texts))),
            steps=(*calm.steps, *idle.steps, *done, *pick.sample(noise.steps, pick.randint(1, 3))),
        )

    def _values(self) -> dict[str, str]:
        pick = self._chance
        words = {name: pick.choice(options) for name, options in self._grammar.slots.items()}
        day = pick.randint(1, 28)
        words |= {
            "clock": f"{pick.randrange(24):02}:{pick.choice(('00', '15', '20', '30', '40', '45'))}",
            "date": f"{day}/{pick.randint(1, 12)}"
            if self._language is Language.EN
            else f"{pick.randint(1, 12)}月{day}日",
            "weekday": pick.choice(("Tuesday", "Saturday") if self._language is Language.EN else ("周二", "周六")),
            "n": str(pick.randint(2, 40)),
            "amount": f"{pick.randint(5, 900)}.{pick.randrange(10)}0" + ("" if self._language is Language.EN else "元"),
            "phone": f"1{pick.randrange(3 * 10**9, 10**10)}",
            "email": f"{pick.choice(('info', 'office', 'anna'))}@{pick.choice(('corp', 'studio', 'mail'))}.example",
            "tracking": f"{pick.choice(('SF', '1Z', 'YT', 'JD'))}{pick.randrange(10**11, 10**12)}",
        }
        return {**words, "seconds": str(60 * int(words["n"]))}

    def _answer(self, function: str, values: Mapping[str, str]) -> dict[str, Any]:
        parameters = {name: _in(value, values) for name, value in call_templates()[function].items()}
        return {"instruction": values["rec"], "function": [{"name": function, "parameters": parameters}]}

    def _passes(self, record: Record, noise: float, now: datetime) -> bool:
        """The review: calls are valid, the noise is in bounds, no slot is left open."""
        text = json.dumps(record["reference_information"], ensure_ascii=False)
        if _SLOT.search(text) or not LEAST_NOISE <= noise <= MOST_NOISE:
            return False
        try:
            for answer in record["recommendation"]:
                for call in answer["function"]:
                    validate(self._pool, FunctionCall(name=call["name"], parameters=call["parameters"]), now)
        except HeedError:
            return False
        return True


def _filled(text: str, values: Mapping[str, str]) -> str:
    return _SLOT.sub(lambda slot: values.get(slot[1], slot[0]), text)


def _in(value: JsonValue, values: Mapping[str, str]) -> JsonValue:
    if isinstance(value, list):
        return [_in(item, values) for item in value]
    if not isinstance(value, str):
        return value
    filled = _filled(value, values)
    return int(filled) if value == "{seconds}" else filled
