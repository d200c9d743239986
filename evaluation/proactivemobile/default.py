"""heed's decision on a record without a language model.

A record has words, and neither facts nor a log to learn from, so the perceptor decides, at the threshold of its card:
about every second record needs something. The daemon does not let it: among a phone's moments a need is rare, so that
most of what it offered would be false triggers. An argument that cannot be read stays out, even where it is required:
nothing is invented.
"""

import re
import time
from collections.abc import Iterator
from pathlib import Path

from pydantic import JsonValue

from collectors.context import RenderedContext
from evaluation.proactivemobile.cases import ProactiveCase
from evaluation.proactivemobile.metrics import ProactivePrediction
from evaluation.proactivemobile.run import context_of
from function_pool.call import FunctionCall
from function_pool.spec import FunctionSpec, Meaning, ParameterSpec, Pool
from models.perceptor import Perceptor
from models.routines.reasoner import RoutinesReasoner
from models.routines.rules.situations import builtin_situations

_READ = {
    Meaning.CLOCK_TIME: re.compile(r"\b\d{1,2}:\d\d\b"),
    Meaning.PHONE_NUMBER: re.compile(r"\+?\d[\d \-]{6,16}\d"),
    Meaning.EMAIL: re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]++(?:\.[\w-]++)++", re.ASCII),
    Meaning.AMOUNT: re.compile(r"[$€£¥]\s?\d+(?:\.\d+)?|(?<!\d)\d++(?:\.\d++)?\s?(?:元|块|EUR|USD|dollars|euros)"),
    Meaning.FILE: re.compile(r"(?<![\w-])[\w-]++\.(?:pdf|docx?|xlsx?|pptx?|jpe?g|png|mp4)\b"),
}
"""How values of a meaning look; the latest one in the trace, then in the phone's state, is taken."""
_FILE_NAME = re.compile("file|document|attachment")


class DefaultReasoner:
    """Decides on records: every situation on, no habit learnt, and where those have nothing to say the perceptor."""

    def __init__(self, perceptor: Perceptor) -> None:
        self._perceptor = perceptor
        self._reasoner = RoutinesReasoner((), builtin_situations())

    async def predict(self, case: ProactiveCase, pool: Pool) -> ProactivePrediction:
        """What situations propose, or else the perceptor's likeliest function if its gate opens, or silence."""
        start = time.perf_counter()
        seen = self._perceptor.perceive(case.said, pool)
        context = context_of(case.model_copy(update={"pictures": ()}), Path())
        calls = self._reasoner.decide(context, pool, [spec.name for spec in pool]).calls
        if not calls and seen.opens:
            calls = (_call(pool.get(seen.candidates[0][0]), case.said),)
        return ProactivePrediction(
            id=case.id,
            calls=calls,
            candidates=tuple(name for name, _ in seen.candidates),
            p_act=seen.p_act,
            milliseconds=1000 * (time.perf_counter() - start),
        )


def _call(spec: FunctionSpec, said: RenderedContext) -> FunctionCall:
    read = {name: _value(name, parameter, said) for name, parameter in spec.parameters.items()}
    return FunctionCall(name=spec.name, parameters={name: value for name, value in read.items() if value is not None})


def _value(name: str, parameter: ParameterSpec, said: RenderedContext) -> JsonValue:
    if not parameter.required:
        return None
    if parameter.choices:
        return next(
            (choice for text in _latest_first(said) for choice in parameter.choices if _named(choice, text)), None
        )
    if parameter.type == "bool":
        return name == "enabled" or None
    meaning = Meaning.FILE if _FILE_NAME.search(name) else parameter.meaning
    pattern = _READ.get(meaning)
    if pattern is None:
        return None
    found = next((matches[-1] for text in _latest_first(said) if (matches := pattern.findall(text))), None)
    return [found] if found is not None and parameter.type == "list" else found


def _named(choice: JsonValue, text: str) -> bool:
    return bool(re.search(rf"\b{re.escape(str(choice).replace('_', ' '))}\b", text, re.IGNORECASE))


def _latest_first(said: RenderedContext) -> Iterator[str]:
    yield from reversed(said.trace)
    yield said.phone
    yield said.profile
