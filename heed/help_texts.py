"""The command line's help and its complaints about usage, in the owner's language."""

import gettext
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperGroup

from heed.language import Language, chosen
from heed.library_messages import from_library
from heed.messages import DOMAIN, LOCALE, msg, template_in, translate

_FIELDS = ("help", "short_help", "epilog")
_USAGE, _HELP = msg("Usage: "), msg("Show this message and exit.")


class Commands(TyperGroup):
    """A group of commands whose usage errors are in the owner's language."""

    def make_context(self, *args: Any, **options: Any) -> Any:
        with _translated_usage_errors():
            return super().make_context(*args, **options)

    def invoke(self, ctx: Any) -> Any:
        with _translated_usage_errors():
            return super().invoke(ctx)


@contextmanager
def _translated_usage_errors() -> Iterator[None]:
    try:
        yield
    except typer.TyperException as error:
        say: Callable[[], str] | None = getattr(error, "format_message", None)
        if say is not None:
            words = translate(from_library(say()), chosen())
            error.format_message = lambda: words  # type: ignore[method-assign]
        raise


def use_language(language: Language) -> None:
    """Let typer, which asks gettext, find its own words in heed's catalogue; call it before the first help is shown."""
    gettext.bindtextdomain(DOMAIN, LOCALE)
    gettext.textdomain(DOMAIN)
    os.environ["LANGUAGE"] = language.value


def localise(command: Any, language: Language) -> Any:
    """``command``, a built typer application, with the help of all its commands and options in ``language``."""
    for part in _parts(command):
        for field in _FIELDS:
            text = getattr(part, field, None)
            if text:
                setattr(part, field, template_in(language, text))
        if hasattr(part, "get_usage"):
            _localise_usage(part, language)
    return command


def _localise_usage(command: Any, language: Language) -> None:
    usage, help_option = command.get_usage, command.get_help_option

    def get_usage(context: Any) -> str:
        return str(usage(context)).replace(str(_USAGE), translate(_USAGE, language), 1)

    def get_help_option(context: Any) -> Any:
        option = help_option(context)
        if option is not None:
            option.help = translate(_HELP, language)
        return option

    command.get_usage, command.get_help_option = get_usage, get_help_option


def help_texts(app: typer.Typer) -> Iterator[str]:
    """Every help text of an application, in English."""
    for part in _parts(typer.main.get_command(app)):
        yield from filter(None, (getattr(part, field, None) for field in _FIELDS))


def _parts(command: Any) -> Iterator[Any]:
    """A command, its options and arguments, and those of its subcommands."""
    yield command
    yield from command.params
    for subcommand in getattr(command, "commands", {}).values():
        yield from _parts(subcommand)
