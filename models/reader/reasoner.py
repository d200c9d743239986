"""Recommends what an incoming text calls for: the network chooses the functions, the value readers fill the arguments."""

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
_LEAST_SHARE = 0.05
"""A function with a smaller share of the scores is not tried."""
_SHARPNESS = 1.0
"""How steeply the confidence grows with the log-odds above the threshold."""


class _Proposal(NamedTuple):
    call: FunctionCall
    share: float


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
        text = incoming_text(context)
        if text is None:
            return silence(NAME, "no text has arrived")
        reading = self._reader.read(describe(text, moment_of(context)))
        confidence = self.confidence(reading)
        best = next(self._proposals(reading, text, context, pool, candidates), None)
        if best is None:
            return silence(NAME, "no call can be filled from the text")
        words = tuple(dict.fromkeys(reading.spans_of(best.call.name, tuple(best.call.parameters)).values()))
        return Recommendation(
            rec=text_sentence(text.sender, best.call, self._language),
            calls=(best.call,),
            why=Why(
                text=text_reason(words, self._language),
                evidence=(Evidence(kind=EvidenceKind.FACT, ref=_TEXT, text=text.text),),
            ),
            confidence=confidence,
            reasoner=NAME,
            topic=f"text:{best.call.name}",
        )

    def confidence(self, reading: TextReading) -> float:
        """The reading's probability of a need, one half at the threshold."""
        above = _SHARPNESS * (reading.need - self._threshold)
        return 1 / (1 + math.exp(-max(-50.0, min(50.0, above))))

    def _proposals(
        self, reading: TextReading, text: IncomingText, context: Context, pool: Pool, candidates: Sequence[str]
    ) -> Iterator[_Proposal]:
        """The calls that can be filled, in the order of their functions."""
        for name, share in reading.functions:
            if name not in candidates or share < _LEAST_SHARE:
                continue
            spec = pool.get(name)
            spans = reading.spans_of(name, tuple(spec.parameters))
            values = fill(spec, spans, text, context.now, person_of(context))
            if values is not None:
                basis = (Basis(fact=_TEXT, trust=Trust.THIRD_PARTY),)
                call = FunctionCall(
                    name=name, parameters=values, basis=dict.fromkeys(values, basis), choice=basis
                )
                yield _Proposal(call, share)
