"""What a demo tells of each of its moments, and how it listens to heed meanwhile."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from agent.consent.request import Answer, ConsentRequest, Given
from agent.demo.changes import Change
from agent.loop.attendant import Attendant
from agent.loop.progress import Acted, Answered, Decided, Saw, Stage, Undid
from agent.policy.rules import Decision
from executors.plan import Outcome
from heed.messages import Text
from heed.model import Frozen
from virtual_phone.scenario import Entry

KINDS: Mapping[str, frozenset[str]] = {
    "battery": frozenset({"battery_level", "charger"}),
    "sms": frozenset({"sms_received"}),
    "notification": frozenset({"notification"}),
    "bluetooth": frozenset({"bluetooth_connected", "bluetooth_disconnected"}),
    "open_app": frozenset({"app_foreground"}),
    "screen": frozenset({"screen"}),
    "advance": frozenset({"clock", "calendar_event", "screen_time"}),
}
"""The triggers that an event of the scenario causes."""


class Moment(Frozen):
    """One moment of the day as data."""

    at: str
    note: str
    expected: str
    """What an assistant should do: a function, ``silence``, or empty."""
    decision: str = ""
    reason: Text = ""
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

    name = "script"
    answer = Answer.NOT_NOW

    async def ask(self, request: ConsentRequest) -> Answer:
        """The answer of this moment."""
        return self.answer


class Heard:
    """What the loop told while one moment was played; ``look`` sees the phone's own state before heed acts."""

    def __init__(self, pass_on: Callable[[Stage], None], look: Callable[[], dict[str, Any]]) -> None:
        self._pass_on, self._look = pass_on, look
        self._told = asyncio.Event()
        self.clear()

    def clear(self) -> None:
        self.decisions: list[tuple[str, Decided]] = []
        self.given: Given | None = None
        self.acted: list[Acted] = []
        self.before: dict[str, Any] = {}
        self._trigger = ""

    def tell(self, stage: Stage) -> None:
        match stage:
            case Saw():
                self._trigger = stage.context.trigger.kind
            case Decided():
                self.decisions.append((self._trigger, stage))
                if stage.verdict.decision is not Decision.SILENT:
                    self.before = self._look()
            case Answered():
                self.given = stage.given
            case Acted():
                self.acted.append(stage)
            case Undid():
                pass
        self._pass_on(stage)
        self._told.set()

    @property
    def proposal(self) -> Decided | None:
        """The decision to speak, if there was one."""
        spoken = (decided for _, decided in self.decisions if decided.verdict.decision is not Decision.SILENT)
        return next(spoken, None)

    def about(self, entry: Entry) -> Decided | None:
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


def _as_expected(entry: Entry, proposal: Decided | None) -> bool:
    if entry.expect in ("", "silence"):
        return proposal is None
    return proposal is not None and [call.name for call in proposal.recommendation.calls] == [entry.expect]


def newest_action(attendant: Attendant, function: str) -> int | None:
    """The newest action of ``function`` that can be taken back."""
    for past in attendant.books.journal.timeline():
        for action in past.actions:
            if action.step.call.name == function and action.can_be_undone:
                return action.id
    return None
