"""The plan, its steps and the outcome of a step, as data."""

import hashlib
import json
from collections.abc import Collection, Mapping
from datetime import datetime
from enum import StrEnum

from pydantic import Field, JsonValue, SerializerFunctionWrapHandler, model_serializer

from android_bridge.identity import PhoneIdentity
from executors.proposals.task import ModelTask
from executors.steps.press import AskedPress
from executors.steps.vocabulary import AnyStep
from function_pool.assessment import RiskReason
from function_pool.call import FunctionCall
from function_pool.risk import Risk
from function_pool.secrets import conceal
from heed.messages import Text
from heed.model import Frozen
from heed.unicode import ValidJson, ValidText

SCREEN_EFFECT = "screen_"
"""How the kinds of effects of screen steps begin."""


class Effect(Frozen):
    """One change of the phone, as data; worded from ``wording.json`` in two languages."""

    kind: str
    """Key of the wording table, e.g. ``power_saving``."""
    detail: Mapping[str, ValidJson] = Field(default_factory=dict)
    """Values the wording is filled with. Never recorded old values: the consent hash covers effects."""


class Preparation(Frozen):
    """The result of ``Executor.prepare``: how a call will be carried out on this phone."""

    commands: tuple[str, ...] = ()
    """The exact remote shell lines, quoted. A shell variable (``$raw_contact``) stands for a number that only the
    phone can give while the step runs."""
    requests: tuple[str, ...] = ()
    """Requests to other machines: method, address and body, one line each; never with a secret."""
    effects: tuple[Effect, ...]
    undo: tuple[Effect, ...] = ()
    """The effects of undo; empty when the step cannot be undone or changes nothing."""
    before: Mapping[str, JsonValue] = Field(default_factory=dict)
    """Recorded old values that undo restores and verification compares with; JSON, stored in the journal."""
    already: bool = False
    """True when the phone already satisfies the call: no command runs."""
    hands_over: bool = False
    """True when the step ends at an app's own page, where the owner finishes it."""
    expires_after_minutes: int | None = None
    """Minutes after which the agent undoes the change (do not disturb for an hour); None: never."""
    screen: tuple[AnyStep, ...] = ()
    """Steps on the app's screen after the commands (``executors.steps``); consent binds to them too."""
    by_model: ModelTask | None = None
    """In place of ``screen``: a task in the app that a model carries on with (``executors.proposals``)."""
    press: AskedPress | None = None
    """Of a question within a run: the last button that would be pressed."""
    reasons: tuple[RiskReason, ...] = ()
    """Reasons for a higher risk class that only the phone shows (forty files instead of two)."""


class Step(Preparation):
    """One prepared call with its risk class."""

    call: FunctionCall
    risk: Risk

    @property
    def opening(self) -> tuple[Effect, ...]:
        """The effects of its commands and requests, without those of the steps on an app's screen."""
        return tuple(effect for effect in self.effects if not effect.kind.startswith(SCREEN_EFFECT))

    @property
    def bound(self) -> Mapping[str, JsonValue]:
        """The part of the step that consent binds to."""
        screen: dict[str, JsonValue] = {}
        if self.screen:
            screen["screen"] = [step.model_dump(mode="json") for step in self.screen]
        for name, part in (("by_model", self.by_model), ("press", self.press)):
            if part is not None:
                screen[name] = part.model_dump(mode="json")
        return {
            "name": self.call.name,
            "parameters": dict(self.call.parameters),
            "commands": list(self.commands),
            "requests": list(self.requests),
            "effects": [effect.model_dump(mode="json") for effect in self.effects],
            "risk": self.risk,
            **screen,
        }

    @model_serializer(mode="wrap")
    def _write(self, handler: SerializerFunctionWrapHandler) -> dict[str, JsonValue]:
        written: dict[str, JsonValue] = handler(self)
        return conceal(written, self.call.secrets)


class Plan(Frozen):
    """Everything that one consent allows."""

    serial: str
    """The address at which the phone was reached."""
    phone: PhoneIdentity | None = None
    """The phone that the plan is for; None in plans of a journal from before phones were told apart."""
    steps: tuple[Step, ...]
    prepared_at: datetime
    """On the phone's wall clock; consent expires."""
    salt: str = Field(default="", exclude=True)
    """Random where an argument is secret, and in memory only: the stored hash tells nothing about a short password."""

    @property
    def risk(self) -> Risk:
        """The highest class among the steps."""
        return max((step.risk for step in self.steps), default=Risk.R0)

    @property
    def phone_id(self) -> str:
        """The key of the phone: of its identity, or the address where that was not recorded."""
        return self.phone.id if self.phone else self.serial

    @property
    def hash(self) -> str:
        """SHA-256 over phone, calls, commands, requests, screen steps, effects and risk; not over values or times.

        With a secret argument also over ``salt``: compare with the recorded hash, not with one of a plan read back.
        """
        bound = {"serial": self.serial, "phone": self.phone_id, "steps": [step.bound for step in self.steps]}
        if self.salt:
            bound["salt"] = self.salt
        return hashlib.sha256(json.dumps(bound, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


class OutcomeKind(StrEnum):
    """The kinds of outcome of a step."""

    VERIFIED = "verified"
    """The phone shows the effect."""
    HANDED_OVER = "handed_over"
    """An app's page is open; the owner finishes there."""
    ALREADY = "already"
    """Already satisfied: the phone was in the wanted state before."""
    REFUSED = "refused"
    """The phone or a precondition refused; nothing changed."""
    FAILED = "failed"
    """It did not take effect; what had changed was rolled back where possible."""
    UNKNOWN = "unknown"
    """In doubt: the phone went away before the effect could be verified; it is asked when it is back."""


class Proof(Frozen):
    """A command that was run to verify an effect, and its answer as text."""

    command: ValidText
    answer: ValidText


class Outcome(Frozen):
    """The outcome of a step or of its undo, with the proof."""

    kind: OutcomeKind
    told: tuple[Effect, ...] = ()
    """Effects that now hold or were read, to be worded; where empty the runner fills in the step's own effects."""
    message: Text = ""
    """The same in English; for a refusal or a failure, the reason and the remedy."""
    proof: tuple[Proof, ...] = ()

    def without(self, secrets: Collection[str]) -> "Outcome":
        """Returns the same without secret arguments, which a phone's answer may repeat."""
        return Outcome.model_validate(conceal(self.model_dump(mode="json"), secrets)) if secrets else self

    @property
    def ok(self) -> bool:
        return self.kind in (OutcomeKind.VERIFIED, OutcomeKind.HANDED_OVER, OutcomeKind.ALREADY)
