"""The browser's history."""

from pydantic import Field

from virtual_phone.state.part import StatePart

_KEPT = 50


class BrowsingState(StatePart):
    """Addresses that the owner opened, the latest first."""

    visited: list[str] = Field(default_factory=list)

    def visit(self, address: str) -> None:
        """Add an address."""
        self.visited = [address, *(other for other in self.visited if other != address)][:_KEPT]
        self._changed()

    def clear(self) -> None:
        """Delete the history."""
        self.visited = []
        self._changed()
