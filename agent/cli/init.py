"""``heed init``: write a first configuration from options, questions, or defaults where there is no terminal."""

import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import time
from functools import partial
from typing import Annotated, NamedTuple, TypeVar

import typer

from agent import config as configuration
from agent.cli.options import ConfigOption
from agent.cli.situations import print_situations
from agent.cli.try_situation import play
from agent.maintenance.initial_configuration import InitialChoices, write_configuration
from collectors.apps import packages_of
from heed.errors import UsageError
from heed.language import Language, chosen
from heed.messages import Message, msg, translate
from heed.printing import say
from models.routines.rules.situations import builtin_situations

T = TypeVar("T")


def register(app: typer.Typer) -> None:
    """Add ``init``."""
    app.command()(init)


def init(
    config: ConfigOption = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing configuration.")] = False,
    defaults: Annotated[bool, typer.Option("--defaults", help="Use the defaults and ask nothing.")] = False,
    language: Annotated[str | None, typer.Option("--language", help="Language: en or zh.")] = None,
    quiet: Annotated[str | None, typer.Option("--quiet", help="Quiet hours, as 23:00-07:00.")] = None,
    country: Annotated[
        str | None, typer.Option("--country", help="Country for public holidays: two letters, or empty = the phone's.")
    ] = None,
    situations: Annotated[
        str | None,
        typer.Option("--situations", help="Situations: recommended, all, none, or their IDs with commas."),
    ] = None,
    exclude: Annotated[
        str | None, typer.Option("--exclude", help="Apps that heed never reads: names or packages, with commas.")
    ] = None,
    try_now: Annotated[str | None, typer.Option("--try", help="ID of a situation to try at the end, or no.")] = None,
) -> None:
    """Write a first configuration: language, quiet hours, country, situations, excluded apps; and a profile.

    In a terminal it asks for each answer that no option gives; elsewhere the default is taken.
    """
    path = config or configuration.default_path()
    if path.exists() and not force:
        raise UsageError(
            msg("{path} exists already.", path=path), msg("Edit it, or replace it with `heed init --force`.")
        )
    asks = sys.stdin.isatty() and not defaults
    answers = _Answers(asks=asks, language=_language(language, asks=asks))
    choices = InitialChoices(
        language=answers.language,
        **_quiet_hours(answers, quiet),
        country=answers.get(country, _QUESTIONS["country"], "", _country, "CN, US"),
        situations=_situations(answers, situations),
        excluded_apps=answers.get(exclude, _QUESTIONS["apps"], "", _apps, "WeChat, com.example.bank"),
    )
    to_try = None if try_now is None else _asked_to_try(answers, choices, try_now)
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
    if to_try is None and answers.asks:
        to_try = _asked_to_try(answers, choices, None)
    if to_try:
        play(path, to_try)
    elif not answers.asks:
        say(msg("Try one: `heed try {name}`.", name=next(iter(choices.situations), "low_battery")), choices.language)
    say(
        msg("Next: connect a phone (`heed pair`, or a cable with USB debugging on), then `heed run`."), choices.language
    )


_QUESTIONS: Mapping[str, Message] = {
    "quiet_from": msg("Quiet hours from"),
    "quiet_until": msg("Quiet hours until"),
    "country": msg("Country for public holidays (two letters; empty = the phone's)"),
    "recommended": msg("Make suggestions in these {count} situations? yes, or no to choose others"),
    "which": msg("Which? Their numbers, with commas; or all, or none"),
    "apps": msg("Apps that heed never reads (names or packages, with commas)"),
    "try": msg("Try one now? Its number or name, or no"),
}


class _Answers(NamedTuple):
    """Where answers come from: an option, a question in the terminal, or the default."""

    asks: bool
    language: Language

    def get(self, given: str | None, question: Message, default: str, parse: Callable[[str], T], example: str) -> T:
        """The answer, parsed; while ``parse`` raises ``ValueError`` a question is asked again with ``example``."""

        def parsed(text: str) -> T:
            try:
                return parse(text.strip())
            except ValueError as error:
                raise typer.BadParameter(f"{text!r} (e.g. {example})") from error

        if given is not None or not self.asks:
            return parsed(default if given is None else given)
        words = translate(question, self.language)
        answer: T = typer.prompt(words, default=default, show_default=bool(default), value_proc=parsed)
        return answer


def _language(given: str | None, *, asks: bool) -> Language:
    # The question is in both languages; the answers after it are in the one that is chosen here.
    answers, default = _Answers(asks=asks, language=Language.EN), chosen().value
    return answers.get(given, msg("Language / 语言 (en, zh)"), default, Language, "en, zh")


def _quiet_hours(answers: _Answers, given: str | None) -> dict[str, time]:
    begins, dash, ends = (given or "").partition("-")
    if given is not None and not dash:
        raise typer.BadParameter(f"{given!r} (e.g. 23:00-07:00)")
    return {
        "quiet_from": answers.get(begins or None, _QUESTIONS["quiet_from"], "00:00", time.fromisoformat, "23:00"),
        "quiet_until": answers.get(ends or None, _QUESTIONS["quiet_until"], "07:00", time.fromisoformat, "07:00"),
    }


def _situations(answers: _Answers, given: str | None) -> tuple[str, ...]:
    """The chosen ids: the recommended ones unless the owner declines them."""
    known = builtin_situations()
    names, recommended = tuple(one.id for one in known), tuple(one.id for one in known if one.by_default)
    if given == "recommended" or (given is None and not answers.asks):
        return recommended
    if given is not None:
        accepted = "recommended, all, none, low_battery"
        return answers.get(given, _QUESTIONS["which"], "", partial(_chosen, names=names), accepted)
    say(msg("heed may make suggestions by itself in situations like these. What it would ask:"), answers.language)
    print_situations((one for one in known if one.by_default), answers.language, numbered=True)
    if answers.get(None, _QUESTIONS["recommended"].filled(count=len(recommended)), "yes", _yes, "yes, no"):
        return recommended
    print_situations(known, answers.language, numbered=True)
    usual = ",".join(str(number) for number, one in enumerate(known, 1) if one.by_default)
    return answers.get(
        None, _QUESTIONS["which"], usual, partial(_chosen, names=names), f"1,3 / all / none (1-{len(names)})"
    )


def _asked_to_try(answers: _Answers, choices: InitialChoices, given: str | None) -> str:
    """The situation to try, one of the chosen ones unless it is named; empty for none."""
    names = choices.situations or tuple(one.id for one in builtin_situations())
    return answers.get(given, _QUESTIONS["try"], names[0], partial(_tried, names=names), f"{names[0]}, no")


def _tried(text: str, names: Sequence[str]) -> str:
    """The situation to try, by name or by its number among the chosen ones; empty for no."""
    if text.casefold() in _NO:
        return ""
    known = {one.id for one in builtin_situations()}
    return text if text in known else _named(text, names)


_YES, _NO = frozenset({"yes", "y", "是", "好", "要"}), frozenset({"no", "n", "否", "不", "不要", "none"})


def _yes(text: str) -> bool:
    if text.casefold() not in _YES | _NO:
        raise ValueError(text)
    return text.casefold() in _YES


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


def _apps(text: str) -> tuple[str, ...]:
    """Return the packages of the apps that the answer names."""
    return tuple(sorted({package for name in _parts(text) for package in packages_of(name)}))


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.replace("，", ",").split(",") if part.strip()]
