"""``heed run``: the daemon."""

import asyncio
import logging
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated

import typer
from pydantic import JsonValue

from agent.channels.channels import OutsideChannels
from agent.cli.options import ConfigOption, SerialOption, load_config
from agent.cli.progress_printer import ProgressPrinter
from agent.compose import Runtime, chosen_serial, compose
from agent.config import Config
from agent.consent.request import Channel
from agent.consent.terminal import TerminalChannel
from agent.loop import control_socket as control
from agent.loop.daemon import Daemon
from agent.loop.daemon_requests import DaemonRequest, ForgetRequest
from agent.loop.pausing import DaemonPause
from agent.loop.progress import every
from agent.maintenance.forget import DeletionScope, delete_data
from heed import __version__, logs
from heed.errors import ModelError, PersonError
from heed.messages import Text, message_of, msg, translate
from heed.printing import console, say
from models.vlm import VlmReasoner

log = logging.getLogger(__name__)

LOADING_TIMEOUT = 900.0
"""Seconds for loading a model and evaluating its instructions: minutes for a large model on a slow CPU."""


def register(app: typer.Typer) -> None:
    """Add ``run``."""
    app.command(name="run")(run_daemon)


def run_daemon(
    serial: SerialOption = "",
    every_phone: Annotated[bool, typer.Option("--all", help="Monitor every phone.")] = False,
    wait: Annotated[bool, typer.Option("--wait", help="Start even while no phone is connected.")] = False,
    with_console: Annotated[
        bool | None, typer.Option("--console/--no-console", help="Serve the web console on this machine.")
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Monitor a phone: decide at each trigger, ask, act after consent, record. Ctrl-C ends it."""
    flags = {} if with_console is None else {"console": {"enabled": with_console}}
    settings = load_config(config, serial, **flags)
    if control.is_running():
        raise PersonError(msg("A daemon is running already."), msg("See `heed status`."))
    logs.write_to_file()
    asyncio.run(_run(settings, every_phone=every_phone, wait=wait))


async def _run(settings: Config, *, every_phone: bool, wait: bool) -> None:
    """Run the daemon; after a deletion that the owner asked for, run it anew."""
    deletion: tuple[Text, ...] = ()
    async with _until_sigterm():
        while True:
            wanted, request = await _monitor(settings, every_phone=every_phone, wait=wait, deletion=deletion)
            deletion = _delete(settings, request)
            for line in deletion:
                say(line, settings.language)
            # The phone that was chosen may be away now.
            wait = True
            if wanted is not None:
                (serial,) = wanted
                settings = settings.model_copy(update={"bridge": settings.bridge.model_copy(update={"serial": serial})})


def _delete(settings: Config, request: ForgetRequest) -> tuple[Text, ...]:
    """Delete what the owner named; what was deleted, or why nothing was."""
    try:
        report = delete_data(settings, DeletionScope(app=request.app.strip(), person=request.person.strip()))
    except PersonError as error:
        return (message_of(error),)
    return tuple(report.lines())


async def _monitor(
    settings: Config, *, every_phone: bool, wait: bool, deletion: tuple[Text, ...]
) -> tuple[set[str] | None, ForgetRequest]:
    """One run of the daemon: the serials that it monitored, None = all, and the deletion that it ended for."""
    async with compose(settings) as runtime:
        log.info("heed %s begins; decides by %s", __version__, runtime.reasoners.first.name)
        await runtime.server.ensure_running()
        await _warm_up(runtime)
        wanted = None if every_phone else {await _serial(runtime, wait=wait)}
        channels: list[Channel] = [TerminalChannel(console, settings.language)] if sys.stdin.isatty() else []
        monitored = msg("every phone") if wanted is None else wanted
        say(msg("heed monitors {phones}. Ctrl-C ends it.", phones=monitored), settings.language)
        return wanted, await _run_daemon(runtime, wanted, channels, deletion)


async def _warm_up(runtime: Runtime) -> None:
    """Load a language model before the first decision, whose deadline is shorter than loading takes."""
    if not isinstance(runtime.reasoners.first, VlmReasoner):
        return
    try:
        loading = msg("Loading {name} …", name=runtime.reasoners.first.name)
        with console.status(translate(loading, runtime.config.language)):
            await runtime.reasoners.first.prepare(runtime.pool, timeout=LOADING_TIMEOUT)
    except ModelError as error:
        say(message_of(error), runtime.config.language)
        say(msg("Until then, heed stays silent."), runtime.config.language)


async def _run_daemon(
    runtime: Runtime, wanted: set[str] | None, terminal: list[Channel], deletion: tuple[Text, ...]
) -> ForgetRequest:
    """Run the daemon with the channels that are switched on, and the web console unless it is switched off."""

    async def answer(request: DaemonRequest) -> JsonValue:
        return await daemon.answer(request)

    printer = ProgressPrinter(console, runtime.config.language)
    outside = OutsideChannels(runtime.config, runtime.clock, DaemonPause(runtime.stores, runtime.clock, answer))
    channels = [*terminal, *outside.channels]
    if not runtime.config.console.enabled:
        daemon = Daemon(
            runtime,
            wanted=wanted,
            channels=channels,
            listen=every(printer.print, outside.listen),
            channel_statuses=outside.statuses,
        )
        async with outside.running():
            return await daemon.run()
    # The web server takes half a second to import, and only this command needs it.
    from agent.console.console import Console

    web_console = Console(runtime, deletion=deletion)
    daemon = Daemon(
        runtime,
        wanted=wanted,
        channels=[*channels, *web_console.channels],
        listen=every(printer.print, outside.listen, web_console.listen),
        console_link=web_console.link,
        console_address=web_console.address,
        end_sessions=web_console.end_sessions,
        changed=web_console.phones_changed,
        channel_statuses=outside.statuses,
    )
    async with outside.running(), web_console.serving(daemon.answer):
        say(msg("Console: {link}", link=web_console.link()), runtime.config.language)
        return await daemon.run()


@asynccontextmanager
async def _until_sigterm() -> AsyncIterator[None]:
    """End the block on SIGTERM by cancelling it, as Ctrl-C does, so that every task cleans up."""
    task, requested = asyncio.current_task(), asyncio.Event()

    def end() -> None:
        requested.set()
        if task is not None:
            task.cancel()

    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, end)
    try:
        yield
    except asyncio.CancelledError:
        if not requested.is_set():
            raise


async def _serial(runtime: Runtime, *, wait: bool) -> str:
    serial = runtime.config.bridge.serial
    if wait and serial:
        return runtime.stores.phones.addressed(serial)
    return await chosen_serial(runtime.server, runtime.stores, serial)
