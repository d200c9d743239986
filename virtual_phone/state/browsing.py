"""The browser's history."""

from pydantic import Field

from virtual_phone.state.part import StatePart

_KEPT = 50


class BrowsingState(StatePart):
    """Addresses that the person opened, the latest first."""

    visited: list[str] = Field(default_factory=list)

    def visit(self, address: str) -> None:
        """Note an address."""
        self.visited = [address, *(other for other in self.visited if other != address)][:_KEPT]
        self._changed()

    def clear(self) -> None:
        """Forget them all."""
        self.visited = []
        self._changed()
