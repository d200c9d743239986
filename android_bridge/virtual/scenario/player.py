"""Plays a scenario on a phone's state and clock."""

from collections.abc import Callable
from datetime import datetime

from android_bridge.virtual.scenario.document import Entry, Scenario
from android_bridge.virtual.state import PhoneState


class ScenarioPlayer:
    """Plays a scenario on a state, entry by entry."""

    def __init__(self, scenario: Scenario, state: PhoneState) -> None:
        self.scenario, self._state = scenario, state
        self._left = list(scenario.moments())

    @property
    def next(self) -> tuple[datetime, Entry] | None:
        """What comes next and when; None at the end."""
        return self._left[0] if self._left else None

    def step(self) -> Entry | None:
        """Move the clock to the next entry and let it happen; the entry, or None at the end."""
        if not self._left:
            return None
        moment, entry = self._left.pop(0)
        self._state.clock.set(moment)
        apply: Callable[[PhoneState], None] = getattr(entry, entry.event).apply
        apply(self._state)
        return entry

    def play(self) -> list[Entry]:
        """Play all that is left."""
        played: list[Entry] = []
        while (entry := self.step()) is not None:
            played.append(entry)
        return played
