"""Records the loop's progress during one entry of a demo."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from agent.consent.request import GivenAnswer
from agent.loop.progress import (
    ActionUndone,
    ConsentAnswered,
    ContextRead,
    DecisionMade,
    Listener,
    ProgressEvent,
    StepFinished,
)
from agent.policy.verdict import Decision
from collectors.context import AnyKind, TriggerKind
from virtual_phone.scenario import ScenarioEntry

TRIGGERS_BY_EVENT: Mapping[str, frozenset[TriggerKind]] = {
    "battery": frozenset({TriggerKind.BATTERY_LEVEL, TriggerKind.CHARGER}),
    "sms": frozenset({TriggerKind.SMS_RECEIVED}),
    "notification": frozenset({TriggerKind.NOTIFICATION}),
    "bluetooth": frozenset({TriggerKind.BLUETOOTH_CONNECTED, TriggerKind.BLUETOOTH_DISCONNECTED}),
    "place": frozenset({TriggerKind.CONNECTIVITY}),
    "radio": frozenset({TriggerKind.CONNECTIVITY}),
    "calendar": frozenset({TriggerKind.CALENDAR_ADDED, TriggerKind.CALENDAR_EVENT}),
    "open_app": frozenset({TriggerKind.APP_FOREGROUND}),
    "screen": frozenset({TriggerKind.SCREEN}),
    "advance": frozenset(
        {TriggerKind.CLOCK, TriggerKind.CALENDAR_EVENT, TriggerKind.EVENING_BEFORE, TriggerKind.SCREEN_TIME}
    ),
}
"""The triggers that an event of a scenario causes."""


class ProgressRecorder:
    """Records progress events of one scenario entry and forwards them.

    Args:
        forward: receives every progress event.
        read_state: returns the phone's state; it is read when heed decides to speak, before it acts.
    """

    def __init__(self, forward: Listener, read_state: Callable[[], dict[str, Any]]) -> None:
        self._forward, self._read_state = forward, read_state
        self._changed = asyncio.Event()
        self.clear()

    def clear(self) -> None:
        """Start a new entry."""
        self.decisions: list[tuple[AnyKind | None, DecisionMade]] = []
        self.given: GivenAnswer | None = None
        self.acted: list[StepFinished] = []
        self.state_before: dict[str, Any] = {}
        self._trigger: AnyKind | None = None

    def record(self, event: ProgressEvent) -> None:
        """Record one progress event."""
        match event:
            case ContextRead():
                self._trigger = event.context.trigger.kind
            case DecisionMade():
                self.decisions.append((self._trigger, event))
                if event.verdict.decision is not Decision.SILENT:
                    self.state_before = self._read_state()
            case ConsentAnswered():
                self.given = event.given
            case StepFinished():
                self.acted.append(event)
            case ActionUndone():
                pass
        self._forward(event)
        self._changed.set()

    @property
    def suggestion(self) -> DecisionMade | None:
        """The first decision to speak, if there was one."""
        spoken = (decided for _, decided in self.decisions if decided.verdict.decision is not Decision.SILENT)
        return next(spoken, None)

    def decision_about(self, entry: ScenarioEntry) -> DecisionMade | None:
        """Return the decision to speak, or else the first decision that the entry triggered."""
        kinds = TRIGGERS_BY_EVENT.get(entry.event, frozenset())
        return self.suggestion or next((decided for kind, decided in self.decisions if kind in kinds), None)

    async def wait_for_decision(self, entry: ScenarioEntry) -> None:
        """Wait for a decision about the entry; returns at once for an event that triggers none."""
        while entry.event in TRIGGERS_BY_EVENT and self.decision_about(entry) is None:
            self._changed.clear()
            await self._changed.wait()
