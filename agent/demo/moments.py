"""What a demo tells of each of its moments, and how it listens to heed meanwhile."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from agent.consent.request import Answer, ChannelName, ConsentRequest, GivenAnswer
from agent.demo.changes import Change
from agent.loop.phone_agent import PhoneAgent
from agent.loop.progress import ActionUndone, ConsentAnswered, ContextRead, DecisionMade, ProgressEvent, StepFinished
from agent.policy.verdict import Decision
from collectors.context import AnyKind, TriggerKind
from executors.plan import Outcome
from heed.model import Frozen
from virtual_phone.scenario import Entry

KINDS: Mapping[str, frozenset[TriggerKind]] = {
    "battery": frozenset({TriggerKind.BATTERY_LEVEL, TriggerKind.CHARGER}),
    "sms": frozenset({TriggerKind.SMS_RECEIVED}),
    "notification": frozenset({TriggerKind.NOTIFICATION}),
    "bluetooth": frozenset({TriggerKind.BLUETOOTH_DISCONNECTED}),
    "open_app": frozenset({TriggerKind.APP_FOREGROUND}),
    "screen": frozenset({TriggerKind.SCREEN}),
    "advance": frozenset({TriggerKind.CLOCK, TriggerKind.CALENDAR_EVENT, TriggerKind.SCREEN_TIME}),
}
"""The triggers that an event of the scenario causes."""


class Moment(Frozen):
    """One moment of the day as data."""

    at: str
    note: str
    expected: str
    """What an assistant should do: a function, ``silence``, or empty."""
    decision: str = ""
    reason: str = ""
    sentence: str = ""
    why: str = ""
    evidence: tuple[str, ...] = ()
    answer: str = ""
    outcomes: tuple[Outcome, ...] = ()
    changes: tuple[Change, ...] = ()
    """What heed's action changed on the phone, from the phone's own state."""
    undone: tuple[Change, ...] = ()
    """What taking an action back changed."""
    as_expected: bool = True


class ScriptedChannel:
    """Answers for the scenario's person, as the script says for the moment."""

    name = ChannelName.SCRIPT
    answer = Answer.NOT_NOW

    async def ask(self, request: ConsentRequest) -> Answer:
        """The answer of this moment."""
        return self.answer


class Heard:
    """What the loop told while one moment was played; ``look`` sees the phone's own state before heed acts."""

    def __init__(self, pass_on: Callable[[ProgressEvent], None], look: Callable[[], dict[str, Any]]) -> None:
        self._pass_on, self._look = pass_on, look
        self._told = asyncio.Event()
        self.clear()

    def clear(self) -> None:
        self.decisions: list[tuple[AnyKind | None, DecisionMade]] = []
        self.given: GivenAnswer | None = None
        self.acted: list[StepFinished] = []
        self.before: dict[str, Any] = {}
        self._trigger: AnyKind | None = None

    def tell(self, event: ProgressEvent) -> None:
        match event:
            case ContextRead():
                self._trigger = event.context.trigger.kind
            case DecisionMade():
                self.decisions.append((self._trigger, event))
                if event.verdict.decision is not Decision.SILENT:
                    self.before = self._look()
            case ConsentAnswered():
                self.given = event.given
            case StepFinished():
                self.acted.append(event)
            case ActionUndone():
                pass
        self._pass_on(event)
        self._told.set()

    @property
    def proposal(self) -> DecisionMade | None:
        """The decision to speak, if there was one."""
        spoken = (decided for _, decided in self.decisions if decided.verdict.decision is not Decision.SILENT)
        return next(spoken, None)

    def about(self, entry: Entry) -> DecisionMade | None:
        """The decision to speak, or else the first one that the entry caused."""
        wanted = KINDS.get(entry.event, frozenset())
        return self.proposal or next((decided for kind, decided in self.decisions if kind in wanted), None)

    async def decided(self, entry: Entry) -> None:
        """Wait until heed has decided about what the entry caused, if it causes anything to decide about."""
        while entry.event in KINDS and self.about(entry) is None:
            self._told.clear()
            await self._told.wait()


def moment_of(
    entry: Entry, at: str, heard: Heard, *, changed: tuple[Change, ...] = (), undone: tuple[Change, ...] = ()
) -> Moment:
    """What is told of an entry that was played."""
    proposal, decided = heard.proposal, heard.about(entry)
    made = proposal.recommendation if proposal else None
    return Moment(
        at=at,
        note=entry.note,
        expected=entry.expect,
        decision=decided.verdict.decision if decided else "",
        reason=decided.reason if decided else "",
        sentence=made.rec if made else "",
        why=made.why.text if made else "",
        evidence=tuple(item.text for item in made.why.evidence) if made else (),
        answer=heard.given.answer if heard.given else "",
        outcomes=tuple(acted.outcome for acted in heard.acted),
        changes=changed if heard.acted else (),
        undone=undone,
        as_expected=_as_expected(entry, proposal),
    )


def _as_expected(entry: Entry, proposal: DecisionMade | None) -> bool:
    if entry.expect in ("", "silence"):
        return proposal is None
    return proposal is not None and [call.name for call in proposal.recommendation.calls] == [entry.expect]


def newest_action(agent: PhoneAgent, function: str) -> int | None:
    """The newest action of ``function`` that can be taken back."""
    for past in agent.stores.journal.timeline():
        for action in past.actions:
            if action.step.call.name == function and action.can_be_undone:
                return action.id
    return None
