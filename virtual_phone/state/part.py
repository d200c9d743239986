"""The base of every domain of the phone's state."""

from typing import Any

from pydantic import PrivateAttr

from virtual_phone.state.interfaces import PhoneParts
from virtual_phone.state.record import StateRecord


class StatePart(StateRecord):
    """One domain of the state: its data, and the only operations that change it.

    Every operation ends in ``_changed()``, so that what was drawn from the old state is drawn again.
    """

    _phone: PhoneParts = PrivateAttr()

    def attach(self, phone: PhoneParts) -> None:
        """Make this a domain of ``phone``: operations may read and change its other domains."""
        self._phone = phone

    def fields(self) -> dict[str, Any]:
        """The data by field name."""
        return {name: getattr(self, name) for name in type(self).model_fields}

    def _changed(self) -> None:
        self._phone.changed()

    def _event(self, tag: str, *values: int | str) -> None:
        self._phone.log.event(tag, *values)
