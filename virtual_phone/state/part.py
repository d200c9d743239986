"""The base of every domain of the phone's state."""

from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, PrivateAttr

if TYPE_CHECKING:
    from virtual_phone.state.phone_state import PhoneState


class StateRecord(BaseModel):
    """One row of a domain: plain data, checked on assignment."""

    model_config = ConfigDict(validate_assignment=True, extra="forbid")


class StatePart(StateRecord):
    """One domain of the state: its data, and the only operations that change it.

    Every operation ends in ``_changed()``, so that what was drawn from the old state is drawn again.
    """

    _phone: "PhoneState" = PrivateAttr()

    def attach(self, phone: "PhoneState") -> None:
        """Join a phone: operations may look at and change its other domains."""
        self._phone = phone

    def fields(self) -> dict[str, Any]:
        """Its data by name."""
        return {name: getattr(self, name) for name in type(self).model_fields}

    def _changed(self) -> None:
        self._phone.changed()

    def _event(self, tag: str, *values: int | str) -> None:
        self._phone.log.event(tag, *values)
