"""The base class of executors; each function has one small class."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from typing import ClassVar

from pydantic import JsonValue

from android_bridge.device import Device
from android_bridge.facts.properties import PROPERTIES
from executors.capability import Requirement
from executors.config import ExecutorsConfig
from executors.plan import Outcome, OutcomeKind, Preparation, Step
from executors.remedies import remedy
from function_pool.call import FunctionCall
from heed.errors import DeviceError, NoDeviceError, PersonError
from heed.messages import Text, msg

Receipt = Mapping[str, JsonValue]
"""Values from ``perform`` that ``verify`` and ``undo`` need, such as the id of a new row; stored in the journal."""


AskOwner = Callable[[Step], Awaitable[bool]]
"""Asks the owner about one more step within an action, on every channel and with a deadline; stores the answer, and
returns whether it allows the step."""


class RefusedError(PersonError):
    """The call cannot or must not be carried out on this phone; the message gives the reason and the remedy."""


class OutOfReachError(RefusedError):
    """Nothing can be opened on the screen now: the phone is asleep or locked, or shows a payment or a secure window."""


class RejectedError(DeviceError):
    """The phone refused one of a step's commands; ``done`` commands before it succeeded."""

    def __init__(self, command: str, said: Text, done: int, *, maker: str = "") -> None:
        super().__init__(
            msg("The phone rejected `{command}`: {reason}.", command=command[:200], reason=said),
            remedy(str(said), maker),
        )
        self.done = done


class HostError(DeviceError):
    """A network service or a local file failed; treated like a phone that does not answer."""


class Executor(ABC):
    """Carries out the calls of one function.

    The methods get the phone and the step and keep no state between calls, so that a step that one process prepared can
    be verified or undone by another. All except ``prepare`` may raise ``DeviceError``, ``DeviceLostError`` or
    ``NoDeviceError`` when the phone does not answer; the runner then reports the outcome as unknown.
    """

    function: ClassVar[str]
    """Name of the function in the pool."""

    patience: ClassVar[float] = 1.0
    """Factor of ``VerifyTiming.deadline``: more than 1 for what takes effect late, as radios do."""

    requirements: ClassVar[tuple[Requirement, ...]] = ()
    """Conditions without which the function cannot be carried out on a phone at all."""

    def __init__(self, config: ExecutorsConfig) -> None:
        """``config`` is the section ``executors`` of heed's configuration."""
        self.config = config

    @classmethod
    def of(cls, config: ExecutorsConfig) -> "Executor":
        """Returns the executor of this function under a configuration: by default one of this class."""
        return cls(config)

    def all_requirements(self) -> tuple[Requirement, ...]:
        """Returns ``requirements`` and those that follow from the configuration or from tables."""
        return self.requirements

    @abstractmethod
    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        """Reads the phone, records old values and builds the exact commands for a call. Changes nothing.

        It is called again right before the step is performed; when its commands, effects or requests differ from the
        consented ones, the step is refused.

        Args:
            phone: the phone to read.
            call: the call after ``function_pool.validation.validate``: its arguments are in canonical form.

        Returns the commands, effects, undo effects and recorded values; ``already=True`` when nothing is to be done.

        Raises:
            RefusedError: the call cannot or must not be carried out on this phone now.
            DeviceError, NoDeviceError: the phone does not answer, or a fact cannot be read.
        """

    async def perform(self, phone: Device, step: Step) -> Receipt:
        """Runs the step's commands in order and nothing else.

        Args:
            phone: the phone to act on.
            step: the prepared and consented step.

        Returns what ``verify`` and ``undo`` need beyond the step; by default nothing.

        Raises ``RejectedError`` at the first command that the phone refuses.
        """
        for done, command in enumerate(step.commands):
            await run(phone, command, done)
        return {}

    async def perform_noting(
        self, phone: Device, step: Step, note: Callable[[Receipt], None], ask: AskOwner | None = None
    ) -> Receipt:
        """Does what ``perform`` does; for a step of several parts that must be told apart after an interruption.

        Args:
            phone: the phone to act on.
            step: the prepared and consented step.
            note: stores what is known so far, before each part; ``verify`` gets it when the step was interrupted.
            ask: asks the owner about a part that this consent does not cover; None where nobody can be asked.
        """
        return await self.perform(phone, step)

    async def recover(self, phone: Device, step: Step) -> Receipt:
        """Returns what ``perform`` would have returned, read from the phone: for a step that was interrupted."""
        return {}

    @abstractmethod
    async def verify(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        """Reads the phone once and returns whether the step took effect; must not rely on exit codes.

        The runner calls it until it returns ``VERIFIED`` (``HANDED_OVER`` for a step that hands over) or the deadline
        of ``VerifyTiming`` passes, and once more to see that the effect stays.

        Args:
            phone: the phone to read.
            step: the step that was performed.
            receipt: what ``perform`` or ``recover`` returned.
        """

    async def undo(self, phone: Device, step: Step, receipt: Receipt) -> None:
        """Restores the values in ``step.before``. The default refuses: the step cannot be undone.

        Raises ``RefusedError`` when it can no longer be undone, ``RejectedError`` when the phone refuses a command.
        """
        raise RefusedError(msg("{name} cannot be undone.", name=step.call.name))

    async def verify_undo(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        """Reads the phone once and returns whether it shows the recorded values again; called like ``verify``."""
        return Outcome(kind=OutcomeKind.REFUSED, message=msg("{name} cannot be undone.", name=step.call.name))


_LONGEST_START = 30.0
"""Seconds. ``am start -W`` waits for an app's first frame, without a limit of its own: a cold start takes more than ten
on a slow phone (docs/android-notes.md, "Refusals")."""


async def run(phone: Device, command: str, done: int = 0, *, secret: str = "") -> str:
    """Runs one command of a step and returns its output.

    Args:
        phone: the phone to act on.
        command: one shell line, with every value quoted (``android_bridge.commands``).
        done: how many commands of the step succeeded before; the runner rolls those back when this one fails.
        secret: a part of the line that runs before ``command`` and is in no message: the assignment of a password.

    Raises ``RejectedError`` when the phone refuses the command.
    """
    timeout = _LONGEST_START if command.startswith("am start ") else None
    result = await phone.shell(f"{secret}; {command}" if secret else command, timeout=timeout)
    if result.rejected:
        raise RejectedError(command, result.rejected, done, maker=await _maker(phone))
    return result.text


async def _maker(phone: Device) -> str:
    """Returns the phone's maker; empty where it cannot be read, because the refusal is what must be told."""
    try:
        return (await phone.read(PROPERTIES)).get("ro.product.manufacturer", "")
    except (DeviceError, NoDeviceError):
        return ""
