"""E-mail in the mail app; a sent letter is only stored in the sent folder."""

from typing import Literal

from pydantic import Field

from virtual_phone.state.part import StatePart
from virtual_phone.state.record import StateRecord
from virtual_phone.state.well_known import MAIL_APP

MailFolder = Literal["inbox", "sent"]


class Letter(StateRecord):
    """One e-mail; ``date`` in milliseconds since 1970."""

    identifier: int
    folder: MailFolder
    person: str
    """The sender, or the receiver of a sent letter."""
    subject: str
    body: str
    date: int
    read: bool = False


class MailState(StatePart):
    """The mail app's letters."""

    letters: list[Letter] = Field(default_factory=list)
    next_letter: int = 1

    def receive(self, sender: str, subject: str, body: str) -> Letter:
        """A letter arrives in the inbox, with a notification that opens it."""
        letter = self.store("inbox", sender, subject, body)
        self._phone.notifications.post(
            package=MAIL_APP,
            identifier=letter.identifier,
            tag=f"mail:{letter.identifier}",
            channel="mail",
            title=sender,
            text=subject,
            big_text=f"{subject}\n{body}",
            category="email",
            tap={"component": f"{MAIL_APP}/.ConversationListActivityGmail"},
        )
        return letter

    def send(self, receivers: str, subject: str, body: str) -> Letter:
        """The owner sends a letter."""
        letter = self.store("sent", receivers, subject, body)
        letter.read = True
        return letter

    def store(self, folder: MailFolder, person: str, subject: str, body: str, *, date: int | None = None) -> Letter:
        """Store a letter in a folder; the date is now by default."""
        letter = Letter(
            identifier=self.next_letter,
            folder=folder,
            person=person,
            subject=subject,
            body=body,
            date=self._phone.clock.milliseconds() if date is None else date,
        )
        self.letters.append(letter)
        self.next_letter += 1
        self._changed()
        return letter

    def find(self, identifier: int) -> Letter | None:
        """The letter with this id."""
        return next((letter for letter in self.letters if letter.identifier == identifier), None)

    def mark_read(self, letter: Letter) -> None:
        """The owner opens a letter."""
        letter.read = True
        self._phone.notifications.cancel_tag(MAIL_APP, f"mail:{letter.identifier}")
        self._changed()

    def remove(self, letter: Letter) -> None:
        """Delete a letter."""
        self.letters = [other for other in self.letters if other is not letter]
        self._phone.notifications.cancel_tag(MAIL_APP, f"mail:{letter.identifier}")
        self._changed()
