"""``python -m bench.requests``: how many requests of hands that nothing was learned from are understood.

Prints, per language, the share of the requests with the right function; of those, the share whose required arguments
are all as labelled (a value that the request does not state must be asked for); and the share of the requests that no
function serves which are answered so. ``--details`` lists what went wrong.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated

import typer
from pydantic import JsonValue

from function_pool.spec import default_pool
from heed.language import Language
from heed.model import Frozen
from models.requests.reader import RequestedCall, RequestInterpreter
from models.values.person import Person
from training.requests.examples import LANGUAGES, HeldOutRequest, held_out_requests

NOW = datetime(2026, 3, 11, 10, 20)  # noqa: DTZ001 - the phone's local time; a Wednesday
_UNSTATED = "?"
_ARTICLE = re.compile(r"\b(?:the|a|an|my|to)\b")
_SIGNS = re.compile(r"[^\w.:@+]+")


class RequestFigures(Frozen):
    """The figures of one language."""

    requests: int
    """That a function of the pool serves."""
    function: float
    """Share of them with the right function."""
    arguments: float
    """Share of them with the right function and all required arguments right, of those with the right function."""
    out_of_scope: int
    """Requests that no function serves."""
    declined: float
    """Share of them that are answered so."""


def measure(reader: RequestInterpreter, language: str) -> tuple[RequestFigures, list[str]]:
    """The figures of one language, and a line for each request that was misunderstood."""
    pool = default_pool()
    person = Person(language=Language(language), region="GB" if language == "en" else "CN")
    served = right = complete = declined = beyond = 0
    faults: list[str] = []
    for one in held_out_requests(language):
        calls = reader.read(one.text, NOW, person, pool)
        names = [call.function for call in calls]
        if not one.function:
            beyond += 1
            declined += not names
            faults += [f"{one.text}: {names}"] if names else []
            continue
        served += 1
        if names != [one.function]:
            faults.append(f"{one.text}: {names}, not {one.function}")
            continue
        right += 1
        wrong = wrong_arguments(one, calls[0])
        complete += not wrong
        faults += [f"{one.text}: {name}={value!r}, not {one.arguments[name]}" for name, value in wrong.items()]
    figures = RequestFigures(
        requests=served,
        function=right / served,
        arguments=complete / right,
        out_of_scope=beyond,
        declined=declined / beyond,
    )
    return figures, faults


def wrong_arguments(wanted: HeldOutRequest, call: RequestedCall) -> dict[str, JsonValue]:
    """The labelled arguments that were read otherwise, with what was read."""
    return {
        name: call.arguments.get(name)
        for name, values in wanted.arguments.items()
        if not _is_right(call.arguments, name, values)
    }


def _is_right(arguments: Mapping[str, JsonValue], name: str, values: Sequence[str]) -> bool:
    if name not in arguments:
        return _UNSTATED in values
    read = _plain(arguments[name])
    return any(read == _plain(value) or _same_start(read, value) for value in values)


def _same_start(read: str, value: str) -> bool:
    """Whether two times are the same to the minute."""
    return bool(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d", value)) and read.startswith(value.casefold())


def _plain(value: JsonValue) -> str:
    """Without case, articles, punctuation and spaces, which mean nothing here."""
    if isinstance(value, list):
        return ",".join(_plain(one) for one in value)
    text = _ARTICLE.sub(" ", str(value).casefold())
    return _SIGNS.sub("", text) if "," not in text else ",".join(_SIGNS.sub("", part) for part in text.split(","))


def main(details: Annotated[bool, typer.Option(help="List what went wrong.")] = False) -> None:
    """Measure on the held-out requests."""
    reader = RequestInterpreter.load()
    for language in LANGUAGES:
        figures, faults = measure(reader, language)
        typer.echo(
            f"{language}: function {figures.function:.1%} of {figures.requests}, arguments {figures.arguments:.1%}, "
            f"out of scope declined {figures.declined:.1%} of {figures.out_of_scope}"
        )
        if details:
            typer.echo("\n".join(faults))


if __name__ == "__main__":
    typer.run(main)
