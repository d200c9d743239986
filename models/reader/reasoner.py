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
from models.reader.description import describe, is_phone_number, said
from models.reader.machine_texts import addresses_machine
from models.reader.moment import incoming_text, moment_of, person_of
from models.reader.reading import TextReader, TextReading
from models.reasoner import Evidence, EvidenceKind, Recommendation, Why, silence
from models.routines.wording import text_reason, text_sentence
from models.values.fill import fill
from models.values.incoming import IncomingText
from models.values.person import Person

NAME = "reader"
_TEXT = "trigger.text"
_PAYING = frozenset({"transfer_money", "pay_bill"})
"""Functions that no text of a stranger leads to: a fraud writes like a relative or a shop. Companies write from short
numbers or under a name."""
_TRUSTING = _PAYING | {"save_contact"}
"""Those that no text of a stranger leads to that names a sum: somebody who wants money from a new number."""
SHARE_WEIGHT = 2.0
"""Of the logarithm of the function's share in a call's score. Where it is in doubt what a text calls for, it mostly
calls for nothing: counted once, as a probability would, the doubt counts too little (``training.reader.share_weight``).
"""
_LEAST_SHARE = 0.5
"""A function is tried if its share is at least this part of the likeliest one's."""
_MARGIN = 1.5
"""Log-odds below the threshold down to which a recommendation is made at all, with its low confidence."""


class BestCall(NamedTuple):
    """The call that a text most probably needs."""

    function: str
    """Empty where none of the likely functions can be filled."""
    values: Mapping[str, JsonValue]
    need: float
    """Log-odds that the text calls for something."""
    share: float = 1.0
    """Of the function."""

    @property
    def score(self) -> float:
        """The log-odds of a need, lowered by the doubt about the function."""
        return self.need + SHARE_WEIGHT * math.log(self.share)


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
                return BestCall(name, values, reading.need, share)
    return BestCall("", {}, reading.need)


def served(text: IncomingText, reading: TextReading, candidates: Sequence[str]) -> Sequence[str]:
    """The functions that a text may lead to: not all where a phone number wrote that is not in the contacts."""
    if text.known is not False or not is_phone_number(text.sender):
        return candidates
    refused = _TRUSTING if "amount" in reading.spans else _PAYING
    return [name for name in candidates if name not in refused]


class TextReasoner:
    """Decides on messages, mails and notifications.

    Args:
        reader: the network.
        threshold: log-odds at which the confidence is one half.
        language: of the sentences shown to the owner.
    """

    def __init__(self, reader: TextReader, threshold: float, language: Language = Language.EN) -> None:
        self._reader, self._threshold, self._language = reader, threshold, language

    def likely(self, context: Context) -> tuple[str, ...] | None:
        """The functions that the trigger's text may call for, likeliest first; None for a trigger without a text.

        None of them where the text is far below the threshold.
        """
        text = incoming_text(context)
        if text is None:
            return None
        if addresses_machine(said(text)):
            return ()
        reading = self._reader.read(describe(text, moment_of(context)))
        opens = reading.need >= self._threshold - _MARGIN
        return tuple(name for name, _ in reading.functions) if opens else ()

    def decide(self, context: Context, pool: Pool, candidates: Sequence[str]) -> Recommendation:
        """What the trigger's text calls for; silence without a text, without a call, and far below the threshold."""
        text = incoming_text(context)
        if text is None:
            return silence(NAME, "no text has arrived")
        if addresses_machine(said(text)):
            return silence(NAME, "the text gives orders to an assistant, not to its owner")
        reading = self._reader.read(describe(text, moment_of(context)))
        best = best_call(reading, text, context.now, person_of(context), pool, served(text, reading, candidates))
        if not best.function or best.score < self._threshold - _MARGIN:
            return silence(NAME, "the text calls for nothing that can be filled from it")
        basis = (Basis(fact=_TEXT, trust=Trust.THIRD_PARTY),)
        read = FunctionCall(
            name=best.function, parameters=best.values, basis=dict.fromkeys(best.values, basis), choice=basis
        )
        call = with_secrets(pool, read)
        return Recommendation(
            rec=text_sentence(text.sender, call, self._language),
            calls=(call,),
            why=self._why(text, reading, call),
            confidence=self._confidence(best.score),
            reasoner=NAME,
            topic=f"text:{call.name}",
        )

    def _why(self, incoming: IncomingText, reading: TextReading, call: FunctionCall) -> Why:
        """The words that the call rests on, but for secret ones."""
        stated = tuple(name for name in call.parameters if name not in call.secret)
        words = dict.fromkeys(reading.spans_of(call.name, stated).values())
        text, evidence = conceal((text_reason(tuple(words), self._language), incoming.text), call.secrets)
        return Why(text=text, evidence=(Evidence(kind=EvidenceKind.FACT, ref=_TEXT, text=evidence),))

    def _confidence(self, score: float) -> float:
        """The probability of a need, one half at the threshold."""
        return 1 / (1 + math.exp(-max(-50.0, min(50.0, score - self._threshold))))
