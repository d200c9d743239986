import asyncio

from agent.consent.request import Answer, ChannelName, ConsentRequest, GivenAnswer, Reply, WideningView, ask_first
from agent.policy.grants import StepField
from function_pool.risk import Risk

REQUEST = ConsentRequest(
    plan_id=1,
    plan_hash="h",
    serial="phone-a",
    sentence="Turn on battery saver?",
    why="",
    evidence=(),
    steps=(),
    risk=Risk.R1,
    may_always=False,
)


class After:
    """A channel that answers after some turns of the event loop, or never."""

    def __init__(self, name: ChannelName, answer: Answer | Reply | None, turns: int = 0) -> None:
        self.name, self._answer, self._turns = name, answer, turns
        self.withdrawn = False

    async def ask(self, request: ConsentRequest) -> Answer | Reply:
        try:
            for _ in range(self._turns):
                await asyncio.sleep(0)
            if self._answer is None:
                await asyncio.Event().wait()
            assert self._answer is not None
            return self._answer
        except asyncio.CancelledError:
            self.withdrawn = True
            raise


class Broken:
    name = ChannelName.TERMINAL

    async def ask(self, request: ConsentRequest) -> Answer:
        raise ConnectionError("the page was closed")


async def test_the_first_answer_wins_and_the_other_question_is_withdrawn() -> None:
    slow = After(ChannelName.CONSOLE, Answer.NEVER, turns=50)
    given = await ask_first([slow, After(ChannelName.TERMINAL, Answer.ONCE, turns=3)], REQUEST, timeout=60)
    assert given == GivenAnswer(Answer.ONCE, ChannelName("terminal"))
    assert slow.withdrawn


async def test_silence_is_no_answer() -> None:
    given = await ask_first([After(ChannelName.TERMINAL, None)], REQUEST, timeout=0.01)
    assert given == GivenAnswer(Answer.NO_ANSWER, ChannelName.NOBODY)


async def test_without_any_channel_there_is_no_answer() -> None:
    assert await ask_first([], REQUEST, timeout=60) == GivenAnswer(Answer.NO_ANSWER, ChannelName.NOBODY)


async def test_a_channel_that_breaks_leaves_the_question_to_the_others() -> None:
    given = await ask_first([Broken(), After(ChannelName.TERMINAL, Answer.ONCE, turns=5)], REQUEST, timeout=60)
    assert given == GivenAnswer(Answer.ONCE, ChannelName("terminal"))


async def test_when_every_channel_breaks_there_is_no_answer() -> None:
    assert await ask_first([Broken()], REQUEST, timeout=60) == GivenAnswer(Answer.NO_ANSWER, ChannelName.NOBODY)


async def test_always_counts_as_once_where_it_may_not_be_offered() -> None:
    assert (await ask_first([After(ChannelName.TERMINAL, Answer.ALWAYS)], REQUEST, timeout=60)).answer is Answer.ONCE


async def test_always_widens_only_what_was_offered() -> None:
    time = WideningView(step=0, parameter="time", text="any time", shown="07:30")
    offered = REQUEST.model_copy(update={"may_always": True, "widenings": (time,)})
    asked_for = tuple(StepField(step=step, parameter=name) for step, name in ((0, "time"), (0, "label"), (1, "time")))
    channel = After(ChannelName.CONSOLE, Reply(Answer.ALWAYS, asked_for))
    assert (await ask_first([channel], offered, timeout=60)).widened == asked_for[:1]
    once = After(ChannelName.CONSOLE, Reply(Answer.ONCE, asked_for))
    assert (await ask_first([once], offered, timeout=60)).widened == ()
    assert (await ask_first([channel], REQUEST, timeout=60)) == GivenAnswer(Answer.ONCE, ChannelName.CONSOLE)
