"""``heed journal``, ``heed undo`` and ``heed replay``: what happened, taking it back, deciding it again."""

from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from agent.cli.common import (
    MOST,
    ConfigOption,
    JsonOption,
    MmprojOption,
    ModelOption,
    ReasonerOption,
    console,
    load_config,
    model_flags,
    print_json,
    run,
    say,
)
from agent.compose import compose, open_books
from agent.config import Config
from agent.consent.terminal import print_outcome
from agent.journal import ActionRecord, ActionState, Journal, TimelineEntry
from agent.loop import operations
from agent.wording import CHANNELS, WORDS, state_text, word
from collectors.wording import word_trigger
from executors.plan import Outcome
from executors.wording import describe
from heed.errors import ExitCode
from heed.language import Language
from heed.messages import msg, translate
from models.reasoner import Recommendation


def register(app: typer.Typer) -> None:
    """Add ``journal``, ``undo`` and ``replay``."""
    app.command()(journal)
    app.command()(undo)
    app.command()(replay)


def journal(
    decision: Annotated[int | None, typer.Argument(min=1, max=MOST, help="Show one decision in full.")] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="How many of the newest decisions.")] = 20,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """What was seen, decided, asked, answered and done; the newest first."""
    settings = load_config(config)
    with open_books(settings) as books:
        entries = [books.journal.entry(decision)] if decision is not None else books.journal.timeline(limit)
        if as_json:
            print_json([_full(entry, books.journal.context(entry.decision.context_id)) for entry in entries])
        elif decision is not None:
            _show_entry(entries[0], settings.language)
        elif entries:
            console.print(_table(entries, books.journal, settings.language))
        else:
            console.print(word("journal_empty", settings.language))


def undo(
    action: Annotated[int, typer.Argument(min=1, max=MOST, help="The action's number in `heed journal`.")],
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take one action back: restore what was recorded, and check that the phone shows it."""
    settings = load_config(config)
    outcome = run(operations.undo(settings, action))
    if as_json:
        print_json(outcome)
    else:
        print_outcome(console, outcome, settings.language)
    if not outcome.ok:
        raise typer.Exit(ExitCode.FAILURE)


def replay(
    decision: Annotated[int, typer.Argument(min=1, max=MOST, help="The decision's number in `heed journal`.")],
    reasoner: ReasonerOption = None,
    model: ModelOption = "",
    mmproj: MmprojOption = "",
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Decide again on a recorded context, with another reasoner or model; asks nobody, changes nothing."""
    settings = load_config(config, models=model_flags(reasoner, model, mmproj))
    entry, again = run(_replay(settings, decision))
    if as_json:
        print_json({"recorded": entry.decision.recommendation, "again": again})
        return
    for title, recommendation in ((msg("recorded"), entry.decision.recommendation), (msg("again"), again)):
        heading = translate(title, settings.language)
        console.print(
            f"[dim]{heading}, {recommendation.reasoner}:[/] [bold]{_sentence(recommendation, settings.language)}[/]"
        )
        for call in recommendation.calls:
            console.print(f"  {escape(call.name)} {escape(str(dict(call.parameters)))}", soft_wrap=True)
        console.print(f"  [dim]{escape(recommendation.why.text)}[/]", soft_wrap=True)


async def _replay(settings: Config, decision: int) -> tuple[TimelineEntry, Recommendation]:
    async with compose(settings) as household:
        entry = household.books.journal.entry(decision)
        context = household.books.journal.context(entry.decision.context_id)
        candidates = tuple(spec.name for spec in household.pool)
        timeout = settings.policy.decision_timeout
        return entry, await household.reasoner.recommend(context, household.pool, candidates, timeout=timeout)


def _full(entry: TimelineEntry, context: object) -> dict[str, object]:
    return {**entry.model_dump(mode="json"), "context": context}


def _table(entries: list[TimelineEntry], journal: Journal, language: Language) -> Table:
    table = Table(box=None, header_style="dim")
    for heading in ("decision", "time", "phone", "because_of", "said", "answer", "actions"):
        table.add_column(word(heading, language))
    for entry in entries:
        decision = entry.decision
        trigger = word_trigger(journal.context(decision.context_id), language)
        said = decision.recommendation.rec if entry.plan else f"({translate(decision.reason, language)})"
        actions = ", ".join(f"#{action.id} {_state(action, language)}" for action in entry.actions)
        answer = word(entry.plan.answer, language) if entry.plan and entry.plan.answer else ""
        time = decision.at.astimezone().strftime("%m-%d %H:%M")
        table.add_row(str(decision.id), time, entry.serial, escape(trigger), escape(said), answer, escape(actions))
    return table


def _state(action: ActionRecord, language: Language) -> str:
    ended = action.state is ActionState.FINISHED and action.outcome is not None
    return state_text(action.outcome.kind if ended and action.outcome else action.state, language)


def _show_entry(entry: TimelineEntry, language: Language) -> None:
    decision, recommendation = entry.decision, entry.decision.recommendation
    console.print(f"[bold]{_sentence(recommendation, language)}[/]")
    at = f"{decision.at.astimezone():%Y-%m-%d %H:%M}"
    say(msg("decision {id} · {at} · {serial}", id=decision.id, at=at, serial=entry.serial), language)
    say(
        msg(
            "trigger: {trigger} · {reasoner} · {decision}: {reason}",
            trigger=entry.trigger,
            reasoner=recommendation.reasoner,
            decision=decision.decision,
            reason=decision.reason,
        ),
        language,
    )
    console.print(f"{word('why', language)}: {escape(recommendation.why.text)}")
    for item in recommendation.why.evidence:
        console.print(f"  [dim]{item.kind.value} {escape(item.ref)}: {escape(item.text)}[/]")
    if entry.plan is None:
        return
    answer = WORDS[entry.plan.answer] if entry.plan.answer else msg("none")
    where = CHANNELS.get(entry.plan.channel or "nobody", entry.plan.channel)
    say(
        msg(
            "plan {id} {hash} · answer: {answer} ({channel})",
            id=entry.plan.id,
            hash=entry.plan.plan.hash[:16],
            answer=answer,
            channel=where,
        ),
        language,
    )
    for action in entry.actions:
        _show_action(action, language)


def _sentence(recommendation: Recommendation, language: Language) -> str:
    return word("silent", language) if recommendation.silent else escape(recommendation.rec)


def _show_action(action: ActionRecord, language: Language) -> None:
    state = _state(action, language)
    say(msg("action #{id} {function}: {state}", id=action.id, function=action.step.call.name, state=state), language)
    for effect in action.step.effects:
        console.print(f"  {word('will', language)}: {escape(describe(effect, language))}")
    for command in action.step.commands:
        console.print(f"  [dim]{word('runs', language)}: {escape(command)}[/]")
    for request in action.step.requests:
        console.print(f"  [dim]{word('runs', language)}: {escape(request)}[/]")
    for outcome in (action.outcome, action.undo_outcome):
        if isinstance(outcome, Outcome):
            print_outcome(console, outcome, language)
