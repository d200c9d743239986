"""A ``Plan``: calls after validation and preparation; and the ``Outcome`` of carrying one out."""

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from pydantic import Field, JsonValue

from function_pool.assessment import RiskReason
from function_pool.call import FunctionCall
from function_pool.risk import Risk
from heed.messages import Text
from heed.model import Frozen


class Effect(Frozen):
    """One thing that will be different on the phone; worded from the room's table, in two languages."""

    kind: str
    """Key of the wording table, e.g. ``power_saving``."""
    detail: Mapping[str, JsonValue] = Field(default_factory=dict)
    """Values the wording is filled with. Never recorded old values: the consent hash covers effects."""


class Preparation(Frozen):
    """What an executor found out about a call, and how it will carry it out."""

    commands: tuple[str, ...] = ()
    """The exact remote shell lines, quoted. A shell variable (``$raw_contact``) stands for a number that only the
    phone can give while the step runs."""
    requests: tuple[str, ...] = ()
    """What other machines are asked, if any: method, address and body, one line each; never a secret."""
    effects: tuple[Effect, ...]
    undo: tuple[Effect, ...] = ()
    """What undo will bring about; empty when the step cannot be undone (or changes nothing)."""
    before: Mapping[str, JsonValue] = Field(default_factory=dict)
    """Recorded old values: what undo restores, and what verification compares with."""
    already: bool = False
    """True when the phone is already as the call wants it: nothing will run."""
    hands_over: bool = False
    """True when the step stops at an app's own screen, where the person finishes it."""
    expires_after_minutes: int | None = None
    """When the change is to be undone by itself (do not disturb for an hour); the agent schedules it."""
    reasons: tuple[RiskReason, ...] = ()
    """What makes the call riskier than its name and arguments tell (forty files, not two)."""


class Step(Preparation):
    """One call, prepared, with its risk."""

    call: FunctionCall
    risk: Risk

    @property
    def bound(self) -> Mapping[str, JsonValue]:
        """What consent binds to."""
        return {
            "name": self.call.name,
            "parameters": dict(self.call.parameters),
            "commands": list(self.commands),
            "requests": list(self.requests),
            "effects": [effect.model_dump(mode="json") for effect in self.effects],
            "risk": self.risk,
        }


class Plan(Frozen):
    """Everything that one consent allows."""

    serial: str
    steps: tuple[Step, ...]
    prepared_at: datetime
    """On the phone's wall clock; consent expires."""

    @property
    def risk(self) -> Risk:
        """The highest class among the steps."""
        return max((step.risk for step in self.steps), default=Risk.R0)

    @property
    def hash(self) -> str:
        """What consent binds to: phone, calls, commands, requests, effects and risk; no recorded values, no times."""
        bound = {"serial": self.serial, "steps": [step.bound for step in self.steps]}
        return hashlib.sha256(json.dumps(bound, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


class OutcomeKind(StrEnum):
    """How a step ended."""

    VERIFIED = "verified"
    """Done, and the phone shows it."""
    HANDED_OVER = "handed_over"
    """Waiting at the app's own confirmation screen: the person finishes it."""
    ALREADY = "already"
    """Nothing to do: already so."""
    REFUSED = "refused"
    """The phone, or a precondition, said no; nothing changed."""
    FAILED = "failed"
    """It did not take effect; what had changed was rolled back where possible."""
    UNKNOWN = "unknown"
    """The phone went away before it could be asked; it is asked when it comes back."""


class Proof(Frozen):
    """What the phone was asked afterwards, and what it answered."""

    command: str
    answer: str


class Outcome(Frozen):
    """How a step, or its undo, ended, with the proof."""

    kind: OutcomeKind
    told: tuple[Effect, ...] = ()
    """What is now so, or was read; worded in the person's language. The runner fills in the step's own effects."""
    message: Text = ""
    """The same in English; for a refusal or a failure, what is wrong and the remedy."""
    proof: tuple[Proof, ...] = ()

    @property
    def ok(self) -> bool:
        return self.kind in (OutcomeKind.VERIFIED, OutcomeKind.HANDED_OVER, OutcomeKind.ALREADY)
