"""``heed doctor``: check the installation."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from agent.cli.options import ConfigOption, JsonOption, SerialOption, load_config
from agent.cli.output import headed
from agent.cli.recording import record_phone
from agent.config import Config
from agent.maintenance.doctor import Check, CheckResult, clean_phones, run_checks
from heed.errors import ExitCode
from heed.language import Language
from heed.messages import msg, translate
from heed.printing import console, print_json
from heed.safe_text import safe_markup

_STYLE = {CheckResult.OK: "green", CheckResult.WARNING: "yellow", CheckResult.ERROR: "red"}


def register(app: typer.Typer) -> None:
    """Add ``doctor``."""
    app.command()(doctor)


def doctor(
    serial: SerialOption = "",
    clean_phone: Annotated[
        bool, typer.Option("--clean-phone", help="First remove what heed has put on the phones.")
    ] = False,
    recording: Annotated[
        Path | None,
        typer.Option("--record", metavar="FOLDER", help="Record what heed reads on the phone, scrubbed."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Keep the recording without confirmation.")] = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check Python, adb, phones, files and the reasoner; exit status 1 when a check ends in an error.

    With --record nothing is checked: every command that heed reads with is run once, names, numbers and addresses are
    replaced by invented ones, and the outputs are written to a new folder. They are shown, and kept when that is
    confirmed.
    """
    settings = load_config(config, serial)
    if recording is not None:
        record_phone(settings, recording, keep=yes)
        return
    if clean_phone:
        asyncio.run(clean_phones(settings))
    checks = asyncio.run(_checks(settings))
    if as_json:
        print_json(checks)
    else:
        console.print(_table(checks, settings.language))
    if any(check.result is CheckResult.ERROR for check in checks):
        raise typer.Exit(ExitCode.FAILURE)


async def _checks(settings: Config) -> list[Check]:
    return [check async for check in run_checks(settings)]


def _table(checks: list[Check], language: Language) -> Table:
    table = headed(msg("check"), msg("result"), msg("found"), msg("fix"), language=language)
    for check in checks:
        name, result, found, fix = (
            safe_markup(translate(text, language)) for text in (check.name, check.result, check.found, check.fix)
        )
        table.add_row(name, f"[{_STYLE[check.result]}]{result}[/]", found, fix)
    return table
