"""``heed forget``: delete stored data and report what is left."""

from datetime import datetime, timedelta
from typing import Annotated

import typer

from agent.cli.options import ConfigOption, JsonOption, load_config
from agent.maintenance.forget import DeletionScope, delete_data, require_no_daemon
from heed.clock import SystemClock
from heed.errors import DeclinedError, ExitCode, UsageError
from heed.messages import msg, translate
from heed.printing import print_json, say


def register(app: typer.Typer) -> None:
    """Add ``forget``."""
    app.command()(forget)


def forget(
    before: Annotated[str, typer.Option(help="Delete what is older than a date (YYYY-MM-DD) or an age (30d).")] = "",
    app: Annotated[str, typer.Option(help="Delete what names this app: a package or a visible name.")] = "",
    person: Annotated[str, typer.Option(help="Delete what names this person: a name or a phone number.")] = "",
    everything: Annotated[
        bool, typer.Option("--everything", help="Delete every file of heed but configuration and profile.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Delete without confirmation.")] = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Delete stored data by time, by app, by person or entirely, and report what is left in each place."""
    settings = load_config(config)
    scope = DeletionScope(
        before=_parse_time(before) if before else None, app=app.strip(), person=person.strip(), everything=everything
    )
    if scope.choices != 1:
        raise UsageError(
            msg("Say what to forget, one at a time: --before DATE, --app APP, --person NAME or --everything.")
        )
    require_no_daemon()
    if not yes and not typer.confirm(translate(msg("This cannot be undone. Forget it?"), settings.language)):
        raise DeclinedError(msg("Nothing was deleted."))
    report = delete_data(settings, scope)
    if as_json:
        print_json(report)
    else:
        for line in report.lines():
            say(line, settings.language)
    if not report.complete:
        raise typer.Exit(ExitCode.FAILURE)


def _parse_time(text: str) -> datetime:
    now = SystemClock().wall()
    try:
        if text.endswith("d") and text[:-1].isdigit():
            return now - timedelta(days=int(text[:-1]))
        return datetime.fromisoformat(text).replace(tzinfo=now.tzinfo)
    except (ValueError, OverflowError) as error:
        raise UsageError(msg("{text!r} is neither a date (2026-11-20) nor an age (30d).", text=text)) from error
