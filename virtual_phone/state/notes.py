"""Notes in the notes app."""

from pydantic import Field

from virtual_phone.state.part import StatePart
from virtual_phone.state.record import StateRecord


class Note(StateRecord):
    """One note; ``changed`` in milliseconds since 1970."""

    identifier: int
    title: str
    body: str
    changed: int


class NotesState(StatePart):
    """The notes, in the order of creation."""

    written: list[Note] = Field(default_factory=list)
    next_note: int = 1

    def write(self, title: str, body: str) -> Note:
        """A new note."""
        now = self._phone.clock.milliseconds()
        note = Note(identifier=self.next_note, title=title, body=body, changed=now)
        self.written.append(note)
        self.next_note += 1
        self._changed()
        return note

    def find(self, identifier: int) -> Note | None:
        """The note with this id."""
        return next((note for note in self.written if note.identifier == identifier), None)

    def change(self, note: Note, title: str, body: str) -> None:
        """The owner edits a note."""
        note.title, note.body, note.changed = title, body, self._phone.clock.milliseconds()
        self._changed()

    def remove(self, note: Note) -> None:
        """Delete a note."""
        self.written = [other for other in self.written if other is not note]
        self._changed()
