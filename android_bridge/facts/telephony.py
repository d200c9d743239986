"""Calls of the SIM cards, and of apps that register their calls with Android, such as Zoom.

``dumpsys telephony.registry`` checked against a Xiaomi with two SIM cards, idle (ringing and off-hook follow
``TelephonyManager.CALL_STATE_*``); ``dumpsys telecom`` against one OPPO/OnePlus phone in a Zoom call.
"""

import re
from enum import StrEnum

from android_bridge.facts.reader import Reader
from android_bridge.facts.text import missing, parser
from heed.messages import msg
from heed.model import Frozen


class CallState(StrEnum):
    """``TelephonyManager.CALL_STATE_*``, least to most urgent."""

    IDLE = "idle"
    OFF_HOOK = "off_hook"
    """Dialling or talking."""
    RINGING = "ringing"


class Telephony(Frozen):
    """The state over all SIM slots: the most urgent call state, data connected on any."""

    call: CallState
    incoming_number: str | None
    """The caller's number while the phone rings; None where the phone does not print it."""
    mobile_data_connected: bool | None


class OngoingCall(Frozen):
    """One call that ``TelecomService`` lists."""

    state: str
    """``RINGING``, ``DIALING``, ``ACTIVE``, ``ON_HOLD``, …"""
    package: str
    """The app that provides it; ``com.android.phone`` for the SIM cards."""


_STATE = re.compile(r"^ +mCallState=(\d)$", re.MULTILINE | re.ASCII)
_CALL_STATES = {"0": CallState.IDLE, "1": CallState.RINGING, "2": CallState.OFF_HOOK}
_NUMBER = re.compile(r"^ +mCallIncomingNumber=(\S+)$", re.MULTILINE)
_DATA = re.compile(r"^ +mDataConnectionState=(-?\d)$", re.MULTILINE | re.ASCII)
_CALLS = re.compile(r"^CallsManager: *\n  mCalls: *\n((?: {4}.*\n)*)", re.MULTILINE)
_CALL = re.compile(r"^ {4}\[Call id=\S+, state=([A-Z_]+), tpac=ComponentInfo\{([\w.]+)/", re.MULTILINE | re.ASCII)


@parser(msg("The call state"))
def parse_telephony(text: str) -> Telephony:
    """Parses ``dumpsys telephony.registry``, which has one block per SIM slot."""
    printed = _STATE.findall(text)
    if not printed or not all(state in _CALL_STATES for state in printed):
        raise missing(msg("mCallState"))
    call = max((_CALL_STATES[state] for state in printed), key=list(CallState).index)
    number = _NUMBER.search(text)
    data = _DATA.findall(text)
    return Telephony(
        call=call,
        incoming_number=number[1] if number and call is CallState.RINGING else None,
        mobile_data_connected="2" in data if data else None,
    )


@parser(msg("The calls"))
def parse_calls(text: str) -> tuple[OngoingCall, ...]:
    """Parses ``dumpsys telecom``: every call, of SIM cards and of apps."""
    block = _CALLS.search(text)
    if block is None:
        raise missing(msg("list of calls"))
    return tuple(OngoingCall(state=state, package=package) for state, package in _CALL.findall(block[1]))


TELEPHONY = Reader("telephony", "dumpsys telephony.registry", parse_telephony)
CALLS = Reader("calls", "dumpsys telecom", parse_calls)
