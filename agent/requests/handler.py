"""From a typed request to calls whose required arguments are all there."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from agent.consent.clarification import Clarification
from agent.loop.environment import Environment
from agent.requests.clarifier import Clarifier
from agent.requests.finder import FoundValue, ValueFinder, resolve_places
from collectors.context import Context
from function_pool.call import Basis, FunctionCall
from function_pool.spec import FunctionSpec, Pool
from function_pool.taught import named_task
from function_pool.validation import validate
from heed.errors import PersonError
from heed.messages import msg
from heed.model import Frozen
from heed.trust import Trust
from models.reader.moment import person_of
from models.requests.arguments import missing_arguments
from models.requests.reader import RequestedCall, RequestInterpreter
from models.values.person import Person

REQUEST = (Basis(fact="request", trust=Trust.OWNER),)
"""The basis of what the owner's own words say."""
_MOST_QUESTIONS = 6
"""Of one request."""


class UnservedRequestError(PersonError):
    """No function of the pool serves a request."""


class ReadRequest(Frozen):
    """A request as it was understood, before anybody is asked."""

    text: str
    calls: tuple[FunctionCall, ...]
    """With what was found; a call with an open question lacks that argument."""
    open_questions: tuple[Clarification, ...] = ()


class _Draft(NamedTuple):
    """A call whose arguments are being gathered."""

    spec: FunctionSpec
    values: Mapping[str, FoundValue]

    @property
    def missing(self) -> tuple[str, ...]:
        return missing_arguments(self.spec, {name: found.value for name, found in self.values.items()})

    def with_value(self, name: str, found: FoundValue) -> "_Draft":
        return self._replace(values={**self.values, name: found})

    def call(self) -> FunctionCall:
        return FunctionCall(
            name=self.spec.name,
            parameters={name: found.value for name, found in self.values.items()},
            basis={name: (found.basis,) for name, found in self.values.items()},
            choice=REQUEST,
        )


class RequestHandler:
    """Reads the requests to one phone.

    Args:
        environment: of the phone.
        pool: the specs.
        reader: loads what understands requests, at the first one.
        finder: looks for what they do not state.
        clarifier: asks for the rest.
    """

    def __init__(
        self,
        environment: Environment,
        pool: Pool,
        reader: Callable[[], RequestInterpreter],
        finder: ValueFinder,
        clarifier: Clarifier,
    ) -> None:
        self._environment, self._pool = environment, pool
        self._reader, self._finder, self._clarifier = reader, finder, clarifier

    def read(self, text: str, context: Context, candidates: tuple[str, ...]) -> ReadRequest:
        """What a request asks for, with the questions that would be asked; nobody is asked.

        Raises ``UnservedRequestError`` when no function serves it.
        """
        drafts = self._drafts(text, context, candidates)
        questions = (
            self._clarifier.question(draft.spec, name, context, text) for draft in drafts for name in draft.missing
        )
        return ReadRequest(text=text, calls=tuple(draft.call() for draft in drafts), open_questions=tuple(questions))

    async def calls(self, text: str, context: Context, candidates: tuple[str, ...]) -> tuple[FunctionCall, ...]:
        """The calls of a request; what neither it nor anything else says is asked for.

        Raises ``UnservedRequestError`` when no function serves the request, ``DeclinedError`` when a question stays
        without an answer, and ``UsageError`` for an answer that does not fit.
        """
        person = person_of(context)
        found = []
        for draft in self._drafts(text, context, candidates):
            whole = await self._asked(draft, context, person, text)
            found.append(validate(self._pool, whole.call(), context.now))
        return tuple(found)

    def _drafts(self, text: str, context: Context, candidates: tuple[str, ...]) -> list[_Draft]:
        if (taught := named_task(text, self._pool)) is not None:
            given = {name: FoundValue(value, REQUEST[0]) for name, value in taught.arguments.items()}
            return [_Draft(taught.spec, given)]
        person = person_of(context)
        asked = self._reader().read(text, context.now, person, self._pool, candidates)
        if not asked:
            raise UnservedRequestError(
                msg("heed cannot do that: {text}.", text=text), msg("`heed functions` lists what it can do.")
            )
        return [self._filled(one, context, person) for one in asked]

    def _filled(self, asked: RequestedCall, context: Context, person: Person) -> _Draft:
        """The call with what the request states and what is found elsewhere."""
        stated = {name: FoundValue(value, REQUEST[0]) for name, value in asked.arguments.items()}
        draft = _Draft(self._pool.get(asked.function), {**stated, **resolve_places(asked.arguments, context)})
        for name in draft.missing:
            found = self._finder.find(draft.spec, name, context, person)
            if found is not None:
                draft = draft.with_value(name, found)
        return draft

    async def _asked(self, draft: _Draft, context: Context, person: Person, text: str) -> _Draft:
        """The call with the owner's answers; one question at a time."""
        for _ in range(_MOST_QUESTIONS):
            name = next(iter(draft.missing), None)
            if name is None:
                break
            given = await self._clarifier.ask(draft.spec, name, context, person, text)
            if given.remember:
                self._environment.stores.preferences.set(
                    draft.spec.name, given.parameter, given.value, self._environment.clock.wall()
                )
            answered = Basis(fact="answer", trust=Trust.OWNER)
            draft = draft.with_value(given.parameter, FoundValue(given.value, answered))
        return draft
