"""``heed doctor``, ``heed config`` and ``heed service``: keeping it running."""

import sys
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from agent import config as configuration
from agent.cli.common import ConfigOption, JsonOption, SerialOption, console, headed, load_config, print_json, run, say
from agent.config import Config
from agent.maintenance import service as units
from agent.maintenance.doctor import Check, Verdict, examine
from heed.errors import ExitCode
from heed.language import Language
from heed.messages import msg, translate

_STYLE = {Verdict.OK: "green", Verdict.NOTE: "yellow", Verdict.BAD: "red"}
_WORDS = {Verdict.OK: msg("ok"), Verdict.NOTE: msg("attention"), Verdict.BAD: msg("bad")}


def register(app: typer.Typer) -> None:
    """Add ``doctor``, ``config`` and ``service``."""
    app.command()(doctor)
    app.command(name="config")(show_config)
    app.add_typer(_service, name="service")


def doctor(serial: SerialOption = "", config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Check machine, adb, phone, files and reasoner: verdict and fix; exit status 1 when something is bad."""
    settings = load_config(config, serial)
    checks = run(_examined(settings))
    if as_json:
        print_json(checks)
    else:
        console.print(_table(checks, settings.language))
    if any(check.verdict is Verdict.BAD for check in checks):
        raise typer.Exit(ExitCode.FAILURE)


async def _examined(settings: Config) -> list[Check]:
    return [check async for check in examine(settings)]


def _table(checks: list[Check], language: Language) -> Table:
    table = headed(msg("check"), msg("verdict"), msg("found"), msg("fix"), language=language)
    for check in checks:
        name, verdict, found, fix = (
            escape(translate(text, language)) for text in (check.name, _WORDS[check.verdict], check.found, check.fix)
        )
        table.add_row(name, f"[{_STYLE[check.verdict]}]{verdict}[/]", found, fix)
    return table


def show_config(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """The configuration in force: file, environment and defaults together; secrets are not shown."""
    settings = load_config(config)
    path = config or configuration.default_path()
    if as_json:
        print_json({"file": str(path), "exists": path.exists(), "config": settings.model_dump(mode="json")})
        return
    if path.exists():
        console.print(f"[dim]# {path}[/]", soft_wrap=True)
    else:
        say(msg("# {path} (does not exist: defaults)", path=path), settings.language, style="dim")
    for name, value in _flat(settings.model_dump(mode="json")):
        console.print(f"{name} = {escape(repr(value))}", soft_wrap=True)


def _flat(values: dict[str, object], prefix: str = "") -> list[tuple[str, object]]:
    rows: list[tuple[str, object]] = []
    for name, value in values.items():
        if isinstance(value, dict):
            rows += _flat(value, f"{prefix}{name}.")
        else:
            rows.append((f"{prefix}{name}", value))
    return rows


_service = typer.Typer(help="Run heed with your session, as a systemd user unit.", no_args_is_help=True)


@_service.command()
def install(
    serial: SerialOption = "",
    start: Annotated[bool, typer.Option("--start/--no-start", help="Start it now.")] = True,
) -> None:
    """Write the unit, enable it and start it."""
    path = units.install(sys.executable, serial, start=start)
    say(msg("Wrote {path}. `heed status` shows how it is doing.", path=path))


@_service.command()
def uninstall() -> None:
    """Stop it and remove the unit."""
    say(msg("Removed {path}.", path=units.uninstall()))


@_service.command(name="print")
def show(serial: SerialOption = "") -> None:
    """The unit as it would be written."""
    sys.stdout.write(units.unit(sys.executable, serial))
