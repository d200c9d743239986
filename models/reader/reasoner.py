"""Recommends what an incoming text calls for: the network chooses functions, the value readers fill the arguments."""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from pydantic import JsonValue

from collectors.context import Context
from function_pool.call import Basis, FunctionCall
from function_pool.secrets import conceal
from function_pool.spec import Pool
from function_pool.validation import with_secrets
from heed.language import Language
from heed.trust import Trust
from models.reader.description import describe
from models.reader.moment import incoming_text, moment_of, person_of
from models.reader.reading import TextReader, TextReading
from models.reasoner import Evidence, EvidenceKind, Recommendation, Why, silence
from models.routines.wording import text_reason, text_sentence
from models.values.fill import fill
from models.values.incoming import IncomingText
from models.values.person import Person

NAME = "reader"
_TEXT = "trigger.text"
_LEAST_SHARE = 0.5
"""A function is tried if its share is at least this part of the likeliest one's."""
_MARGIN = 1.5
"""Log-odds below the threshold down to which a recommendation is made at all, with its low confidence."""


class TextRead(NamedTuple):
    """What the reader finds in the text of a trigger."""

    text: IncomingText
    reading: TextReading
    calls: tuple[FunctionCall, ...]
    """The call of the likeliest function that can be filled; empty where none can."""
    score: float
    """Log-odds that the text calls for that function (for anything, where there is no call)."""


class BestCall(NamedTuple):
    """The call that a text most probably needs."""

    function: str
    """Empty where none of the likely functions can be filled."""
    values: Mapping[str, JsonValue]
    score: float
    """Log-odds that the text calls for that function (for anything, where there is no call)."""


def best_call(
    reading: TextReading, text: IncomingText, now: datetime, person: Person, pool: Pool, candidates: Sequence[str]
) -> BestCall:
    """The likeliest function whose required arguments can be read, with its arguments."""
    least = _LEAST_SHARE * max((share for _, share in reading.functions), default=0.0)
    for name, share in reading.functions:
        if name in candidates and share >= least:
            spec = pool.get(name)
            values = fill(spec, reading.spans_of(name, tuple(spec.parameters)), text, now, person)
            if values is not None:
                return BestCall(name, values, reading.need + math.log(share))
    return BestCall("", {}, reading.need)


class TextReasoner:
    """Decides on messages, mails and notifications.

    Args:
        reader: the network.
        threshold: log-odds at which the confidence is one half.
        language: of the sentences shown to the owner.
    """

    def __init__(self, reader: TextReader, threshold: float, language: Language = Language.EN) -> None:
        self._reader, self._threshold, self._language = reader, threshold, language

    @property
    def name(self) -> str:
        return NAME

    async def recommend(
        self, context: Context, pool: Pool, candidates: Sequence[str], *, timeout: float
    ) -> Recommendation:
        """What the trigger's text calls for, or silence; ``timeout`` is unused."""
        return self.decide(context, pool, candidates)

    async def close(self) -> None:
        """Does nothing: there is nothing to release."""

    def decide(self, context: Context, pool: Pool, candidates: Sequence[str]) -> Recommendation:
        """The same as ``recommend``, synchronously."""
        read = self.read(context, pool, candidates)
        return silence(NAME, "no text has arrived") if read is None else self.recommendation(read)

    def read(self, context: Context, pool: Pool, candidates: Sequence[str]) -> TextRead | None:
        """What the trigger's text calls for; None for a trigger without a text."""
        text = incoming_text(context)
        if text is None:
            return None
        reading = self._reader.read(describe(text, moment_of(context)))
        function, values, score = best_call(reading, text, context.now, person_of(context), pool, candidates)
        if not function:
            return TextRead(text, reading, (), score)
        basis = (Basis(fact=_TEXT, trust=Trust.THIRD_PARTY),)
        call = FunctionCall(name=function, parameters=values, basis=dict.fromkeys(values, basis), choice=basis)
        return TextRead(text, reading, (with_secrets(pool, call),), score)

    def recommendation(self, read: TextRead) -> Recommendation:
        """The recommendation of what was read; silence without a call, and far below the threshold."""
        if not read.calls or not self.opens(read):
            return silence(NAME, "the text calls for nothing that can be filled from it")
        (call,) = read.calls
        return Recommendation(
            rec=text_sentence(read.text.sender, call, self._language),
            calls=read.calls,
            why=self._why(read, call),
            confidence=self._confidence(read),
            reasoner=NAME,
            topic=f"text:{call.name}",
        )

    def _why(self, read: TextRead, call: FunctionCall) -> Why:
        """The words that the call rests on, but for secret ones."""
        stated = tuple(name for name in call.parameters if name not in call.secret)
        words = dict.fromkeys(read.reading.spans_of(call.name, stated).values())
        text, evidence = conceal((text_reason(tuple(words), self._language), read.text.text), call.secrets)
        return Why(text=text, evidence=(Evidence(kind=EvidenceKind.FACT, ref=_TEXT, text=evidence),))

    def opens(self, read: TextRead) -> bool:
        """Whether the gate lets the text pass: not far below the threshold."""
        return read.score >= self._threshold - _MARGIN

    def _confidence(self, read: TextRead) -> float:
        """The probability of a need, one half at the threshold."""
        return 1 / (1 + math.exp(-max(-50.0, min(50.0, read.score - self._threshold))))
