"""Rules that a record written by a model must meet, whatever the reviewing model says."""

import re
from collections.abc import Iterator
from datetime import datetime

from function_pool.call import FunctionCall
from function_pool.spec import Meaning, Pool
from function_pool.validation import validate
from heed.errors import UsageError
from heed.language import HAN, Language
from training.generator.records import Record
from training.generator.report import DuplicateFilter, text_of

FEWEST_STEPS, MOST_STEPS = 2, 20
MOST_CHARACTERS = 6_000
MOST_CALLS = 3
"""The paper leaves longer sequences out of its training."""
_CHINESE = re.compile(rf"[{HAN}]")
_READ_OFF = frozenset({Meaning.PHONE_NUMBER, Meaning.EMAIL, Meaning.URL, Meaning.AMOUNT, Meaning.SECRET})
"""Meanings whose values must occur in the moment: they cannot be guessed."""
_MARKS = re.compile(r"[^\w@]+")


class Review:
    """Checks records one after another; near-duplicates do not pass."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._seen = DuplicateFilter()

    def fault(self, record: Record, language: Language, now: datetime) -> str:
        """What is wrong with a record, in one sentence; empty when it may be kept."""
        return next(self._faults(record, language, now), "")

    def _faults(self, record: Record, language: Language, now: datetime) -> Iterator[str]:
        yield from self._of_text(record, language)
        yield from self._of_calls(record, now)
        if self._seen.is_duplicate(text_of(record)):
            yield "It is nearly the same as an earlier record."

    def _of_text(self, record: Record, language: Language) -> Iterator[str]:
        said = record["reference_information"]
        text, steps = text_of(record), said["trace"]
        if not FEWEST_STEPS <= len(steps) <= MOST_STEPS or not all(step.strip() for step in steps):
            yield f"The trace must have {FEWEST_STEPS} to {MOST_STEPS} steps, none of them empty."
        if not said["profile"].strip() or len(text) > MOST_CHARACTERS:
            yield f"The profile must say something, and everything together at most {MOST_CHARACTERS} characters."
        if any(bool(_CHINESE.search(step)) is not (language is Language.ZH) for step in (said["profile"], *steps)):
            yield f"The profile and each step must be in the language {language.value}."
        if named := next((spec.name for spec in self._pool if spec.name in text), ""):
            yield f"The moment must not name the function {named}."

    def _of_calls(self, record: Record, now: datetime) -> Iterator[str]:
        text = _plain(text_of(record))
        for answer in record["recommendation"]:
            if len(answer["function"]) > MOST_CALLS:
                yield f"There must be at most {MOST_CALLS} calls."
            for call in answer["function"]:
                yield from self._of_call(FunctionCall.model_validate(call), text, now)

    def _of_call(self, call: FunctionCall, text: str, now: datetime) -> Iterator[str]:
        try:
            validate(self._pool, call, now)
        except UsageError as error:
            yield f"The call is not valid: {error.message}"
            return
        parameters = self._pool.get(call.name).parameters
        for name, value in call.parameters.items():
            if parameters[name].meaning in _READ_OFF and value and _plain(str(value)) not in text:
                yield f"{name} is not to be found in the moment."


def _plain(text: str) -> str:
    return _MARKS.sub("", text.casefold())
