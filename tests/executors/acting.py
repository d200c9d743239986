"""What the tests of executors share: act on the virtual phone over real adb, and compare its state."""

import functools
from collections.abc import Awaitable, Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from android_bridge.device import Device
from android_bridge.facts.clock import CLOCK
from executors import runner
from executors.config import ExecutorsConfig
from executors.plan import Outcome, Plan, Step
from executors.registry import load_executors
from executors.runner import StepEvent, VerifyTiming
from executors.wording import describe
from function_pool.call import Basis, FunctionCall
from function_pool.spec import default_pool
from heed.language import Language
from heed.trust import Trust
from virtual_phone import PhoneState, VirtualPhone
from virtual_phone.commands import PROGRAMS
from virtual_phone.shell.call import Program, ProgramCall

QUICK = VerifyTiming(deadline=1.0, interval=0.02, settle=0.0)
"""Effects of the virtual phone show at once; tests of waiting set their own."""

_COUNTERS = ("next_", "log", "time", "fired", "saver_refused")
"""Leaves of the state that only ever grow: they tell how often something happened, not how the phone is."""


Reaction = Callable[[ProgramCall, Program], Awaitable[int]]
"""What the phone does instead of running a program; it may run it all the same."""


class WatchedPhone(VirtualPhone):
    """A virtual phone that remembers every command line it ran, and can be made to act oddly on some."""

    def __init__(self, state: PhoneState) -> None:
        super().__init__(state)
        self.ran: list[tuple[str, ...]] = []
        self._reactions: dict[tuple[str, ...], Reaction] = {}

    def programs(self) -> Mapping[str, Program]:
        return _Watched(self)

    def on(self, line: str, reaction: Reaction) -> None:
        """Let commands that begin with the words of ``line`` meet ``reaction``."""
        self._reactions[tuple(line.split())] = reaction

    def forget_reactions(self) -> None:
        """Let every command do what it does on a phone again."""
        self._reactions.clear()

    def refuse(self, line: str, said: str) -> None:
        """Let commands that begin with ``line`` be refused with these words, as Android does."""

        async def reaction(call: ProgramCall, program: Program) -> int:
            await call.err(f"{said}\n")
            return 255

        self.on(line, reaction)

    async def run(self, call: ProgramCall, program: Program) -> int:
        words = (call.name, *call.args)
        if not _of_the_standing_shell(words):
            self.ran.append(words)
        for prefix, reaction in self._reactions.items():
            if words[: len(prefix)] == prefix:
                return await reaction(call, program)
        return await program(call)


def _of_the_standing_shell(words: tuple[str, ...]) -> bool:
    # It wraps every line: `eval` runs what is then recorded itself, `echo` prints where the line's output ends.
    return words[0] == "eval" or (words[0] == "echo" and words[1:2] != () and words[1].startswith("heed-"))


class _Watched(dict[str, Program]):
    """The phone's programs, each of them seen by the phone before it runs."""

    def __init__(self, phone: WatchedPhone) -> None:
        super().__init__(PROGRAMS)
        self._phone = phone

    def get(self, name: str, default: Any = None) -> Any:
        program = super().get(name, _missing)
        return functools.partial(self._phone.run, program=program)


async def _missing(call: ProgramCall) -> int:
    return await call.fail(f"/system/bin/sh: {call.name}: inaccessible or not found", 127)


class Acting:
    """One phone, its executors, and what the runner told."""

    def __init__(self, phone: WatchedPhone, device: Device, config: ExecutorsConfig | None = None) -> None:
        self.phone, self.device = phone, device
        self.config = config or ExecutorsConfig()
        self.executors = load_executors(self.config)
        self.events: list[StepEvent] = []
        self.timing = QUICK

    async def now(self) -> datetime:
        return await self.device.read(CLOCK)

    async def prepare(self, name: str, untrusted: tuple[str, ...] = (), /, **parameters: JsonValue) -> Plan:
        """The plan for one call; ``untrusted`` parameters rest on a message from outside."""
        basis = {parameter: (Basis(fact="sms.unread", trust=Trust.THIRD_PARTY),) for parameter in untrusted}
        return await self.prepare_all(FunctionCall(name=name, parameters=parameters, basis=basis))

    async def prepare_all(self, *calls: FunctionCall) -> Plan:
        plan = await runner.prepare(self.executors, self.device, default_pool(), calls, await self.now())
        for effect in (effect for step in plan.steps for effect in (*step.effects, *step.undo)):
            assert all(describe(effect, language) != effect.kind for language in Language), f"no words for {effect}"
        return plan

    async def execute(self, plan: Plan, timing: VerifyTiming | None = None) -> tuple[Outcome, ...]:
        told = self.events.append
        return await runner.execute(self.executors, self.device, plan, told, timing=timing or self.timing)

    async def do(self, name: str, /, **parameters: JsonValue) -> Outcome:
        """Prepare and carry out one call."""
        (outcome,) = await self.execute(await self.prepare(name, **parameters))
        return outcome

    @property
    def lists(self) -> tuple[Path, ...]:
        """The files of this machine that executors write."""
        return self.config.ledger, self.config.reminders

    @property
    def step(self) -> Step:
        """The step that was carried out last, with what it recorded."""
        return self.events[-1].step

    async def undo(self) -> Outcome:
        """Undo the step that was carried out last."""
        receipt = next((event.receipt for event in reversed(self.events) if event.receipt is not None), None)
        return await runner.undo(self.executors, self.device, self.step, receipt, timing=self.timing)

    def state(self) -> dict[str, Any]:
        """The whole phone, one entry per leaf."""
        leaves = flatten(self.phone.state.to_json())
        return {
            path: value for path, value in leaves if not any(part.startswith(_COUNTERS) for part in path.split("."))
        }


def flatten(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every leaf of plain data with its path."""
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            yield from flatten(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list) and value:
        for place, inner in enumerate(value):
            yield from flatten(inner, f"{path}.{place}")
    else:
        yield path, value


def difference(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """The leaves that differ: path to (before, after); None where there was none."""
    paths = [*before, *(path for path in after if path not in before)]
    return {path: (before.get(path), after.get(path)) for path in paths if before.get(path) != after.get(path)}
