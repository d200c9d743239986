import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.consent.request import Answer, ConsentRequest, Given, ask_first
from agent.console.pending_requests import Desk, OverError
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


def desk() -> Desk:
    return Desk(SystemClock(), 60.0, changed=lambda: None)


class At:
    """A channel at the desk."""

    def __init__(self, desk: Desk, name: str) -> None:
        self.desk, self.name = desk, name

    async def ask(self, request: ConsentRequest) -> Answer:
        return await self.desk.ask(request, self.name)


class Typed:
    """A channel of its own, such as the terminal."""

    name = "terminal"

    def __init__(self) -> None:
        self.line: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

    async def ask(self, request: ConsentRequest) -> Answer:
        return await self.line


async def asked(desk: Desk, request: ConsentRequest, *others: Typed) -> Given:
    """What the agent does: ask everywhere, then tell what counts."""
    first = await ask_first([At(desk, "console"), At(desk, "phone"), *others], request, timeout=30)
    desk.settle(request, first)
    return first


async def opened(desk: Desk, *channels: str) -> None:
    while not all(desk.open(channel) for channel in channels):  # noqa: ASYNC110
        await asyncio.sleep(0)


async def test_an_answer_counts_once_and_the_second_is_refused() -> None:
    place = desk()
    asking = asyncio.create_task(asked(place, request()))
    await opened(place, "console", "phone")
    assert await place.answer(1, "h", Answer.ONCE, "console") == (Answer.ONCE, "console")
    assert await asking == (Answer.ONCE, "console")
    with pytest.raises(OverError, match="is over"):
        await place.answer(1, "h", Answer.ONCE, "console")
    assert place.open("console") == place.open("phone") == []


async def test_an_answer_to_another_plan_than_the_one_shown_is_refused_and_the_question_stays() -> None:
    place = desk()
    asking = asyncio.create_task(asked(place, request(plan_hash="new")))
    await opened(place, "console")
    with pytest.raises(OverError, match="not the one that was shown"):
        await place.answer(1, "old", Answer.ONCE, "console")
    assert [one.request.plan_hash for one in place.open("console")] == ["new"]
    asking.cancel()


async def test_a_page_that_loses_to_the_terminal_is_told_so() -> None:
    place, terminal = desk(), Typed()
    asking = asyncio.create_task(asked(place, request(), terminal))
    await opened(place, "console", "phone")
    question = place.find(1)
    terminal.line.set_result(Answer.NEVER)
    assert await place.outcome(question) == (Answer.NEVER, "terminal")
    with pytest.raises(OverError):
        await place.answer(1, "h", Answer.ONCE, "phone")
    assert await asking == (Answer.NEVER, "terminal")


async def test_a_withdrawn_question_leaves_the_page_at_once() -> None:
    place = desk()
    asking = asyncio.create_task(asked(place, request()))
    await opened(place, "console")
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    assert place.open("console") == []
    with pytest.raises(OverError):
        await place.answer(1, "h", Answer.ONCE, "console")


@given(st.permutations(["console", "phone", "terminal"]), st.lists(st.integers(0, 3), min_size=3, max_size=3))
@settings(max_examples=examples(25))
def test_of_three_answers_at_once_exactly_one_wins_and_the_others_know(order: Sequence[str], turns: list[int]) -> None:
    asyncio.run(_all_at_once(order, turns))


async def _all_at_once(order: Sequence[str], turns: list[int]) -> None:
    place, terminal = desk(), Typed()
    asking = asyncio.create_task(asked(place, request(), terminal))
    await opened(place, "console", "phone")

    async def say(channel: str, wait: int) -> Given | None:
        for _ in range(wait):
            await asyncio.sleep(0)
        if channel == "terminal":
            if not terminal.line.done():
                terminal.line.set_result(Answer.NOT_NOW)
            return None
        try:
            return await place.answer(1, "h", Answer.ONCE if channel == "console" else Answer.NEVER, channel)
        except OverError:
            return None

    said = await asyncio.gather(*(say(channel, wait) for channel, wait in zip(order, turns, strict=True)))
    winner = await asking
    accepted = [one for one in said if one is not None]
    assert accepted == ([] if winner.channel == "terminal" else [winner])
