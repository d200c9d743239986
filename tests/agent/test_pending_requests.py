import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.consent.pending_requests import PendingRequests, RequestClosedError
from agent.consent.request import Answer, ChannelName, ConsentRequest, GivenAnswer, Reply, ask_first
from function_pool.risk import Risk
from heed.clock import SystemClock
from tests.proof import examples


def request(plan_id: int = 1, plan_hash: str = "h") -> ConsentRequest:
    return ConsentRequest(
        plan_id=plan_id,
        plan_hash=plan_hash,
        serial="phone-a",
        sentence="Turn on battery saver?",
        why="",
        evidence=(),
        steps=(),
        risk=Risk.R1,
        may_always=True,
    )


def pending() -> PendingRequests:
    return PendingRequests(SystemClock(), 60.0, changed=lambda: None)


class PageChannel:
    """A channel that shows pending requests."""

    def __init__(self, pending: PendingRequests, name: ChannelName) -> None:
        self.pending, self.name = pending, name

    async def ask(self, request: ConsentRequest) -> Reply:
        return await self.pending.ask(request, self.name)


class Typed:
    """A channel of its own, such as the terminal."""

    name = ChannelName.TERMINAL

    def __init__(self) -> None:
        self.line: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

    async def ask(self, request: ConsentRequest) -> Answer:
        return await self.line


async def asked(pending: PendingRequests, request: ConsentRequest, *others: Typed) -> GivenAnswer:
    """What the agent does: ask everywhere, then tell what counts."""
    first = await ask_first(
        [PageChannel(pending, ChannelName.CONSOLE), PageChannel(pending, ChannelName.PHONE), *others],
        request,
        timeout=30,
    )
    pending.settle(request, first)
    return first


async def opened(pending: PendingRequests, *channels: ChannelName) -> None:
    while not all(pending.open(channel) for channel in channels):  # noqa: ASYNC110
        await asyncio.sleep(0)


async def test_an_answer_counts_once_and_the_second_is_refused() -> None:
    place = pending()
    asking = asyncio.create_task(asked(place, request()))
    await opened(place, ChannelName.CONSOLE, ChannelName.PHONE)
    assert await place.answer(1, "h", Answer.ONCE, ChannelName.CONSOLE) == GivenAnswer(Answer.ONCE, ChannelName.CONSOLE)
    assert await asking == GivenAnswer(Answer.ONCE, ChannelName.CONSOLE)
    with pytest.raises(RequestClosedError, match="is over"):
        await place.answer(1, "h", Answer.ONCE, ChannelName.CONSOLE)
    assert place.open(ChannelName.CONSOLE) == place.open(ChannelName.PHONE) == []


async def test_an_answer_to_another_plan_than_the_one_shown_is_refused_and_the_question_stays() -> None:
    place = pending()
    asking = asyncio.create_task(asked(place, request(plan_hash="new")))
    await opened(place, ChannelName.CONSOLE)
    with pytest.raises(RequestClosedError, match="not the one that was shown"):
        await place.answer(1, "old", Answer.ONCE, ChannelName.CONSOLE)
    assert [one.request.plan_hash for one in place.open(ChannelName.CONSOLE)] == ["new"]
    asking.cancel()


async def test_a_page_that_loses_to_the_terminal_is_told_so() -> None:
    place, terminal = pending(), Typed()
    asking = asyncio.create_task(asked(place, request(), terminal))
    await opened(place, ChannelName.CONSOLE, ChannelName.PHONE)
    question = place.find(1)
    terminal.line.set_result(Answer.NEVER)
    assert await place.outcome(question) == GivenAnswer(Answer.NEVER, ChannelName.TERMINAL)
    with pytest.raises(RequestClosedError):
        await place.answer(1, "h", Answer.ONCE, ChannelName.PHONE)
    assert await asking == GivenAnswer(Answer.NEVER, ChannelName.TERMINAL)


async def test_a_withdrawn_question_leaves_the_page_at_once() -> None:
    place = pending()
    asking = asyncio.create_task(asked(place, request()))
    await opened(place, ChannelName.CONSOLE)
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    assert place.open(ChannelName.CONSOLE) == []
    with pytest.raises(RequestClosedError):
        await place.answer(1, "h", Answer.ONCE, ChannelName.CONSOLE)


@given(
    st.permutations([ChannelName.CONSOLE, ChannelName.PHONE, ChannelName.TERMINAL]),
    st.lists(st.integers(0, 3), min_size=3, max_size=3),
)
@settings(max_examples=examples(25))
def test_of_three_answers_at_once_exactly_one_wins_and_the_others_know(
    order: Sequence[ChannelName], turns: list[int]
) -> None:
    asyncio.run(_all_at_once(order, turns))


async def _all_at_once(order: Sequence[ChannelName], turns: list[int]) -> None:
    place, terminal = pending(), Typed()
    asking = asyncio.create_task(asked(place, request(), terminal))
    await opened(place, ChannelName.CONSOLE, ChannelName.PHONE)

    async def say(channel: ChannelName, wait: int) -> GivenAnswer | None:
        for _ in range(wait):
            await asyncio.sleep(0)
        if channel == ChannelName.TERMINAL:
            if not terminal.line.done():
                terminal.line.set_result(Answer.NOT_NOW)
            return None
        try:
            return await place.answer(1, "h", Answer.ONCE if channel == ChannelName.CONSOLE else Answer.NEVER, channel)
        except RequestClosedError:
            return None

    said = await asyncio.gather(*(say(channel, wait) for channel, wait in zip(order, turns, strict=True)))
    winner = await asking
    accepted = [one for one in said if one is not None]
    assert accepted == ([] if winner.channel == ChannelName.TERMINAL else [winner])
