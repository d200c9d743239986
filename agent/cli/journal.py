"""``heed journal``: list the recorded decisions, or show one in full."""

from typing import Annotated

import typer
from rich.table import Table

from agent.cli.options import MAX_ROW_ID, ConfigOption, JsonOption, load_config
from agent.compose import open_stores
from agent.consent.terminal import print_outcome
from agent.journal import ActionRecord, ActionState, PlanRecord, Stores, TimelineEntry
from agent.wording import CHANNELS, WORDS, state_text, word
from collectors.wording import word_trigger
from executors.guided import progress_in
from executors.plan import Outcome
from executors.steps.player import DoneStep
from executors.wording import describe
from heed.language import Language
from heed.messages import msg, translate
from heed.printing import as_data, console, print_json, say
from heed.safe_text import safe_markup
from models.reasoner import Recommendation


def register(app: typer.Typer) -> None:
    """Add ``journal``."""
    app.command()(journal)


def journal(
    decision: Annotated[
        int | None, typer.Argument(min=1, max=MAX_ROW_ID, help="Number of one decision, shown in full.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="Number of decisions to list.")] = 20,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """List decisions with their triggers, answers and actions, newest first; or show one in full."""
    settings = load_config(config)
    with open_stores(settings) as stores:
        entries = [stores.journal.entry(decision)] if decision is not None else stores.journal.timeline(limit)
        if as_json:
            print_json([_full(entry, stores.journal.context(entry.decision.context_id)) for entry in entries])
        elif decision is not None:
            _show_entry(entries[0], stores.phones.name(entries[0].phone_id), settings.language)
        elif entries:
            console.print(_table(entries, stores, settings.language))
        else:
            console.print(word("journal_empty", settings.language))


def _full(entry: TimelineEntry, context: object) -> dict[str, object]:
    return {**as_data(entry), "context": context}


def _table(entries: list[TimelineEntry], stores: Stores, language: Language) -> Table:
    table = Table(box=None, header_style="dim")
    for heading in ("decision", "time", "phone", "because_of", "said", "answer", "actions"):
        table.add_column(word(heading, language))
    for entry in entries:
        decision = entry.decision
        trigger = word_trigger(stores.journal.context(decision.context_id), language)
        said = decision.recommendation.rec if entry.plan else f"({translate(decision.reason, language)})"
        actions = ", ".join(f"#{action.id} {_state(action, language)}" for action in entry.actions)
        answer = word(entry.plan.answer, language) if entry.plan and entry.plan.answer else ""
        time = decision.at.astimezone().strftime("%m-%d %H:%M")
        phone = safe_markup(stores.phones.name(entry.phone_id))
        table.add_row(
            str(decision.id), time, phone, safe_markup(trigger), safe_markup(said), answer, safe_markup(actions)
        )
    return table


def _state(action: ActionRecord, language: Language) -> str:
    ended = action.state is ActionState.FINISHED and action.outcome is not None
    return state_text(action.outcome.kind if ended and action.outcome else action.state, language)


def _show_entry(entry: TimelineEntry, phone: str, language: Language) -> None:
    decision, recommendation = entry.decision, entry.decision.recommendation
    console.print(f"[bold]{_sentence(recommendation, language)}[/]")
    at = f"{decision.at.astimezone():%Y-%m-%d %H:%M}"
    say(
        msg("decision {id} · {at} · {phone} ({serial})", id=decision.id, at=at, phone=phone, serial=entry.serial),
        language,
    )
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
    console.print(f"{word('why', language)}: {safe_markup(recommendation.why.text)}")
    for item in recommendation.why.evidence:
        console.print(f"  [dim]{item.kind.value} {safe_markup(item.ref)}: {safe_markup(item.text)}[/]")
    if entry.plan is None:
        return
    answer = WORDS[entry.plan.answer] if entry.plan.answer else msg("none")
    where = CHANNELS.get(entry.plan.channel or "nobody", entry.plan.channel)
    say(
        msg(
            "plan {id} {hash} · answer: {answer} ({channel})",
            id=entry.plan.id,
            hash=entry.plan.hash[:16],
            answer=answer,
            channel=where,
        ),
        language,
    )
    for action in entry.actions:
        _show_action(action, language)
    for within in entry.within:
        _show_question(within, language)


def _sentence(recommendation: Recommendation, language: Language) -> str:
    return word("silent", language) if recommendation.silent else safe_markup(recommendation.rec)


def _show_action(action: ActionRecord, language: Language) -> None:
    state = _state(action, language)
    say(msg("action #{id} {function}: {state}", id=action.id, function=action.step.call.name, state=state), language)
    for effect in action.step.effects:
        console.print(f"  {word('will', language)}: {safe_markup(describe(effect, language))}")
    for command in action.step.commands:
        console.print(f"  [dim]{word('runs', language)}: {safe_markup(command)}[/]")
    for request in action.step.requests:
        console.print(f"  [dim]{word('runs', language)}: {safe_markup(request)}[/]")
    for number, done in enumerate(_proposed(action), start=1):
        text = describe(done.effect, language, done=done.halt is None)
        why = f" ({translate(done.halt.message, language)})" if done.halt else ""
        console.print(f"  {number}. {safe_markup(text + why)} [dim]{safe_markup(done.picture.path)}[/]")
    for outcome in (action.outcome, action.undo_outcome):
        if isinstance(outcome, Outcome):
            print_outcome(console, outcome, language)


def _proposed(action: ActionRecord) -> tuple[DoneStep, ...]:
    """The steps that a model proposed, in order."""
    run = progress_in(action.receipt)
    return run.did if run else ()


def _show_question(within: PlanRecord, language: Language) -> None:
    """A question about a last button, with its answer and the picture that was shown."""
    answer = WORDS[within.answer] if within.answer else msg("none")
    where = CHANNELS.get(within.channel or "nobody", within.channel)
    say(msg("asked again · answer: {answer} ({channel})", answer=answer, channel=where), language)
    for step in within.plan.steps:
        for effect in step.effects:
            console.print(f"  {word('will', language)}: {safe_markup(describe(effect, language))}")
        if step.press:
            console.print(f"  [dim]{word('picture', language)}: {safe_markup(step.press.picture.path)}[/]")
