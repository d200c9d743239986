"""What every executor is: one small class per function."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from pydantic import JsonValue

from android_bridge.device import Device
from executors.plan import Outcome, Step
from function_pool.call import FunctionCall
from heed.errors import DeviceError, PersonError

Receipt = Mapping[str, JsonValue]
"""What perform learnt that verify and undo need (the id of a new row); stored in the journal."""


class RefusedError(PersonError):
    """A call that cannot or must not be carried out on this phone; the message says why and what to do."""


class Executor(ABC):
    """Carries out the calls of one function.

    The four stages see the phone and the step, nothing else; they keep no state between calls, so that what was
    prepared by one process can be verified or undone by another.
    """

    function: ClassVar[str]
    """The name in the pool."""

    @abstractmethod
    async def prepare(self, phone: Device, call: FunctionCall) -> Step:
        """Probe the phone, record old values and build the exact commands.

        Changes nothing. Raises ``RefusedError`` when it cannot be done here, ``DeviceError`` when the phone does
        not answer.
        """

    async def perform(self, phone: Device, step: Step) -> Receipt:
        """Run the step's commands and nothing else, in order; stop at the first one the phone rejects."""
        for command in step.commands:
            result = await phone.shell(command)
            if result.rejected:
                raise DeviceError(f"The phone rejected `{command}`: {result.rejected}")
        return {}

    @abstractmethod
    async def verify(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        """Ask the phone whether the effect is there; never trust an exit code."""

    async def undo(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        """Restore what was recorded, and verify it. The default is for steps that cannot be undone."""
        raise RefusedError(f"{step.call.name} cannot be undone.")
