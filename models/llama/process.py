"""The model process from the daemon's side: started when needed, asked one thing at a time, allowed to die.

Crash, kill, hang and out of memory end the process, never the daemon: the decision under way fails with a sentence
that says what to do, and the next one starts the process again. What crashes again and again is left alone for a
growing while.
"""

import asyncio
import logging
import os
import signal
import sys
from collections import deque
from collections.abc import Callable
from pathlib import Path

from heed.clock import Clock
from heed.errors import Bug, ModelError, PromptTooLongError
from heed.messages import Text, msg
from models.config import LlamaConfig
from models.llama.protocol import (
    REPLIES,
    CancelOrder,
    DecideOrder,
    FailureReply,
    LoadOrder,
    LoadReply,
    Reply,
    WarmOrder,
)

_log = logging.getLogger(__name__)

_FIRST_DELAY, _LONGEST_DELAY = 1.0, 60.0
"""Seconds to leave a process alone that has crashed twice in a row, doubled each time, and at most."""
_SHORTEST = 0.01
"""Seconds that anything may take at least."""
_LONGEST_LINE = 4 * 1024 * 1024
_EXIT_GRACE = 2.0
"""Seconds that a process may take to end after its stdin has."""
_MEMORY_WORDS = ("alloc", "memory")


_KERNEL_FAULTS = (signal.SIGSEGV, signal.SIGILL, signal.SIGBUS)


class ProcessEnded(ModelError):
    """The model process ended while something was asked of it."""

    def __init__(self, message: Text, remedy: Text, how: signal.Signals | None = None) -> None:
        super().__init__(message, remedy)
        self.how = how
        """The signal that ended it."""


