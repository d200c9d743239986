"""Carts of the shop and of the food-delivery app; nothing on this phone is ever ordered or paid."""

from pydantic import Field

from virtual_phone.state.part import StatePart


class BasketsState(StatePart):
    """The contents of each app's cart: package → goods → count."""

    contents: dict[str, dict[str, int]] = Field(default_factory=dict)

    def of(self, package: str) -> dict[str, int]:
        """One app's cart."""
        return self.contents.get(package, {})

    def put(self, package: str, goods: str, count: int = 1) -> None:
        """Add ``count`` of something, or remove it for a negative count."""
        cart = self.of(package)
        total = max(0, cart.get(goods, 0) + count)
        rest = {name: number for name, number in cart.items() if name != goods or total}
        self.contents = {**self.contents, package: {**rest, **({goods: total} if total else {})}}
        self._changed()

    def empty(self, package: str) -> None:
        """Empty an app's cart."""
        self.contents = {name: cart for name, cart in self.contents.items() if name != package}
        self._changed()
