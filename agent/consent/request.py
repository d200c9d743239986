"""One consent request, several channels at once, the first answer wins."""

import asyncio
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol

from function_pool.risk import Risk
from heed.model import Frozen


class Answer(StrEnum):
    """What the person can say."""

    ONCE = "once"
    ALWAYS = "always"
    NOT_NOW = "not_now"
    NEVER = "never"

    @property
    def allows(self) -> bool:
        return self in (Answer.ONCE, Answer.ALWAYS)


class StepView(Frozen):
    """One step of the plan as the person sees it, in their language."""

    function: str
    parameters: dict[str, str]
    third_party: dict[str, str]
    """Arguments that rest on text that anyone may have written, by the parameter's name in the person's language."""
    effects: tuple[str, ...]
    undo: tuple[str, ...]
    """What undo would bring about; empty = cannot be undone."""
    commands: tuple[str, ...]
    risk: Risk


class ConsentRequest(Frozen):
    """Everything a person needs to decide; an answer binds to ``plan_hash``."""

    plan_id: int
    plan_hash: str
    serial: str
    sentence: str
    why: str
    evidence: tuple[str, ...]
    steps: tuple[StepView, ...]
    risk: Risk
    may_always: bool


class Channel(Protocol):
    """A place where the person can be asked. Cancelling ``ask`` withdraws the question."""

    @property
    def name(self) -> str: ...

    async def ask(self, request: ConsentRequest) -> Answer: ...


class Given(NamedTuple):
    """An answer and where it came from."""

    answer: Answer
    channel: str


async def ask_first(channels: Sequence[Channel], request: ConsentRequest, timeout: float) -> Given:
    """Ask everywhere at once; the first answer wins and the other questions are withdrawn.

    Silence, no channel, or every channel gone, is "not now". "Always" where it may not be offered counts as once.
    """
    questions = {asyncio.create_task(channel.ask(request)): channel.name for channel in channels}
    waiting = set(questions)
    try:
        async with asyncio.timeout(timeout):
            while waiting:
                done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                answered = [question for question in done if question.exception() is None]
                if answered:
                    return _given(answered[0].result(), questions[answered[0]], request)
    except TimeoutError:
        pass
    finally:
        for question in questions:
            question.cancel()
        await asyncio.gather(*questions, return_exceptions=True)
    return Given(Answer.NOT_NOW, "nobody")


def _given(answer: Answer, channel: str, request: ConsentRequest) -> Given:
    if answer is Answer.ALWAYS and not request.may_always:
        return Given(Answer.ONCE, channel)
    return Given(answer, channel)
