"""The policy's verdict: act, ask or stay silent, and the rule that decided."""

from enum import StrEnum

from pydantic import Field

from heed.messages import Value
from heed.model import Frozen


class Decision(StrEnum):
    """The policy's result for one recommendation."""

    ACT = "act"
    """Carry it out: a grant covers it."""
    ASK = "ask"
    SILENT = "silent"


class Rule(StrEnum):
    """The rule that decided. The values are stored in the journal and are the keys of the wording."""

    PAUSED = "paused"
    QUIET_HOURS = "quiet_hours"
    IN_CALL = "in_call"
    DRIVING = "driving"
    TYPING = "typing"
    WATCHING = "watching"
    PLAYING = "playing"
    RATE_LIMIT_DAY = "rate_limit_day"
    RATE_LIMIT_HOUR = "rate_limit_hour"
    OUTDATED = "outdated"
    NO_RECOMMENDATION = "no_recommendation"
    REASONER_FAILED = "reasoner_failed"
    COOL_DOWN = "cool_down"
    NEVER = "never"
    UNANSWERED = "unanswered"
    LOW_CONFIDENCE = "low_confidence"
    OFTEN_DECLINED = "often_declined"
    SECOND_OPINION = "second_opinion"
    JUST_DONE = "just_done"
    INVALID_CALL = "invalid_call"
    OUT_OF_REACH = "out_of_reach"
    NOT_POSSIBLE = "not_possible"
    ALREADY_SO = "already_so"
    GRANTED = "granted"
    ASK_FIRST = "ask_first"
    BY_HAND = "by_hand"
    """The owner typed the call."""
    BY_ASSISTANT = "by_assistant"
    """An assistant asked for the call over MCP."""


FAULTS = frozenset({Rule.REASONER_FAILED, Rule.INVALID_CALL})
"""Rules of silences because something does not work."""


class Verdict(Frozen):
    """The decision, the rule that made it, and the values that its wording is filled with."""

    decision: Decision
    rule: Rule
    detail: dict[str, Value] = Field(default_factory=dict)


def silent(rule: Rule, **detail: Value) -> Verdict:
    """The verdict of silence by ``rule``."""
    return Verdict(decision=Decision.SILENT, rule=rule, detail=detail)
