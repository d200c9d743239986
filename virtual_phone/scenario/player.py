"""Plays a scenario on a phone's state and clock."""

import asyncio
from collections.abc import Callable
from datetime import datetime

from heed.errors import UsageError
from virtual_phone.scenario.document import Scenario, ScenarioEntry
from virtual_phone.state import PhoneState


class ScenarioPlayer:
    """Plays a scenario on a state: entry by entry with ``step``, or by itself as time passes with ``follow``."""

    def __init__(
        self, scenario: Scenario, state: PhoneState, *, tell: Callable[[ScenarioEntry], None] = lambda _: None
    ) -> None:
        """``tell`` is called with each entry just before it happens."""
        self.scenario, self._state, self._tell = scenario, state, tell
        self._left = list(scenario.moments())
        self._over = asyncio.Event()
        self._fault: UsageError | None = None

    @property
    def next(self) -> tuple[datetime, ScenarioEntry] | None:
        """The next entry and its moment; None at the end."""
        return self._left[0] if self._left else None

    def step(self) -> ScenarioEntry | None:
        """Move the clock to the next entry and apply it. Returns the entry, or None at the end."""
        if not self._left:
            return None
        self._state.clock.set(self._left[0][0])
        return self._happen()

    def play(self) -> list[ScenarioEntry]:
        """Play the remaining entries and return them."""
        played: list[ScenarioEntry] = []
        while (entry := self.step()) is not None:
            played.append(entry)
        return played

    def _happen(self) -> ScenarioEntry:
        _, entry = self._left.pop(0)
        self._tell(entry)
        apply: Callable[[PhoneState], None] = getattr(entry, entry.event).apply
        apply(self._state)
        return entry

    # --- by itself --------------------------------------------------------------------------------------------
    def follow(self) -> None:
        """Apply each entry when the phone's clock reaches it, at any speed."""
        self._state.schedule.add(self)
        self._state.changed()
        if not self._left:
            self._over.set()

    async def over(self) -> None:
        """Wait until the last entry was applied; raises ``UsageError`` when one could not be."""
        await self._over.wait()
        if self._fault is not None:
            raise self._fault

    def next_due(self, after: datetime) -> datetime | None:
        """The moment of the next entry."""
        return self._left[0][0] if self._left else None

    def ring(self, after: datetime, moment: datetime) -> None:
        """Apply the entries that are due at ``moment``."""
        try:
            while self._left and self._left[0][0] <= moment:
                self._happen()
        except UsageError as fault:
            # Raised by ``over``, not by the unrelated command that made time pass.
            self._fault, self._left = fault, []
        if not self._left:
            self._over.set()
