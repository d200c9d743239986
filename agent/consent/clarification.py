"""Clarifications: one question about what a request of the owner does not state, with choices."""

import asyncio
from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from pydantic import Field

from agent.consent.request import first_answer
from heed.model import Frozen
from heed.safe_text import Shown, ShownWhole

MOST_CHOICES = 8
LONGEST_REPLY = 500
"""Characters of an answer."""


class Clarification(Frozen):
    """A question about one argument. Its texts are safe for every display, and in the owner's language."""

    id: str
    """Unguessable, and another one for each question."""
    phone_name: Shown = ""
    """The phone's name for the owner."""
    request: ShownWhole
    """The owner's own words."""
    question: ShownWhole
    """What is asked, such as "Which app?"."""
    choices: tuple[Shown, ...] = ()
    """Offered answers, the likeliest first."""
    takes_words: bool = True
    """Whether other words than the choices are an answer."""
    may_remember: bool = False
    """Whether the answer may be kept for later requests, if the owner says so."""


class ClarificationReply(Frozen):
    """The owner's answer; nothing is done without one."""

    words: str = Field(max_length=LONGEST_REPLY)
    """A choice, or the owner's own words; empty = the owner would rather leave it."""
    remember: bool = False
    """Whether later requests may use it without asking."""


@runtime_checkable
class ClarifyingChannel(Protocol):
    """A channel that can ask for an argument. Cancelling ``clarify`` withdraws the question."""

    @property
    def name(self) -> str: ...

    async def clarify(self, asked: Clarification) -> ClarificationReply: ...


class GivenReply(NamedTuple):
    """A reply and the channel it came from."""

    reply: ClarificationReply
    channel: str


async def clarify_first(channels: Sequence[object], asked: Clarification, timeout: float) -> GivenReply | None:
    """Ask on all channels that can ask for an argument; the first answer counts.

    None when nobody answers within ``timeout`` seconds, or no channel can ask.
    """
    able = [channel for channel in channels if isinstance(channel, ClarifyingChannel)]
    tasks = {asyncio.create_task(channel.clarify(asked)): channel.name for channel in able}
    first = await first_answer(tasks, timeout)
    return GivenReply(*first) if first else None
