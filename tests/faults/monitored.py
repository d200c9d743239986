"""A daemon on one phone whose fault begins at a chosen stage of the first trigger."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from agent.compose import Runtime
from agent.consent.request import Answer, ChannelName, ConsentRequest
from agent.journal import AfterRecord
from agent.loop.daemon import Daemon
from agent.loop.decider import Reasoners
from agent.loop.progress import Listener
from collectors.context import Context, TriggerKind
from function_pool.spec import Pool
from models.reasoner import Reasoner, Recommendation, silence
from tests.agent.make import recommendation
from tests.executors.acting import WatchedPhone
from tests.faults.injected import Fault
from tests.faults.stages import Stage
from virtual_phone import PhoneState
from virtual_phone.shell.call import Program, ProgramCall

READING = "dumpsys battery"
"""A command of the context."""


class Interruption:
    """Begins a fault once, when its stage is reached; ``delay`` seconds later while the loop goes on."""

    def __init__(self, stage: Stage, delay: float = 0.0) -> None:
        self.stage, self._delay = stage, delay
        self.reached, self.over = asyncio.Event(), asyncio.Event()
        self._fault: Fault | None = None
        self._following: asyncio.Task[None] | None = None

    def arm(self, fault: Fault) -> None:
        """From now on the stage meets ``fault``."""
        self._fault = fault

    def meet_at_once(self, stage: Stage) -> bool:
        """Begin the fault if this is the stage; whether it is. Returns before what takes time has happened."""
        if self._fault is None or stage is not self.stage or self._following is not None:
            return False
        if not self._delay:
            self._fault.begin()
        self._following = asyncio.create_task(self._follow(self._fault))
        return True

    async def meet(self, stage: Stage) -> bool:
        """``meet_at_once``, and wait until the fault has begun, unless it comes later."""
        met = self.meet_at_once(stage)
        if met and not self._delay and self._following is not None:
            await asyncio.shield(self._following)
        return met and not self._delay

    async def _follow(self, fault: Fault) -> None:
        if self._delay:
            await asyncio.sleep(self._delay)
            fault.begin()
        await fault.follow()
        self.reached.set()

    async def end(self) -> None:
        """End the fault."""
        assert self._fault is not None
        await self._fault.end()
        self.over.set()


class InterruptedPhone(WatchedPhone):
    """A phone that counts the commands that it carried out, and reaches the stages that happen on it."""

    def __init__(self, state: PhoneState) -> None:
        super().__init__(state)
        self.carried_out: list[str] = []

    def reach(self, interruption: Interruption, *, loses_the_phone: bool) -> None:
        """Let the commands of the plan and of its undo reach their stages."""

        async def see(call: ProgramCall, program: Program) -> int:
            await interruption.meet(Stage.SEE)
            return await program(call)

        async def act(call: ProgramCall, program: Program) -> int:
            undoing = call.args[-1] == "0"
            before, after = (Stage.UNDO, Stage.UNDONE) if undoing else (Stage.PERFORM, Stage.VERIFY)
            if await interruption.meet(before) and loses_the_phone:
                return 0
            self.carried_out.append(" ".join(call.args))
            status = await program(call)
            await interruption.meet(after)
            return status

        self.on(READING, see)
        self.on("cmd power set-mode", act)


class Recommends:
    """Recommends battery saver at each message, after a language model was asked, where there is one."""

    name = "routines"

    def __init__(self, interruption: Interruption, model: Reasoner | None = None) -> None:
        self._interruption, self._model = interruption, model

    async def recommend(
        self, context: Context, pool: Pool, candidates: Sequence[str], *, timeout: float
    ) -> Recommendation:
        await self._interruption.meet(Stage.DECIDE)
        if self._model is not None:
            await self._model.recommend(context, pool, candidates, timeout=timeout)
        wanted = context.trigger.kind is TriggerKind.SMS_RECEIVED
        return recommendation() if wanted else silence(self.name, "Nothing fits.")

    async def close(self) -> None:
        """Nothing to let go of."""


class Owner:
    """Says yes; where the question meets the fault, once that is over."""

    name = ChannelName.TERMINAL

    def __init__(self, interruption: Interruption) -> None:
        self._interruption, self.asked = interruption, list[ConsentRequest]()

    async def ask(self, request: ConsentRequest) -> Answer:
        self.asked.append(request)
        if await self._interruption.meet(Stage.ASK):
            await self._interruption.over.wait()
        return Answer.ONCE


def interrupted(runtime: Runtime, interruption: Interruption, model: Reasoner | None = None) -> Runtime:
    """The runtime with the stages that happen in the daemon itself."""
    write = runtime.stores.after.write

    def interrupted_write(record: AfterRecord) -> None:
        if record.outcome is not None and not record.of_undo:
            interruption.meet_at_once(Stage.RECORD)
        write(record)

    runtime.stores.after.write = interrupted_write  # type: ignore[method-assign]
    return runtime._replace(reasoners=Reasoners(Recommends(interruption, model)))


@asynccontextmanager
async def monitored(
    runtime: Runtime, serial: str, owner: Owner, listen: Listener = lambda _: None
) -> AsyncIterator[Daemon]:
    """A daemon that monitors the phone while in the block, and listens to its events from the start of the block."""
    daemon = Daemon(runtime, wanted={serial}, channels=[owner], listen=listen)
    running = asyncio.create_task(daemon.run())
    try:
        async with asyncio.timeout(60):
            while serial not in daemon._phones:  # noqa: ASYNC110  # the adb server tells when it likes
                await asyncio.sleep(0.01)
            await daemon._phones[serial].events.begun.wait()
        yield daemon
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
