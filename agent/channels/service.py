"""The contract of a messaging service: what a channel's plug-in writes.

A service sends questions, changes them when they are over, and reports presses of their buttons. heed does the rest:
it words the question, makes its one-time codes, decides whether an answer counts, repeats what failed, and keeps every
deadline.
"""

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator
from typing import ClassVar, NamedTuple

from agent.channels.config import ChannelSettings
from agent.consent.request import Answer
from heed.errors import PersonError, UsageError
from heed.messages import msg
from heed.model import Frozen
from heed.safe_text import Shown


class ChannelError(PersonError):
    """The service did not answer, refused, or ended the connection."""


class AnswerButton(Frozen):
    """One button of a question."""

    answer: Answer
    label: Shown
    """In the owner's language."""
    code: str
    """The one-time secret that a press brings back: 22 characters of ``A-Z a-z 0-9 - _``. Never log it."""


class ServiceQuestion(Frozen):
    """A question as a service shows it. Its texts are plain text, already safe and in the owner's language."""

    id: str
    """A name for the message at the service, new for each question; no secret."""
    title: Shown
    """Names the phone."""
    text: str
    """Several lines."""
    buttons: tuple[AnswerButton, ...]


class Press(NamedTuple):
    """A button that somebody pressed."""

    code: str
    """What the service brought back; any text, to be checked by heed."""
    by: str = ""
    """The service's own name for the press, for ``reply``; empty where it has none."""


class MessageService(ABC):
    """One messaging service, made once per daemon from its settings.

    Every method may raise ``ChannelError`` with a sentence and a remedy; heed shows them in ``heed status`` and tries
    again later. heed cancels a method that takes longer than its deadline, so none needs timeouts of its own, except
    for reading a stream that may fall silent.

    Args:
        settings: the section ``channels.NAME``, as ``settings_type``.

    Raises:
        UsageError: a setting is missing or wrong (``require``).
    """

    name: ClassVar[str]
    """Unique; the name of its section in the configuration, and of the channel in the journal."""
    settings_type: ClassVar[type[ChannelSettings]] = ChannelSettings
    """The model of its section."""
    answers: ClassVar[tuple[Answer, ...]] = (Answer.ONCE, Answer.ALWAYS, Answer.NOT_NOW, Answer.NEVER)
    """The answers for which it has room, in the order of the buttons."""
    longest: ClassVar[int] = 3500
    """Most bytes, in UTF-8, of a question's text that it shows as a whole."""

    @abstractmethod
    def __init__(self, settings: ChannelSettings) -> None: ...

    @abstractmethod
    def presses(self) -> AsyncGenerator[Press | None, None]:
        """Connect and yield each press as it happens.

        Yields:
            None once connected, and whenever the service shows that the connection lives; a ``Press`` for a button.

        Raises:
            ChannelError: the connection ended. heed calls it again, after ever longer pauses.
        """

    @abstractmethod
    async def send(self, question: ServiceQuestion) -> str:
        """Show a question.

        Args:
            question: what to show. When sending failed, it comes again with the same ``id``.

        Returns:
            The service's name for the message, which ``close`` gets; may be empty.
        """

    @abstractmethod
    async def close(self, message: str, question: ServiceQuestion, ending: str) -> None:
        """Take the buttons away and show how the question ended, or remove the message, as far as the service can.

        Args:
            message: what ``send`` returned.
            question: the question that is over.
            ending: one sentence in the owner's language.
        """

    async def reply(self, press: Press, text: str, *, counts: bool) -> None:
        """Tell who pressed a button what became of it, where the service can; by default nothing is told.

        Args:
            press: what ``presses`` yielded.
            text: one or two sentences in the owner's language.
            counts: whether the answer counts; then the message is closed with the same news.
        """
        return

    @abstractmethod
    async def check(self) -> None:
        """Ask the service whether it can be used as configured, without showing anything; for ``heed doctor``."""

    async def aclose(self) -> None:
        """Release what is open; by default there is nothing."""
        return


def require(name: str, **values: str | int) -> None:
    """Raise ``UsageError`` for the first setting of the channel ``name`` that is empty."""
    for field, value in values.items():
        if not value:
            raise UsageError(
                msg("The channel {name} needs channels.{name}.{field}.", name=name, field=field),
                msg("Set it, or set channels.{name}.enabled to false.", name=name),
            )
