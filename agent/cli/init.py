"""``heed init``: write a first configuration from questions, or from defaults where there is no terminal."""

import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import time
from typing import Annotated, TypeVar

import typer

from agent import config as configuration
from agent.cli.options import ConfigOption
from agent.maintenance.initial_configuration import InitialChoices, write_configuration
from collectors.apps import packages_of
from heed.errors import UsageError
from heed.language import Language
from heed.messages import Message, msg, translate
from heed.printing import console, say
from models.routines.rules.situations import builtin_situations

T = TypeVar("T")


def register(app: typer.Typer) -> None:
    """Add ``init``."""
    app.command()(init)


def init(
    config: ConfigOption = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing configuration.")] = False,
    defaults: Annotated[bool, typer.Option("--defaults", help="Use the defaults and ask nothing.")] = False,
) -> None:
    """Write a first configuration: language, quiet hours, country, situations, excluded apps; and a profile."""
    path = config or configuration.default_path()
    if path.exists() and not force:
        raise UsageError(
            msg("{path} exists already.", path=path), msg("Edit it, or replace it with `heed init --force`.")
        )
    choices = InitialChoices() if defaults or not sys.stdin.isatty() else _ask()
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


_QUESTIONS: Mapping[str, Message] = {
    "quiet_from": msg("Quiet hours from"),
    "quiet_until": msg("Quiet hours until"),
    "country": msg("Country for public holidays (two letters; empty = the phone's)"),
    "situations": msg("Situations in which heed may make a suggestion, beside the habits it learns:"),
    "which": msg("Which? Their numbers, with commas; or all, or none"),
    "apps": msg("Apps that heed never reads (names or packages, with commas)"),
}


def _ask() -> InitialChoices:
    language = _prompt("Language / 语言 (en, zh)", "en", Language, "en, zh")

    def question(name: str) -> str:
        return translate(_QUESTIONS[name], language)

    quiet_from = _prompt(question("quiet_from"), "00:00", time.fromisoformat, "23:00")
    quiet_until = _prompt(question("quiet_until"), "07:00", time.fromisoformat, "07:00")
    country = _prompt(question("country"), "", _country, "CN, US")
    offered = builtin_situations()
    console.print(question("situations"))
    for number, situation in enumerate(offered, 1):
        console.print(f"  {number:2}  {situation.about.text(language)}", soft_wrap=True)
    names = tuple(situation.id for situation in offered)
    usual = ",".join(str(number) for number, situation in enumerate(offered, 1) if situation.by_default)
    chosen = _prompt(question("which"), usual, lambda text: _chosen(text, names), f"1,3 / all / none (1-{len(names)})")
    return InitialChoices(
        language=language,
        quiet_from=quiet_from,
        quiet_until=quiet_until,
        country=country,
        situations=chosen,
        excluded_apps=tuple(_prompt(question("apps"), "", _apps, "WeChat, com.example.bank")),
    )


def _prompt(question: str, default: str, parse: Callable[[str], T], example: str) -> T:
    """Ask until ``parse`` accepts the answer; when it raises ``ValueError``, ``example`` is shown."""

    def parsed(text: str) -> T:
        try:
            return parse(text.strip())
        except ValueError as error:
            raise typer.BadParameter(f"{text!r} (e.g. {example})") from error

    answer: T = typer.prompt(question, default=default, show_default=bool(default), value_proc=parsed)
    return answer


def _country(text: str) -> str:
    if text and not (len(text) == 2 and text.isascii() and text.isalpha()):
        raise ValueError(text)
    return text.upper()


def _chosen(text: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names that the answer lists by number or by name."""
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


def _apps(text: str) -> list[str]:
    """Return the packages of the apps that the answer names."""
    return sorted({package for name in _parts(text) for package in packages_of(name)})


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.replace("，", ",").split(",") if part.strip()]
