"""Consent requests, and asking on several channels at once; the first answer counts."""

import asyncio
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Literal, NamedTuple, Protocol, TypeVar

from agent.policy.grants import StepField
from android_bridge.identity import PhoneIdentity
from function_pool.risk import Risk
from heed.model import Frozen
from heed.safe_text import Shown, ShownWhole

_Said = TypeVar("_Said")


class Answer(StrEnum):
    """How a consent request was answered."""

    ONCE = "once"
    ALWAYS = "always"
    NOT_NOW = "not_now"
    NEVER = "never"
    NO_ANSWER = "no_answer"
    """Nobody answered in time, or no channel works: nothing is done, and it is no rejection."""

    @property
    def allows(self) -> bool:
        return self in (Answer.ONCE, Answer.ALWAYS)

    @property
    def is_lasting(self) -> bool:
        """Whether it allows later actions too."""
        return self is Answer.ALWAYS

    @property
    def rejects(self) -> bool:
        return self in (Answer.NOT_NOW, Answer.NEVER)


SaidAnswer = Literal[Answer.ONCE, Answer.ALWAYS, Answer.NOT_NOW, Answer.NEVER]
"""An answer that a person can give."""


class ChannelName(StrEnum):
    """heed's own names for where an answer came from; a plug-in's channel has a name of its own.

    Stored in the journal, and the key of its wording.
    """

    CONSOLE = "console"
    PHONE = "phone"
    TERMINAL = "terminal"
    NTFY = "ntfy"
    TELEGRAM = "telegram"
    HOME_ASSISTANT = "home_assistant"
    DESKTOP = "desktop"
    SCRIPT = "script"
    """The answers of a demo's script."""
    COMMAND_LINE = "command line"
    """``heed call --yes``: typing the call was the answer."""
    GRANT = "remembered"
    """An earlier "always"."""
    NOBODY = "nobody"
    """No channel answered in time."""


class StepView(Frozen):
    """One step of the plan as the owner sees it, in their language; no text of it can act on a display."""

    function: str
    parameters: dict[str, ShownWhole]
    third_party: dict[Shown, ShownWhole]
    """Arguments that rest on text that anyone may have written, by the parameter's name in the person's language."""
    effects: tuple[ShownWhole, ...]
    undo: tuple[ShownWhole, ...]
    """What undo would bring about; empty = cannot be undone, unless it changes nothing."""
    commands: tuple[ShownWhole, ...]
    risk: Risk
    changes_nothing: bool = False
    """It only looks, or the phone is so already: there is nothing to undo."""


class WideningView(StepField):
    """A field that "always" may be widened by."""

    text: Shown
    """For example "any time"."""
    shown: ShownWhole
    """The value that is covered otherwise."""


class ConsentRequest(Frozen):
    """The question about a plan; an answer binds to ``plan_hash``. Its texts are safe for every display."""

    plan_id: int
    plan_hash: str
    serial: str
    """The address at which the phone is reached."""
    phone: PhoneIdentity | None = None
    """The phone that the plan is for."""
    phone_name: Shown = ""
    """The phone's name for the owner: its model, numbered when another phone has the same one."""
    sentence: ShownWhole
    why: Shown
    evidence: tuple[Shown, ...]
    steps: tuple[StepView, ...]
    risk: Risk
    may_always: bool
    widenings: tuple[WideningView, ...] = ()
    """The fields that the owner may widen with "always"."""
    is_influenced: bool = False
    """Text that others wrote had a part in the choice of what is suggested."""
    asked_by: Shown = ""
    """The assistant that asks for it over MCP; empty when heed itself does."""
    picture: str = ""
    """Path of the picture of the screen that the question is about: that of a last button; empty for others."""


class Reply(NamedTuple):
    """An answer, and the fields that "always" is widened by."""

    answer: Answer
    widened: tuple[StepField, ...] = ()


class Channel(Protocol):
    """A place where consent requests are shown. Cancelling ``ask`` withdraws the question.

    A plain ``Answer`` widens nothing.
    """

    @property
    def name(self) -> str:
        """A ``ChannelName``, or the name of a plug-in's channel."""
        ...

    async def ask(self, request: ConsentRequest) -> Answer | Reply: ...


class GivenAnswer(NamedTuple):
    """An answer and the channel it came from."""

    answer: Answer
    channel: str
    """A ``ChannelName``, or the name of a plug-in's channel."""
    widened: tuple[StepField, ...] = ()
    """The fields that "always" is widened by."""


async def ask_first(channels: Sequence[Channel], request: ConsentRequest, timeout: float) -> GivenAnswer:
    """Ask on all channels at once; the first answer counts and the other questions are withdrawn.

    No answer within ``timeout`` seconds, or no working channel, is ``NO_ANSWER``. "Always" counts as once where it may
    not be offered, and widens only what was offered.
    """
    asked = {asyncio.create_task(channel.ask(request)): channel.name for channel in channels}
    first = await first_answer(asked, timeout)
    return _given(*first, request) if first else GivenAnswer(Answer.NO_ANSWER, ChannelName.NOBODY)


async def first_answer(asked: Mapping["asyncio.Task[_Said]", str], timeout: float) -> tuple[_Said, str] | None:
    """The first answer to a question, and its channel; the question is withdrawn from the other channels.

    None when no channel answers within ``timeout`` seconds, or none works.
    """
    waiting = set(asked)
    try:
        async with asyncio.timeout(timeout):
            while waiting:
                done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                answered = [question for question in done if question.exception() is None]
                if answered:
                    return answered[0].result(), asked[answered[0]]
    except TimeoutError:
        pass
    finally:
        for question in asked:
            question.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
    return None


def _given(said: Answer | Reply, channel: str, request: ConsentRequest) -> GivenAnswer:
    reply = Reply(said) if isinstance(said, Answer) else said
    if reply.answer is not Answer.ALWAYS:
        return GivenAnswer(reply.answer, channel)
    if not request.may_always:
        return GivenAnswer(Answer.ONCE, channel)
    offered = {(field.step, field.parameter) for field in request.widenings}
    return GivenAnswer(
        Answer.ALWAYS, channel, tuple(field for field in reply.widened if (field.step, field.parameter) in offered)
    )
