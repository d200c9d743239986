"""The phone's state, split by domain."""

from virtual_phone.state.phone_state import PhoneState

__all__ = ["PhoneState"]
