"""``heed replay``: decide again on a recorded context."""

import asyncio
from typing import Annotated

import typer

from agent.cli.options import (
    MAX_ROW_ID,
    ConfigOption,
    JsonOption,
    MmprojOption,
    ModelOption,
    ReasonerOption,
    load_config,
    model_flags,
)
from agent.compose import compose
from agent.config import Config
from agent.journal import TimelineEntry
from agent.wording import word
from heed.language import Language
from heed.messages import Message, msg, translate
from heed.printing import console, print_json
from heed.safe_text import safe_markup
from models.reasoner import Recommendation


def register(app: typer.Typer) -> None:
    """Add ``replay``."""
    app.command()(replay)


def replay(
    decision: Annotated[int, typer.Argument(min=1, max=MAX_ROW_ID, help="The decision's number in `heed journal`.")],
    reasoner: ReasonerOption = None,
    model: ModelOption = "",
    mmproj: MmprojOption = "",
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Decide again on a recorded context, with another reasoner or model; asks and changes nothing."""
    settings = load_config(config, models=model_flags(reasoner, model, mmproj))
    entry, again = asyncio.run(_replay(settings, decision))
    if as_json:
        print_json({"recorded": entry.decision.recommendation, "again": again})
        return
    _show(msg("recorded"), entry.decision.recommendation, settings.language)
    _show(msg("again"), again, settings.language)


async def _replay(settings: Config, decision: int) -> tuple[TimelineEntry, Recommendation]:
    async with compose(settings) as runtime:
        entry = runtime.stores.journal.entry(decision)
        context = runtime.stores.journal.context(entry.decision.context_id)
        withheld = entry.decision.recommendation.withheld
        candidates = tuple(spec.name for spec in runtime.pool if spec.name not in withheld)
        timeout = settings.policy.decision_timeout
        return entry, await runtime.reasoners.first.recommend(context, runtime.pool, candidates, timeout=timeout)


def _show(title: Message, recommendation: Recommendation, language: Language) -> None:
    sentence = word("silent", language) if recommendation.silent else safe_markup(recommendation.rec)
    console.print(f"[dim]{translate(title, language)}, {safe_markup(recommendation.reasoner)}:[/] [bold]{sentence}[/]")
    for call in recommendation.calls:
        console.print(f"  {safe_markup(call.name)} {safe_markup(str(dict(call.shown)))}", soft_wrap=True)
    console.print(f"  [dim]{safe_markup(recommendation.why.text)}[/]", soft_wrap=True)