class ModelProcess:
    """One model in a process of its own. Safe to use from several tasks: they take turns."""

    def __init__(self, load: LoadOrder, clock: Clock) -> None:
        self._load = load
        self._config: LlamaConfig = load.config
        self._clock = clock
        self._turn = asyncio.Lock()
        self._child: _Child | None = None
        self._starting: asyncio.Task[_Child] | None = None
        """Goes on when the decision that began it runs out of time."""
        self._idle: asyncio.Task[None] | None = None
        self._orders = 0
        self._crashes = 0
        self._not_before = 0.0

    @property
    def pid(self) -> int | None:
        """The process, where one runs."""
        return self._child.pid if self._child else None

    async def start(self) -> LoadReply:
        """Have the model loaded."""
        async with self._turn:
            return (await self._started(self._config.load_timeout)).loaded

    async def ask(self, make: Callable[[int, float], WarmOrder | DecideOrder], *, timeout: float) -> Reply:
        """The reply to an order, which ``make`` builds from its id and the seconds left for it.

        Raises ``ModelError`` when the process cannot be started, fails, ends, or does not answer in time.
        """
        deadline = self._clock.monotonic() + timeout
        try:
            async with asyncio.timeout(timeout):
                await self._turn.acquire()
        except TimeoutError as error:
            raise _too_slow(timeout) from error
        try:
            self._stop_idling()
            child = await self._started(deadline - self._clock.monotonic())
            self._orders += 1
            order = make(self._orders, max(_SHORTEST, deadline - self._clock.monotonic()))
            reply = await self._reply(child, order)
        finally:
            self._start_idling()
            self._turn.release()
        if isinstance(reply, FailureReply):
            raise _failure(reply, timeout)
        return reply

    async def close(self) -> None:
        """End the process; safe to call twice."""
        self._stop_idling()
        async with self._turn:
            await self._end()

    async def _reply(self, child: "_Child", order: WarmOrder | DecideOrder) -> Reply:
        try:
            reply = await child.ask(order, order.timeout + self._config.cancel_grace)
        except ModelError as error:
            await self._end()
            if isinstance(error, ProcessEnded):
                self._count_crash()
            raise
        self._crashes = 0
        return reply

    async def _started(self, seconds: float) -> "_Child":
        """The process with the model loaded; ``ModelError`` when that takes longer than ``seconds`` from now."""
        if self._child is not None:
            if await self._child.settled(self._config.cancel_grace):
                return self._child
            await self._end()
        if self._starting is None:
            self._refuse_while_crashing()
            self._starting = asyncio.create_task(_loaded(self._load))
        done, _ = await asyncio.wait({self._starting}, timeout=max(_SHORTEST, seconds))
        if not done:
            raise ModelError(msg("The model is still being loaded."), msg("A later decision can use it."))
        starting, self._starting = self._starting, None
        try:
            self._child = starting.result()
            self._load = self._child.order  # what was learnt about this machine
        except ProcessEnded:
            self._count_crash()
            raise
        return self._child

    def _refuse_while_crashing(self) -> None:
        wait = self._not_before - self._clock.monotonic()
        if wait > 0:
            raise ModelError(
                msg(
                    "The model process crashed {crashes} times in a row and is left alone for {wait:.0f} s.",
                    crashes=self._crashes,
                    wait=wait,
                ),
                msg("Run `heed model check` on the model file, or lower models.llama.context_tokens."),
            )

    async def _end(self) -> None:
        starting, self._starting = self._starting, None
        if starting is not None:
            starting.cancel()
            await asyncio.wait({starting})
        child, self._child = self._child, None
        if child is not None:
            await child.end()

    def _count_crash(self) -> None:
        self._crashes += 1
        if self._crashes > 1:
            delay = min(_LONGEST_DELAY, _FIRST_DELAY * 2.0 ** (self._crashes - 2))
            self._not_before = self._clock.monotonic() + delay

    def _start_idling(self) -> None:
        if self._config.idle_unload and self._child is not None:
            self._idle = asyncio.create_task(self._unload_when_idle())

    def _stop_idling(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None

    async def _unload_when_idle(self) -> None:
        await asyncio.sleep(self._config.idle_unload)
        async with self._turn:
            _log.info("the model was idle and leaves memory")
            await self._end()


async def _loaded(load: LoadOrder) -> "_Child":
    """A new process with the model in memory; none is left behind when that fails or is cancelled.

    A crash of the CPU's special kernels is answered by doing without them.
    """
    child = await _Child.spawn(load)
    ready = False
    try:
        await child.load(load.config.load_timeout)
        ready = True
    except ProcessEnded as error:
        if error.how not in _KERNEL_FAULTS or not load.config.repack:
            raise
    finally:
        if not ready:
            await child.end()
    if ready:
        return child
    _log.warning("the model crashed on rearranged weights and is loaded again without (models.llama.repack)")
    return await _loaded(load.model_copy(update={"config": load.config.model_copy(update={"repack": False})}))


class _Child:
    """One run of the process."""

    loaded: LoadReply

    def __init__(self, process: asyncio.subprocess.Process, load: LoadOrder) -> None:
        self._process = process
        self.order = load
        self._errors: deque[str] = deque(maxlen=20)
        self._watching = asyncio.create_task(self._watch_errors())
        self._pending: asyncio.Task[Reply] | None = None

    @classmethod
    async def spawn(cls, load: LoadOrder) -> "_Child":
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", "models.llama.child",  # -P: never import from the folder heed is run in
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            limit=_LONGEST_LINE, start_new_session=True,  # Ctrl-C is the daemon's to handle
            env={**os.environ, "GGML_NO_BACKTRACE": "1"},  # or an abort would start a debugger
        )  # fmt: skip
        return cls(process, load)

    @property
    def pid(self) -> int:
        return self._process.pid

    async def load(self, timeout: float) -> None:
        """Wait until the model is in memory."""
        reply = await self._ask(self.order.model_dump_json(), 0, timeout)
        if isinstance(reply, FailureReply):
            raise ModelError(reply.message, reply.remedy)
        if not isinstance(reply, LoadReply):
            raise Bug(f"The model process answered its first order with {reply.reply!r}.")
        self.loaded = reply

    async def ask(self, order: WarmOrder | DecideOrder, timeout: float) -> Reply:
        """The reply to ``order``. When the caller is cancelled, so is the order."""
        try:
            return await self._ask(order.model_dump_json(), order.id, timeout)
        except asyncio.CancelledError:
            self._write(CancelOrder(id=order.id).model_dump_json())
            raise

    async def settled(self, grace: float) -> bool:
        """Whether the process is ready for an order, once a cancelled one has stopped."""
        if self._pending is not None and not self._pending.done():
            await asyncio.wait({self._pending}, timeout=grace)
        stopped = self._pending is None or (self._pending.done() and self._pending.exception() is None)
        return stopped and self._process.returncode is None

    async def end(self) -> None:
        """Close its stdin, and kill it if that is not enough."""
        if self._pending is not None:
            self._pending.cancel()
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            async with asyncio.timeout(_EXIT_GRACE):
                await self._process.wait()
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
        await asyncio.wait({self._watching}, timeout=_EXIT_GRACE)

    async def _ask(self, line: str, order: int, timeout: float) -> Reply:
        self._write(line)
        self._pending = asyncio.create_task(self._read(order))
        done, _ = await asyncio.wait({self._pending}, timeout=timeout)
        if not done:
            self._process.kill()
            raise ProcessEnded(
                msg("The model process did not answer within {timeout:.0f} s and was ended.", timeout=timeout),
                msg("The next decision starts it again; a smaller model or context answers faster."),
            )
        return self._pending.result()

    async def _read(self, order: int) -> Reply:
        """The reply to ``order``; those to earlier, cancelled ones are dropped."""
        stdout = self._process.stdout
        while stdout is not None and (line := await stdout.readline()):
            reply = REPLIES.validate_json(line)
            if reply.id == order:
                return reply
        raise await self._obituary()

    def _write(self, line: str) -> None:
        if self._process.stdin is not None and not self._process.stdin.is_closing():
            self._process.stdin.write(line.encode() + b"\n")

    async def _obituary(self) -> ProcessEnded:
        code = await self._process.wait()
        await asyncio.wait({self._watching}, timeout=_EXIT_GRACE)
        by = signal.Signals(-code) if code < 0 else None
        how = by.name if by else f"exit code {code}"
        last = self._errors[-1] if self._errors else ""
        if code == -signal.SIGKILL or any(word in line.lower() for line in self._errors for word in _MEMORY_WORDS):
            return ProcessEnded(
                msg("The model process was ended, most likely for want of memory ({how}).", how=how),
                msg("Lower models.llama.context_tokens, set models.llama.kv_type to q8_0, or choose a smaller model."),
                by,
            )
        return ProcessEnded(
            msg("The model process crashed ({how}: {last}).", how=how, last=last)
            if last
            else msg("The model process crashed ({how}).", how=how),
            msg("The next decision starts it again; if it happens often, run `heed model check` on the model file."),
            by,
        )

    async def _watch_errors(self) -> None:
        stderr = self._process.stderr
        while stderr is not None and (line := await stderr.readline()):
            text = line.decode("utf-8", "replace").rstrip()
            self._errors.append(text)
            _log.debug("model process: %s", text)


def _failure(reply: FailureReply, timeout: float) -> ModelError:
    if reply.stopped:
        return _too_slow(timeout)
    kind = PromptTooLongError if reply.too_long else ModelError
    return kind(reply.message, reply.remedy)


def _too_slow(timeout: float) -> ModelError:
    return ModelError(
        msg("The model did not answer within {timeout:.0f} s.", timeout=timeout),
        msg("Give it more time, lower models.llama.image_tokens, or choose a smaller model."),
    )


def new_process(
    model: Path, mmproj: Path | None, config: LlamaConfig, prefixes: Path, clock: Clock, adapter: Path | None = None
) -> ModelProcess:
    """A process, not started yet, for the given files."""
    load = LoadOrder(
        model=str(model),
        mmproj=str(mmproj or ""),
        adapter=str(adapter or ""),
        config=config,
        prefix_folder=str(prefixes),
    )
    return ModelProcess(load, clock)
