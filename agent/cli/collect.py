"""``heed collect``: print the current context."""

import asyncio
from typing import Annotated

import typer
from rich.markup import escape

from agent.cli.options import ConfigOption, JsonOption, SerialOption, load_config
from agent.cli.output import as_data, console, print_json
from agent.compose import phone_agent
from agent.config import Config
from agent.loop import control_socket as control
from agent.loop.daemon_requests import ContextRequest
from collectors.context import Context, Dimension, RenderedContext, Trigger, TriggerKind
from collectors.wording import render
from heed.errors import ExitCode, PersonError
from heed.language import Language


def register(app: typer.Typer) -> None:
    """Add ``collect``."""
    app.command()(collect)


def collect(
    serial: SerialOption = "",
    dimension: Annotated[Dimension | None, typer.Option("--dimension", help="Print one dimension only.")] = None,
    language: Annotated[Language | None, typer.Option("--language", help="Language of the text.")] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Collect the context once and print its four dimensions."""
    settings = load_config(config, serial)
    context = asyncio.run(_collect(settings))
    hidden = [item for item in Dimension if dimension not in (None, item)]
    if as_json:
        print_json(as_data(context, exclude={item.value for item in hidden}))
        return
    words = render(context, language or settings.language)
    for item in Dimension:
        if item not in hidden:
            console.print(f"[bold]{item.value}[/]\n{escape(_text(words, item))}\n")


async def _collect(settings: Config) -> Context:
    """Ask the daemon where one runs: only its context holds the trajectory of the last minutes."""
    if control.is_running():
        try:
            return Context.model_validate(await control.call(ContextRequest(serial=settings.bridge.serial)))
        except PersonError as refusal:  # it monitors another phone, so this process may connect to this one
            if refusal.exit_code is not ExitCode.NO_DEVICE:
                raise
    async with phone_agent(settings) as agent:
        return await agent.read_context(Trigger(kind=TriggerKind.CLOCK))


def _text(words: RenderedContext, dimension: Dimension) -> str:
    return {
        Dimension.PROFILE: words.profile,
        Dimension.DEVICE: words.phone,
        Dimension.WORLD: words.world,
        Dimension.TRAJECTORY: "\n".join(words.trace),
    }[dimension]
