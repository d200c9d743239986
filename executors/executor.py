"""What every executor is: one small class per function."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from pydantic import JsonValue

from android_bridge.device import Device
from executors.capability import Need
from executors.config import ExecutorsConfig
from executors.plan import Outcome, OutcomeKind, Preparation, Step
from function_pool.call import FunctionCall
from heed.errors import DeviceError, PersonError
from heed.messages import Message, Text, msg

Receipt = Mapping[str, JsonValue]
"""What perform learnt that verify and undo need (the id of a new row); stored in the journal."""


class RefusedError(PersonError):
    """A call that cannot or must not be carried out on this phone; the message says why and what to do."""


class OutOfReachError(RefusedError):
    """What must be shown to the person cannot be now: the phone sleeps, is locked, or shows what nothing may cover."""


class RejectedError(DeviceError):
    """The phone said no to one of a step's commands; ``done`` commands before it went through."""

    def __init__(self, command: str, said: Text, done: int) -> None:
        super().__init__(
            msg("The phone rejected `{command}`: {reason}.", command=command[:200], reason=said), _remedy(str(said))
        )
        self.done = done


class HostError(DeviceError):
    """A service on the network, or a file of this machine, that fails; treated like a phone that does not answer."""


class Executor(ABC):
    """Carries out the calls of one function.

    The stages see the phone and the step, nothing else; they keep no state between calls, so that what one process
    prepared can be verified or undone by another. ``verify`` and ``verify_undo`` take one look: the runner looks
    again until the effect is there and has stayed.
    """

    function: ClassVar[str]
    """The name in the pool."""

    needs: ClassVar[tuple[Need, ...]] = ()
    """Without what on a phone the function cannot be done there at all."""

    def __init__(self, config: ExecutorsConfig) -> None:
        self.config = config

    def all_needs(self) -> tuple[Need, ...]:
        """``needs``, and those that follow from the configuration or from tables."""
        return self.needs

    @abstractmethod
    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        """Probe the phone, record old values and build the exact commands for a validated call.

        Changes nothing. It is called again right before the step is performed. Raises ``RefusedError`` when it
        cannot be done here, ``DeviceError`` when the phone does not answer.
        """

    async def perform(self, phone: Device, step: Step) -> Receipt:
        """Run the step's commands and nothing else, in order; ``RejectedError`` at the first one that fails."""
        for done, command in enumerate(step.commands):
            await run(phone, command, done)
        return {}

    async def recover(self, phone: Device, step: Step) -> Receipt:
        """What ``perform`` would have returned, asked from the phone: for a step that was interrupted."""
        return {}

    @abstractmethod
    async def verify(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        """One look at the phone: is the effect there? Never trusts an exit code."""

    async def undo(self, phone: Device, step: Step, receipt: Receipt) -> None:
        """Restore what was recorded. The default is for steps that cannot be undone."""
        raise RefusedError(msg("{name} cannot be undone.", name=step.call.name))

    async def verify_undo(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        """One look at the phone: is it as it was before?"""
        return Outcome(kind=OutcomeKind.REFUSED, message=msg("{name} cannot be undone.", name=step.call.name))


async def run(phone: Device, command: str, done: int = 0) -> str:
    """What the phone printed for one command of a step; ``RejectedError`` when it says no."""
    result = await phone.shell(command)
    if result.rejected:
        raise RejectedError(command, result.rejected, done)
    return result.text


_DEVELOPER_SWITCH = msg(
    'In the developer options, turn on "USB debugging (Security settings)" (Xiaomi) or "Disable permission monitoring" '
    "(OPPO, realme); other phones may not let USB debugging do this at all."
)
_TOO_OLD = msg("This phone's Android is too old for it.")
_REMEDIES: tuple[tuple[str, Message], ...] = (
    ("INJECT_EVENTS", _DEVELOPER_SWITCH),
    ("WRITE_SECURE_SETTINGS", _DEVELOPER_SWITCH),
    ("SecurityException", _DEVELOPER_SWITCH),
    ("Permission Denial", _DEVELOPER_SWITCH),
    ("unable to resolve Intent", msg("No app on the phone opens this.")),
    ("inaccessible or not found", _TOO_OLD),
    ("No shell command implementation", _TOO_OLD),
)
"""The switch to flip, by what Android printed (notes: functions.md, D8)."""


def _remedy(said: str) -> Text:
    return next((remedy for sign, remedy in _REMEDIES if sign in said), "")
