"""``heed init``: a first configuration, by asking, or with defaults when there is no terminal."""

import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import time
from typing import Annotated, TypeVar

import typer

from agent import config as configuration
from agent.cli.common import ConfigOption, console, say
from agent.maintenance.initial_configuration import Choices, write_configuration
from heed.errors import UsageError
from heed.language import Language
from heed.messages import Message, msg, translate
from models.routines.rules.situations import builtin_situations

T = TypeVar("T")


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
        raise UsageError(
            msg("{path} exists already.", path=path), msg("Edit it, or replace it with `heed init --force`.")
        )
    choices = Choices() if defaults or not sys.stdin.isatty() else _ask()
    profile = write_configuration(path, choices)
    configuration.load(path)
    say(
        msg(
            "Wrote {path}\n  and {profile}, your profile: what you write there stays on this machine.",
            path=path,
            profile=profile,
        ),
        choices.language,
    )
    say(msg("Next: connect a phone with USB debugging on (or `heed phone`), then `heed run`."), choices.language)


_ASKED: Mapping[str, Message] = {
    "quiet_from": msg("Quiet hours from"),
    "quiet_until": msg("Quiet hours until"),
    "country": msg("Country for public holidays (two letters; empty = the phone's)"),
    "situations": msg("Situations in which heed may make a suggestion, beside the habits it learns:"),
    "which": msg("Which? Their numbers, with commas; or all, or none"),
    "apps": msg("Apps that heed never reads (packages, with commas)"),
}


def _ask() -> Choices:
    language = _prompt("Language / 语言 (en, zh)", "en", Language, "en, zh")

    def words(name: str) -> str:
        return translate(_ASKED[name], language)

    quiet_from = _prompt(words("quiet_from"), "00:00", time.fromisoformat, "23:00")
    quiet_until = _prompt(words("quiet_until"), "07:00", time.fromisoformat, "07:00")
    country = _prompt(words("country"), "", _country, "CN, US")
    offered = builtin_situations()
    console.print(words("situations"))
    for number, situation in enumerate(offered, 1):
        console.print(f"  {number:2}  {situation.about.text(language)}", soft_wrap=True)
    names = tuple(situation.id for situation in offered)
    chosen = _prompt(words("which"), "none", lambda text: _chosen(text, names), f"1,3 / all / none (1-{len(names)})")
    return Choices(
        language=language,
        quiet_from=quiet_from,
        quiet_until=quiet_until,
        country=country,
        situations=chosen,
        excluded_apps=tuple(_parts(_prompt(words("apps"), "", str, ""))),
    )


def _prompt(words: str, default: str, read: Callable[[str], T], example: str) -> T:
    """Ask until ``read`` understands the answer; a ``ValueError`` of it shows the ``example``."""

    def understood(text: str) -> T:
        try:
            return read(text.strip())
        except ValueError as error:
            raise typer.BadParameter(f"{text!r} (e.g. {example})") from error

    answer: T = typer.prompt(words, default=default, show_default=bool(default), value_proc=understood)
    return answer


def _country(text: str) -> str:
    if text and not (len(text) == 2 and text.isascii() and text.isalpha()):
        raise ValueError(text)
    return text.upper()


def _chosen(text: str, names: Sequence[str]) -> tuple[str, ...]:
    """The names whose numbers, or own words, the answer holds."""
    match text.casefold():
        case "none" | "":
            return ()
        case "all":
            return tuple(names)
    return tuple(dict.fromkeys(_named(part, names) for part in _parts(text)))


def _named(word: str, names: Sequence[str]) -> str:
    if word in names:
        return word
    if not 1 <= int(word) <= len(names):
        raise ValueError(word)
    return names[int(word) - 1]


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.replace("，", ",").split(",") if part.strip()]
