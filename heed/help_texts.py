"""The command line's help in the owner's language."""

import gettext
import os
from collections.abc import Iterator
from typing import Any

import typer

from heed.language import Language
from heed.messages import DOMAIN, LOCALE, Message, translate


def use_language(language: Language) -> None:
    """Let typer, which asks gettext, find its own words in heed's catalogue; call it before the first help is shown."""
    gettext.bindtextdomain(DOMAIN, LOCALE)
    gettext.textdomain(DOMAIN)
    os.environ["LANGUAGE"] = language.value


def localise(command: Any, language: Language) -> Any:
    """``command``, a built typer application, with the help of all its commands and options in ``language``."""
    for part in _parts(command):
        for field in ("help", "short_help", "epilog"):
            text = getattr(part, field, None)
            if text:
                setattr(part, field, translate(Message(template=text), language))
    return command


def help_texts(app: typer.Typer) -> Iterator[str]:
    """Every help text of an application, in English."""
    for part in _parts(typer.main.get_command(app)):
        for field in ("help", "short_help", "epilog"):
            text = getattr(part, field, None)
            if text:
                yield text


def _parts(command: Any) -> Iterator[Any]:
    """A command, its options and arguments, and those of its subcommands."""
    yield command
    yield from command.params
    for subcommand in getattr(command, "commands", {}).values():
        yield from _parts(subcommand)
