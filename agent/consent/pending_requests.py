"""The pending requests: pages and messages show them and bring each an answer, at most once."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from agent.consent.request import Answer, ConsentRequest, GivenAnswer, Reply
from agent.wording import CHANNELS
from heed.clock import Clock
from heed.errors import PersonError
from heed.messages import Text, msg

SETTLE_SECONDS = 10.0
"""Within this time of a page's answer it is known whether it was the first of all channels."""


class RequestClosedError(PersonError):
    """The answer came too late, came twice, or was to another question."""


class ShownRequest(NamedTuple):
    """A pending request as a page shows it."""

    request: ConsentRequest
    seconds_left: float


class PendingRequest:
    """One pending request and the channels that show it."""

    def __init__(self, request: ConsentRequest, asked_at: float) -> None:
        self.request, self.asked_at = request, asked_at
        self.channels: set[str] = set()
        loop = asyncio.get_running_loop()
        self.answered: asyncio.Future[GivenAnswer] = loop.create_future()
        """The first answer of a page."""
        self.over: asyncio.Future[GivenAnswer | None] = loop.create_future()
        """The answer that counted, from whichever channel; None when the question was withdrawn."""

    def asked_on(self, channel: str) -> bool:
        """Whether an answer from ``channel`` may still count."""
        return channel in self.channels and not self.answered.done()


class PendingRequests:
    """The pending requests of every phone. ``settle`` closes one with the answer that counts."""

    def __init__(self, clock: Clock, timeout: float, changed: Callable[[], None]) -> None:
        """``timeout`` is the seconds until a question is closed; ``changed`` is called when the list updates."""
        self._clock, self._timeout, self._changed = clock, timeout, changed
        self._questions: dict[int, PendingRequest] = {}

    def open(self, channel: str) -> list[ShownRequest]:
        """The questions that ``channel`` may answer now, oldest first."""
        return [self.opened(question) for question in self._questions.values() if question.asked_on(channel)]

    def opened(self, question: PendingRequest) -> ShownRequest:
        """A question with the time that is left to answer it."""
        return ShownRequest(question.request, max(0.0, self._timeout - (self._clock.monotonic() - question.asked_at)))

    def is_open(self, plan_id: int) -> bool:
        """Whether a question about a plan waits for its answer."""
        return plan_id in self._questions

    def find(self, plan_id: int) -> PendingRequest:
        """The question about a plan; ``RequestClosedError`` when it is closed."""
        question = self._questions.get(plan_id)
        if question is None:
            raise RequestClosedError(msg("This question is over."), msg("Nothing was changed by your answer."))
        return question

    @contextmanager
    def shown_on(self, request: ConsentRequest, channel: str) -> Iterator[PendingRequest]:
        """The pending request, which ``channel`` may answer while the block runs."""
        question = self._questions.setdefault(request.plan_id, PendingRequest(request, self._clock.monotonic()))
        question.channels.add(channel)
        self._changed()
        try:
            yield question
        finally:
            question.channels.discard(channel)
            if not question.channels:
                asyncio.get_running_loop().call_later(SETTLE_SECONDS, self._end, question, None)
            self._changed()

    async def answer_on(self, question: PendingRequest, channel: str) -> Reply:
        """Wait for the answer that ``channel`` brings; ``RequestClosedError`` when another page was first."""
        given = await asyncio.shield(question.answered)
        if given.channel == channel:
            return Reply(given.answer, given.widened)
        # Whoever asks on all channels withdraws this question in a moment.
        await asyncio.shield(question.over)
        raise RequestClosedError(msg("This question was answered {channel}.", channel=answered_where(given)))

    async def ask(self, request: ConsentRequest, channel: str) -> Reply:
        """Show the question until ``channel`` answers it; cancelling withdraws it."""
        with self.shown_on(request, channel) as question:
            return await self.answer_on(question, channel)

    def put(self, plan_id: int, plan_hash: str, said: Answer | Reply, channel: str) -> PendingRequest:
        """Give an answer; ``RequestClosedError`` when it comes too late, or is to a plan with another hash."""
        question = self.find(plan_id)
        if question.request.plan_hash != plan_hash:
            raise RequestClosedError(msg("The plan is not the one that was shown."), msg("Look at the new question."))
        if not question.asked_on(channel):
            raise RequestClosedError(
                msg("This question was answered already."), msg("Nothing was changed by your answer.")
            )
        reply = Reply(said) if isinstance(said, Answer) else said
        question.answered.set_result(GivenAnswer(reply.answer, channel, reply.widened))
        self._changed()
        return question

    async def answer(self, plan_id: int, plan_hash: str, said: Answer | Reply, channel: str) -> GivenAnswer:
        """``put``, and wait for whether it counts; ``RequestClosedError`` when another channel was first after all."""
        question = self.put(plan_id, plan_hash, said, channel)
        given = await answer_within(SETTLE_SECONDS, question.over)
        if given is None:
            raise RequestClosedError(msg("The question was withdrawn."), msg("Nothing was changed by your answer."))
        if given.channel != channel:
            raise RequestClosedError(
                msg("This question was answered first {channel}.", channel=answered_where(given)),
                msg("Your answer does not count."),
            )
        return given

    async def outcome(self, question: PendingRequest) -> GivenAnswer | None:
        """The answer that counted, from whichever channel; None when the question was withdrawn."""
        return await answer_within(self._timeout + SETTLE_SECONDS, question.over)

    def settle(self, request: ConsentRequest, given: GivenAnswer) -> None:
        """Close a pending request with the answer that counts."""
        question = self._questions.get(request.plan_id)
        if question is not None:
            self._end(question, given)

    def withdraw_all(self) -> None:
        """Close every pending request without an answer, because heed ends."""
        for question in list(self._questions.values()):
            self._end(question, None)

    def _end(self, question: PendingRequest, given: GivenAnswer | None) -> None:
        if not question.over.done():
            question.over.set_result(given)
        if self._questions.get(question.request.plan_id) is question:
            del self._questions[question.request.plan_id]
            self._changed()


def answered_where(given: GivenAnswer) -> Text:
    """The channel of an answer in words, "in the console"; of a plug-in's channel its name."""
    return CHANNELS.get(given.channel) or msg("on {channel}", channel=given.channel)


async def answer_within(seconds: float, over: asyncio.Future[GivenAnswer | None]) -> GivenAnswer | None:
    """The answer that ends a request (``PendingRequest.over``); None without one in so many seconds."""
    try:
        async with asyncio.timeout(seconds):
            return await asyncio.shield(over)
    except TimeoutError:
        return None
