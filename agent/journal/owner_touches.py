"""What the owner did on a phone through the console: touches of the live screen. They are no actions of heed."""

from datetime import datetime

from agent.journal.database import Database, utc


class OwnerTouches:
    """The owner's touches, in the journal's file."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def record(self, phone_id: str, serial: str, at: datetime, kind: str) -> int:
        """Store a touch before it is sent to the phone; ``at`` is the phone's time. Where it was is not stored."""
        return self._db.insert(
            "owner_touch", at=utc(at), elapsed=self._db.elapsed.now(), serial=serial, phone=phone_id, kind=kind
        )

    def count(self) -> int:
        """How many touches are stored."""
        return int(self._db.execute("SELECT COUNT(*) FROM owner_touch").fetchone()[0])
