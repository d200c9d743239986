"""``heed run``, ``heed status`` and ``heed console``: the daemon."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated

import typer
from pydantic import TypeAdapter

from agent.cli.common import ConfigOption, JsonOption, SerialOption, console, load_config, print_json, run, say
from agent.cli.narrator import Narrator
from agent.compose import Household, compose
from agent.config import Config
from agent.consent.request import Channel
from agent.consent.terminal import TerminalChannel
from agent.console.browser import has_display, open_page
from agent.loop import control_socket as control
from agent.loop.control_socket import Request
from agent.loop.daemon import Daemon, PhoneStatus
from agent.loop.progress import every
from agent.wording import state_text
from android_bridge.adb import AdbServer
from android_bridge.device import choose, phones
from heed.errors import ModelError, PersonError
from heed.messages import message_of, msg, translate
from models.vlm import VlmReasoner

LOADING = 900.0
"""Seconds that a model may take to be loaded and to read its instructions: a large one on a slow CPU takes minutes."""


def register(app: typer.Typer) -> None:
    """Add ``run``, ``status`` and ``console``."""
    app.command(name="run")(run_daemon)
    app.command(name="status")(show_status)
    app.command(name="console")(open_console)


def run_daemon(
    serial: SerialOption = "",
    everyone: Annotated[bool, typer.Option("--all", help="Attend every phone.")] = False,
    wait: Annotated[bool, typer.Option("--wait", help="Start even while no phone is connected.")] = False,
    with_console: Annotated[
        bool | None, typer.Option("--console/--no-console", help="Serve the web console on this machine.")
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Attend a phone: notice, ask, act, remember. Ctrl-C ends it."""
    flags = {} if with_console is None else {"console": {"enabled": with_console}}
    settings = load_config(config, serial, **flags)
    if control.is_running():
        raise PersonError(msg("A daemon is running already."), msg("See `heed status`."))
    run(_attend(settings, everyone=everyone, wait=wait))


async def _attend(settings: Config, *, everyone: bool, wait: bool) -> None:
    async with _until_sigterm(), compose(settings) as household:
        await household.server.ensure_running()
        await _warm_up(household)
        wanted = None if everyone else {await _serial(household.server, settings.bridge.serial, wait=wait)}
        channels: list[Channel] = [TerminalChannel(console, settings.language)] if sys.stdin.isatty() else []
        attended = msg("every phone") if wanted is None else wanted
        say(msg("heed monitors {phones}. Ctrl-C ends it.", phones=attended), settings.language)
        await _attend_and_show(household, wanted, channels)


async def _warm_up(household: Household) -> None:
    """Have a language model ready before the first decision, which has a deadline that loading would miss."""
    if not isinstance(household.reasoner, VlmReasoner):
        return
    try:
        with console.status(
            translate(msg("Loading {name} …", name=household.reasoner.name), household.config.language)
        ):
            await household.reasoner.prepare(household.pool, timeout=LOADING)
    except ModelError as error:
        say(message_of(error), household.config.language)
        say(msg("Until then, heed stays silent."), household.config.language)


async def _attend_and_show(household: Household, wanted: set[str] | None, channels: list[Channel]) -> None:
    """The daemon, with the web console unless it is switched off."""
    # The web server takes half a second to import, and only this command needs it.
    from agent.console.console import Console

    narrator = Narrator(console, household.config.language)
    if not household.config.console.enabled:
        await Daemon(household, wanted=wanted, channels=channels, listen=narrator.tell).run()
        return
    page = Console(household)
    daemon = Daemon(
        household,
        wanted=wanted,
        channels=[*channels, *page.channels],
        listen=every(narrator.tell, page.listen),
        console_link=page.link,
    )
    async with page.serving(daemon.answer):
        say(msg("Console: {link}", link=page.link()), household.config.language)
        await daemon.run()


def open_console(
    no_open: Annotated[bool, typer.Option("--print", help="Only print the link.")] = False,
    config: ConfigOption = None,
) -> None:
    """Open the web console of the running daemon; its link works once, in one browser."""
    load_config(config)
    if not control.is_running():
        raise PersonError(msg("No daemon is running."), msg("Start one with `heed run`."))
    link = str(run(control.call(Request(op="console"))))
    console.print(link, soft_wrap=True)
    if not no_open and has_display():
        open_page(link)


@asynccontextmanager
async def _until_sigterm() -> AsyncIterator[None]:
    """SIGTERM ends the block quietly; like after Ctrl-C, every task has cleaned up after itself."""
    task, asked = asyncio.current_task(), asyncio.Event()

    def end() -> None:
        asked.set()
        if task is not None:
            task.cancel()

    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, end)
    try:
        yield
    except asyncio.CancelledError:
        if not asked.is_set():
            raise


async def _serial(server: AdbServer, serial: str, *, wait: bool) -> str:
    if wait and serial:
        return serial
    return choose(await phones(server), serial)


def show_status(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """What the daemon is doing."""
    language = load_config(config).language
    if not control.is_running():
        raise PersonError(msg("No daemon is running."), msg("Start one with `heed run`."))
    phones = run(control.call(Request(op="status")))
    if as_json:
        print_json(phones)
        return
    for status in TypeAdapter(list[PhoneStatus]).validate_python(phones):
        console.print(f"{status.serial}\t{state_text(status.state, language)}\t{translate(status.reason, language)}")
