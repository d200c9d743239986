"""Conversations in chat apps; what is sent stays on the phone."""

from pydantic import Field

from virtual_phone.state.part import StatePart
from virtual_phone.state.record import ChatLine, StateRecord


class ChatMessage(StateRecord):
    """One message in the app ``package`` with ``person``; ``date`` in milliseconds since 1970."""

    package: str
    person: str
    text: str
    date: int
    own: bool


class ChatsState(StatePart):
    """Every chat app's conversations, oldest message first."""

    stored: list[ChatMessage] = Field(default_factory=list)

    def of(self, package: str, person: str) -> list[ChatMessage]:
        """One conversation."""
        return [message for message in self.stored if (message.package, message.person) == (package, person)]

    def latest(self, package: str) -> list[ChatMessage]:
        """The last message of each conversation in an app, the newest first."""
        last = {message.person: message for message in self.stored if message.package == package}
        return sorted(last.values(), key=lambda message: -message.date)

    def send(self, package: str, person: str, text: str) -> ChatMessage:
        """The owner sends a message."""
        return self._store(package, person, text, own=True)

    def receive(self, package: str, person: str, text: str) -> ChatMessage:
        """A message arrives: it is stored and a notification is posted."""
        message = self._store(package, person, text, own=False)
        self._phone.notifications.post(
            package=package, tag=f"chat:{person}", channel="messages", importance=4, title=person, text=text,
            category="msg", conversation=person, chat=[ChatLine(sender=person, text=text, time=message.date)],
        )  # fmt: skip
        return message

    def read(self, package: str, person: str) -> None:
        """The owner reads a conversation."""
        self._phone.notifications.cancel_tag(package, f"chat:{person}")
        self._changed()

    def _store(self, package: str, person: str, text: str, *, own: bool) -> ChatMessage:
        now = self._phone.clock.milliseconds()
        message = ChatMessage(package=package, person=person, text=text, date=now, own=own)
        self.stored.append(message)
        self._changed()
        return message
