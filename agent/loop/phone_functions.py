"""The functions of the pool on one phone."""

from collections.abc import Sequence
from datetime import datetime

from android_bridge.device import Device
from android_bridge.facts.clock import CLOCK
from executors import runner
from executors.plan import Plan
from executors.registry import incapable_functions
from executors.runner import Executors
from function_pool.call import FunctionCall
from function_pool.spec import Pool


class PhoneFunctions:
    """Which functions a phone can carry out, and the plan for calls to them."""

    def __init__(self, device: Device, pool: Pool, executors: Executors) -> None:
        self.device, self.pool, self.executors = device, pool, executors
        self._candidates: tuple[str, ...] | None = None

    async def candidates(self) -> tuple[str, ...]:
        """The names of the functions that a reasoner may choose from; the phone is asked once."""
        if self._candidates is None:
            incapable = await incapable_functions(self.executors, self.device)
            self._candidates = tuple(spec.name for spec in self.pool if spec.name not in incapable)
        return self._candidates

    async def prepare(self, calls: Sequence[FunctionCall], now: datetime | None = None) -> Plan:
        """The plan for ``calls``; ``now`` is the phone's time, read from it where it is left out.

        ``RefusedError`` or ``UsageError`` when there can be no plan, ``DeviceError`` when the phone does not answer.
        """
        at = await self.device.read(CLOCK) if now is None else now
        return await runner.prepare(self.executors, self.device, self.pool, calls, now=at)
