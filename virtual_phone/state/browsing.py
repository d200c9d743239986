"""The browser's history."""

from pydantic import Field

from virtual_phone.state.part import StatePart

_KEPT = 50


class BrowsingState(StatePart):
    """Addresses that the owner opened, the latest first."""

    visited: list[str] = Field(default_factory=list)
    times: dict[str, int] = Field(default_factory=dict)
    """Address → last visit, in milliseconds since 1970."""

    def visit(self, address: str, time: int | None = None) -> None:
        """Add an address, visited now or at ``time`` (milliseconds since 1970)."""
        self.times = {**self.times, address: self._phone.clock.milliseconds() if time is None else time}
        others = [other for other in self.visited if other != address]
        self._keep(sorted([address, *others], key=lambda other: -self.times[other]))

    def forget(self, address: str) -> None:
        """Delete an address."""
        self._keep([other for other in self.visited if other != address])

    def clear(self) -> None:
        """Delete the history."""
        self._keep([])

    def _keep(self, visited: list[str]) -> None:
        self.visited = visited[:_KEPT]
        self.times = {address: self.times[address] for address in self.visited}
        self._changed()
