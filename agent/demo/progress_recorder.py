"""Records the loop's progress during one entry of a demo."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from agent.consent.request import Given
from agent.loop.progress import Acted, Answered, Decided, Listener, Saw, Stage, Undid
from agent.policy.rules import Decision
from virtual_phone.scenario import ScenarioEntry

TRIGGERS_BY_EVENT: Mapping[str, frozenset[str]] = {
    "battery": frozenset({"battery_level", "charger"}),
    "sms": frozenset({"sms_received"}),
    "notification": frozenset({"notification"}),
    "bluetooth": frozenset({"bluetooth_connected", "bluetooth_disconnected"}),
    "open_app": frozenset({"app_foreground"}),
    "screen": frozenset({"screen"}),
    "advance": frozenset({"clock", "calendar_event", "screen_time"}),
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
        self.decisions: list[tuple[str, Decided]] = []
        self.given: Given | None = None
        self.acted: list[Acted] = []
        self.state_before: dict[str, Any] = {}
        self._trigger = ""

    def record(self, stage: Stage) -> None:
        """Record one progress event."""
        match stage:
            case Saw():
                self._trigger = stage.context.trigger.kind
            case Decided():
                self.decisions.append((self._trigger, stage))
                if stage.verdict.decision is not Decision.SILENT:
                    self.state_before = self._read_state()
            case Answered():
                self.given = stage.given
            case Acted():
                self.acted.append(stage)
            case Undid():
                pass
        self._forward(stage)
        self._changed.set()

    @property
    def suggestion(self) -> Decided | None:
        """The first decision to speak, if there was one."""
        spoken = (decided for _, decided in self.decisions if decided.verdict.decision is not Decision.SILENT)
        return next(spoken, None)

    def decision_about(self, entry: ScenarioEntry) -> Decided | None:
        """Return the decision to speak, or else the first decision that the entry triggered."""
        kinds = TRIGGERS_BY_EVENT.get(entry.event, frozenset())
        return self.suggestion or next((decided for kind, decided in self.decisions if kind in kinds), None)

    async def wait_for_decision(self, entry: ScenarioEntry) -> None:
        """Wait for a decision about the entry; returns at once for an event that triggers none."""
        while entry.event in TRIGGERS_BY_EVENT and self.decision_about(entry) is None:
            self._changed.clear()
            await self._changed.wait()
