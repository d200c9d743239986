"""Scenario events of messages, notifications and calls."""

from typing import Literal

from pydantic import AliasChoices, ConfigDict, Field

from heed.model import Frozen
from virtual_phone.state import PhoneState


class SmsEvent(Frozen):
    """A message arrives."""

    model_config = ConfigDict(populate_by_name=True)
    sender: str = Field(validation_alias=AliasChoices("from", "sender"))
    """A number, or a name such as a company's."""
    text: str

    def apply(self, state: PhoneState) -> None:
        state.messages.receive(self.sender, self.text)


class SentSmsEvent(Frozen):
    """The owner sends a message."""

    to: str
    """The receiver's number."""
    text: str

    def apply(self, state: PhoneState) -> None:
        state.messages.send(self.to, self.text)


class ChatEvent(Frozen):
    """A message in a chat app: it arrives, or the owner sends it."""

    model_config = ConfigDict(populate_by_name=True)
    app: str
    """Package name."""
    person: str = Field(validation_alias=AliasChoices("with", "person"))
    """The other person, or the group."""
    text: str
    own: bool = False
    """Whether the owner sent it."""

    def apply(self, state: PhoneState) -> None:
        deliver = state.chats.send if self.own else state.chats.receive
        deliver(self.app, self.person, self.text)


class MailEvent(Frozen):
    """An e-mail arrives in the mail app."""

    model_config = ConfigDict(populate_by_name=True)
    sender: str = Field(validation_alias=AliasChoices("from", "sender"))
    """A name, an address or both."""
    subject: str
    text: str

    def apply(self, state: PhoneState) -> None:
        state.mail.receive(self.sender, self.subject, self.text)


class NotificationEvent(Frozen):
    """An app posts a notification."""

    app: str
    """Package name."""
    title: str
    text: str
    category: str | None = None
    """Android's category, such as ``msg``, ``alarm`` or ``event``."""
    importance: int = Field(default=3, ge=0, le=5)
    """Android's importance; 4 and more are shown as heads-up notifications."""
    tag: str | None = None
    """A later notification of the app with the same tag replaces this one."""
    ongoing: bool = False
    """It cannot be swiped away."""

    def apply(self, state: PhoneState) -> None:
        state.notifications.post(
            package=self.app,
            title=self.title,
            text=self.text,
            category=self.category,
            importance=self.importance,
            # Each is a notification of its own, as most apps post them; one with a tag updates the last with that tag.
            identifier=1 if self.tag else state.notifications.free_identifier(self.app),
            tag=self.tag,
            ongoing=self.ongoing,
        )


class CallEvent(Frozen):
    """A call comes in, is answered or ends, or the owner dials."""

    model_config = ConfigDict(populate_by_name=True)
    sender: str = Field(default="", validation_alias=AliasChoices("from", "sender"))
    """The caller's number, when it rings."""
    to: str = ""
    """The number that the owner dials."""
    action: Literal["ring", "dial", "answer", "hang_up"] = "ring"

    def apply(self, state: PhoneState) -> None:
        match self.action:
            case "ring":
                state.calls.ring(self.sender)
            case "dial":
                state.calls.dial(self.to)
            case "answer":
                state.calls.answer()
            case "hang_up":
                state.calls.hang_up()
