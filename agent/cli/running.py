"""``heed run`` and ``heed status``: the daemon."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated

import typer
from pydantic import TypeAdapter

from agent import control
from agent.cli.common import ConfigOption, JsonOption, SerialOption, console, load_config, print_json, run
from agent.compose import compose
from agent.config import Config
from agent.consent import Channel
from agent.control import Request
from agent.daemon import Daemon, PhoneStatus
from agent.narration import Narrator
from agent.terminal import TerminalChannel
from android_bridge.adb import AdbServer
from android_bridge.device import choose, phones
from heed.errors import PersonError


def register(app: typer.Typer) -> None:
    """Add ``run`` and ``status``."""
    app.command(name="run")(run_daemon)
    app.command(name="status")(show_status)


def run_daemon(
    serial: SerialOption = "",
    everyone: Annotated[bool, typer.Option("--all", help="Attend every phone.")] = False,
    wait: Annotated[bool, typer.Option("--wait", help="Start even while no phone is connected.")] = False,
    config: ConfigOption = None,
) -> None:
    """Attend a phone: notice, ask, act, remember. Ctrl-C ends it."""
    settings = load_config(config, serial)
    if control.is_running():
        raise PersonError("A daemon is running already.", "See `heed status`.")
    run(_attend(settings, everyone=everyone, wait=wait))


async def _attend(settings: Config, *, everyone: bool, wait: bool) -> None:
    async with _until_sigterm(), compose(settings) as household:
        await household.server.ensure_running()
        wanted = None if everyone else {await _serial(household.server, settings.bridge.serial, wait=wait)}
        channels: list[Channel] = [TerminalChannel(console, settings.language)] if sys.stdin.isatty() else []
        console.print(f"heed attends {'every phone' if wanted is None else ', '.join(wanted)}. Ctrl-C ends it.")
        narrator = Narrator(console, settings.language)
        await Daemon(household, wanted=wanted, channels=channels, listen=narrator.tell).run()


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
    load_config(config)
    if not control.is_running():
        raise PersonError("No daemon is running.", "Start one with `heed run`.")
    phones = run(control.call(Request(op="status")))
    if as_json:
        print_json(phones)
        return
    for status in TypeAdapter(list[PhoneStatus]).validate_python(phones):
        console.print(f"{status.serial}\t{status.state}\t{status.reason}")
