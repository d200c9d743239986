"""The phone's state, split by domain."""

from android_bridge.virtual.state.phone_state import PhoneState

__all__ = ["PhoneState"]
