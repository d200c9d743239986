"""Sentences of the libraries that check arguments and files (typer, pydantic), as messages of heed's own.

They have no translation there: a sentence is recognised by the template that it was made from.
"""

import re
from functools import cache

from heed.messages import Message, Text, msg

_KNOWN = (
    msg("Missing argument {name}."),
    msg("Missing option {name}."),
    msg("No such option: {name} (Possible options: {names})"),
    msg("No such option: {name}"),
    msg("{fault}. Did you mean {names}?"),
    msg("No such command {name}."),
    msg("Got unexpected extra argument(s) ({names})"),
    msg("Option {name} requires an argument."),
    msg("Option {name} does not take a value."),
    msg("Invalid value for {name}: {fault}"),
    msg("Invalid value: {fault}"),
    msg("Value error, {fault}"),
    msg("{name} is neither a package (com.example.app) nor the name of an app that heed knows"),
    msg("{value} is not one of {choices}."),
    msg("file {path} does not exist."),
    msg("dir {path} does not exist."),
    msg("path {path} does not exist."),
    msg("file {path} is a directory."),
    msg("dir {path} is a file."),
    msg("Field required"),
    msg("Extra inputs are not permitted"),
    msg("Input should be a valid integer, unable to parse string as an integer"),
    msg("Input should be a valid integer"),
    msg("Input should be a valid number, unable to parse string as a number"),
    msg("Input should be a valid number"),
    msg("Input should be a valid string"),
    msg("Input should be a valid boolean, unable to interpret input"),
    msg("Input should be a valid boolean"),
    msg("Input should be a valid list"),
    msg("Input should be a valid dictionary"),
    msg("Input should be a valid dictionary or instance of {name}"),
    msg("Input should be greater than or equal to {bound}"),
    msg("Input should be greater than {bound}"),
    msg("Input should be less than or equal to {bound}"),
    msg("Input should be less than {bound}"),
    msg("String should match pattern {pattern}"),
    msg("String should have at least {count} character"),
    msg("Input should be in a valid time format, {fault}"),
    msg("Input should be a valid datetime, {fault}"),
    msg("Input should be {choices}"),
)
"""The first that fits counts, so the more particular ones stand first."""


def from_library(text: str) -> Text:
    """A library's English sentence as a message; one that is not known here stays as it is."""
    for pattern, message in _patterns():
        if found := pattern.fullmatch(text):
            values = {
                name: from_library(value) if name == "fault" else value for name, value in found.groupdict().items()
            }
            return message.filled(**values)
    return text


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], Message], ...]:
    return tuple((_pattern(message.template), message) for message in _KNOWN)


def _pattern(template: str) -> re.Pattern[str]:
    """What a template makes, with a named group for every value."""
    return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(template)), re.DOTALL)
