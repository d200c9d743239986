"""``heed collect``: print the current context."""

import asyncio
from typing import Annotated

import typer

from agent.cli.options import ConfigOption, JsonOption, SerialOption, load_config
from agent.compose import reading_agent
from agent.config import Config
from agent.loop import control_socket as control
from agent.loop.daemon_requests import ContextRequest
from collectors.context import Context, Dimension, RenderedContext, Section, Trigger, TriggerKind
from collectors.wording import render
from heed.language import Language
from heed.printing import as_data, console, print_json
from heed.safe_text import safe_markup, safe_text, safe_value

_LONGEST = 200_000
"""Characters of one section."""


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
    words = render(_safe(context), language or settings.language)
    for item in Dimension:
        if item not in hidden:
            console.print(f"[bold]{item.value}[/]\n{safe_markup(_text(words, item), multiline=True, limit=_LONGEST)}\n")


async def _collect(settings: Config) -> Context:
    """Ask the daemon where one runs: only its context holds the trajectory of the last minutes."""
    found = await control.call_if_monitored(ContextRequest(serial=settings.bridge.serial))
    if found is not None:
        return Context.model_validate(found)
    async with reading_agent(settings) as agent:
        return await agent.read_context(Trigger(kind=TriggerKind.CLOCK))


def _safe(context: Context) -> Context:
    """The context with the texts of its facts on one line each, so that none can pose as another."""
    trigger = context.trigger.model_copy(update={"data": safe_value(dict(context.trigger.data))})
    sections = {item.value: _safe_section(getattr(context, item.value)) for item in Dimension}
    return context.model_copy(update={"trigger": trigger, "place": safe_text(context.place), **sections})


def _safe_section(section: Section) -> Section:
    facts = tuple(fact.model_copy(update={"value": safe_value(fact.value)}) for fact in section.facts)
    return section.model_copy(update={"facts": facts})


def _text(words: RenderedContext, dimension: Dimension) -> str:
    return {
        Dimension.PROFILE: words.profile,
        Dimension.DEVICE: words.phone,
        Dimension.WORLD: words.world,
        Dimension.TRAJECTORY: "\n".join(words.trace),
    }[dimension]
