"""Asks the owner for what a request does not state: one question with choices, on every channel that can ask."""

import secrets
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from pydantic import JsonValue

from agent.consent.clarification import MOST_CHOICES, Clarification, clarify_first
from agent.loop.environment import Environment
from collectors.context import Context
from function_pool.spec import FunctionSpec, Meaning
from function_pool.wording import argument_text, name_parameter
from heed.errors import DeclinedError, UsageError
from heed.language import Language
from heed.messages import msg, template_in, translate
from models.requests.arguments import alternatives, read_arguments
from models.values.person import Person

_ABOUT_ONE_MOMENT = frozenset({Meaning.DATE, Meaning.DATE_TIME, Meaning.CLOCK_TIME, Meaning.SECRET, Meaning.AMOUNT})
_REMEMBERED = frozenset({"account", "bank_name", "sender_address"})
"""Parameters without a list whose values stay the same."""
_PEOPLE = frozenset({"recipient", "contact_name", "payee", "receiver_name"})


class GivenValue(NamedTuple):
    """The owner's answer as a value, and whether it shall be remembered."""

    parameter: str
    """The one that was asked about, or its alternative: a number where a contact was asked for."""
    value: JsonValue
    remember: bool


class Clarifier:
    """Asks for one parameter at a time.

    Args:
        environment: of the phone.
        channels: the channels of consent; those that can ask for an argument are asked.
    """

    def __init__(self, environment: Environment, channels: Sequence[object]) -> None:
        self._environment, self._channels = environment, channels

    async def ask(self, spec: FunctionSpec, name: str, context: Context, person: Person, request: str) -> GivenValue:
        """The owner's answer about a parameter.

        Raises ``DeclinedError`` without one (nobody answered in time, no channel can ask, or the owner leaves it), and
        ``UsageError`` for an answer that is no value of the parameter.
        """
        asked = self.question(spec, name, context, request)
        given = await clarify_first(self._channels, asked, self._environment.config.consent.timeout)
        if given is None:
            raise DeclinedError(
                msg(
                    "The request does not say: {question} Nobody answered, so nothing was done.",
                    question=asked.question,
                ),
                msg("Say it in the request, or answer in the terminal or the console."),
            )
        words = given.reply.words.strip()
        if not words:
            raise DeclinedError(msg("You left the question open, so nothing was done."))
        language = self._environment.config.language
        parameter, value = answer_value(spec, name, words, context.now, person, language)
        return GivenValue(parameter, value, given.reply.remember and asked.may_remember)

    def question(self, spec: FunctionSpec, name: str, context: Context, request: str) -> Clarification:
        """The question about a parameter."""
        parameter, language = spec.parameters[name], self._environment.config.language
        described = template_in(language, parameter.description)
        kept = bool(parameter.choices) or name in _REMEMBERED
        return Clarification(
            id=secrets.token_urlsafe(16),
            phone_name=self._environment.phone_name,
            request=request,
            question=translate(msg("{description}?", description=described[:1].upper() + described[1:]), language),
            choices=tuple(_choices(spec, name, context, language))[:MOST_CHOICES],
            takes_words=parameter.open or not parameter.choices,
            may_remember=kept and parameter.meaning not in _ABOUT_ONE_MOMENT,
        )


def answer_value(
    spec: FunctionSpec, name: str, words: str, now: datetime, person: Person, language: Language
) -> tuple[str, JsonValue]:
    """An answer as a value of the parameter, or of an alternative to it; ``UsageError`` when it is none."""
    for choice in spec.parameters[name].choices:
        if words.casefold() in (str(choice).casefold(), argument_text(name, choice, language).casefold()):
            return name, choice
    names = (name, *alternatives(spec, name))
    read = read_arguments(spec, words, dict.fromkeys(names, words), now, person)
    found = next((one for one in names if one in read), None)
    if found is None:
        shown = name_parameter(name, language)
        raise UsageError(
            msg("{words!r} is no value for {parameter}.", words=words, parameter=shown),
            msg("See `heed functions {function}`.", function=spec.name),
        )
    return found, read[found]


def _choices(spec: FunctionSpec, name: str, context: Context, language: Language) -> Iterator[str]:
    """What is offered: the listed values, or the people whom the owner writes to or calls most."""
    if spec.parameters[name].choices:
        yield from (argument_text(name, choice, language) for choice in spec.parameters[name].choices)
    elif name in _PEOPLE:
        people = context.value("people.called" if spec.name == "make_phone_call" else "people.messaged", [])
        yield from (str(one) for one in people) if isinstance(people, list) else ()
