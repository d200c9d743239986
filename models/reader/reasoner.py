"""Recommends what an incoming text calls for: the network chooses functions, the value readers fill the arguments."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from collectors.context import Context
from function_pool.call import Basis, FunctionCall
from function_pool.spec import Pool
from heed.language import Language
from heed.trust import Trust
from models.reader.description import describe
from models.reader.moment import incoming_text, moment_of, person_of
from models.reader.reading import Reader, TextReading
from models.reasoner import Evidence, EvidenceKind, Recommendation, Why, silence
from models.routines.wording import text_reason, text_sentence
from models.values.fill import fill
from models.values.incoming import IncomingText

NAME = "reader"
_TEXT = "trigger.text"
_LEAST_SHARE = 0.5
"""A function is tried if its share is at least this part of the likeliest one's."""
_MARGIN = 1.5
"""Log-odds below the threshold from which on situations that match words may still speak."""


class TextRead(NamedTuple):
    """What the reader finds in the text of a trigger."""

    text: IncomingText
    reading: TextReading
    calls: tuple[FunctionCall, ...]
    """The call of the likeliest function that can be filled; empty where none can."""
    score: float
    """Log-odds that the text calls for that function (for anything, where there is no call)."""


class TextReasoner:
    """Decides on messages, mails and notifications.

    Args:
        reader: the network.
        threshold: log-odds at which the confidence is one half.
        language: of the sentences shown to the owner.
    """

    def __init__(self, reader: Reader, threshold: float, language: Language = Language.EN) -> None:
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
        found = next(self._calls(reading, text, context, pool, candidates), None)
        if found is None:
            return TextRead(text, reading, (), reading.need)
        call, share = found
        return TextRead(text, reading, (call,), reading.need + math.log(share))

    def recommendation(self, read: TextRead) -> Recommendation:
        """The recommendation of what was read; silence without a call, and far below the threshold."""
        if not read.calls or not self.opens(read):
            return silence(NAME, "the text calls for nothing that can be filled from it")
        (call,) = read.calls
        words = tuple(dict.fromkeys(read.reading.spans_of(call.name, tuple(call.parameters)).values()))
        return Recommendation(
            rec=text_sentence(read.text.sender, call, self._language),
            calls=read.calls,
            why=Why(
                text=text_reason(words, self._language),
                evidence=(Evidence(kind=EvidenceKind.FACT, ref=_TEXT, text=read.text.text),),
            ),
            confidence=self._confidence(read),
            reasoner=NAME,
            topic=f"text:{call.name}",
        )

    def opens(self, read: TextRead) -> bool:
        """Whether the gate lets the text pass, to situations that match words too: not far below the threshold."""
        return read.score >= self._threshold - _MARGIN

    def _confidence(self, read: TextRead) -> float:
        """The probability of a need, one half at the threshold."""
        return 1 / (1 + math.exp(-max(-50.0, min(50.0, read.score - self._threshold))))

    def _calls(
        self, reading: TextReading, text: IncomingText, context: Context, pool: Pool, candidates: Sequence[str]
    ) -> Iterator[tuple[FunctionCall, float]]:
        """The calls that can be filled, with the shares of their functions, likeliest first."""
        least = _LEAST_SHARE * max((share for _, share in reading.functions), default=0.0)
        for name, share in reading.functions:
            if name not in candidates or share < least:
                continue
            spec = pool.get(name)
            spans = reading.spans_of(name, tuple(spec.parameters))
            values = fill(spec, spans, text, context.now, person_of(context))
            if values is not None:
                basis = (Basis(fact=_TEXT, trust=Trust.THIRD_PARTY),)
                yield (
                    FunctionCall(name=name, parameters=values, basis=dict.fromkeys(values, basis), choice=basis),
                    share,
                )
