"""``heed init``: a first configuration, by asking, or with defaults when there is no terminal."""

import sys
from collections.abc import Sequence
from datetime import time
from typing import Annotated

import typer

from agent import config as configuration
from agent.cli.common import ConfigOption, console
from agent.setup import Choices, write_configuration
from heed.errors import UsageError
from heed.language import Language
from models.routines.situations import builtin_situations


def register(app: typer.Typer) -> None:
    """Add ``init``."""
    app.command()(init)


def init(
    config: ConfigOption = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing configuration.")] = False,
    defaults: Annotated[bool, typer.Option("--defaults", help="Ask nothing.")] = False,
) -> None:
    """Write a first configuration: profile, language, quiet hours, situations, apps never looked at."""
    path = config or configuration.default_path()
    if path.exists() and not force:
        raise UsageError(f"{path} exists already.", "Edit it, or replace it with `heed init --force`.")
    choices = Choices() if defaults or not sys.stdin.isatty() else _ask()
    profile = write_configuration(path, choices)
    configuration.load(path)
    console.print(
        f"Wrote {path}\n  and {profile}, your profile: what you write there stays on this machine.", soft_wrap=True
    )
    console.print("Next: connect a phone with USB debugging on (or `heed phone`), then `heed run`.", soft_wrap=True)


def _ask() -> Choices:
    default = Choices()
    situations = builtin_situations()
    return Choices(
        language=Language(typer.prompt("Language (en, zh)", default=default.language.value, value_proc=Language)),
        quiet_from=typer.prompt("Quiet hours from", default="00:00", value_proc=time.fromisoformat),
        quiet_until=typer.prompt("Quiet hours until", default="07:00", value_proc=time.fromisoformat),
        country=typer.prompt("Country for public holidays (two letters)", default="", show_default=False).upper(),
        situations=_ask_situations([(item.id, item.about.en) for item in situations]),
        excluded_apps=tuple(
            word.strip()
            for word in typer.prompt("Apps never looked at (packages, comma-separated)", default="").split(",")
            if word.strip()
        ),
    )


def _ask_situations(offered: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    console.print("Situations heed may speak up in, beside the habits it learns:")
    return tuple(key for key, title in offered if typer.confirm(f"  {title}?", default=True))
