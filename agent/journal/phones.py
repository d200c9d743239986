"""The phones that were ever connected: the key of each in the journal, its name and its last address."""

from agent.journal.database import Database
from android_bridge.identity import PhoneIdentity
from heed.model import Frozen


class SeenPhone(Frozen):
    """A connected phone as the owner knows it."""

    name: str
    """The model, numbered when another phone has the same one."""
    updated: bool
    """Whether its system has another build than when it was seen last: its grants have ended."""


class Phones:
    """Every phone by the key of its identity, in the journal's file."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def seen(self, identity: PhoneIdentity, address: str) -> SeenPhone:
        """Store that this phone answers at ``address``; after a system update its grants are deleted."""
        with self._db.transaction():
            row = self._db.execute("SELECT name, build FROM phone WHERE id = ?", (identity.id,)).fetchone()
            name = row["name"] if row else self._free_name(identity.model)
            self._db.execute(
                "INSERT OR REPLACE INTO phone (id, name, build, address) VALUES (?, ?, ?, ?)",
                (identity.id, name, identity.build, address),
            )
            updated = row is not None and row["build"] != identity.build
            if updated:
                self._db.execute("DELETE FROM grant WHERE serial = ?", (identity.id,))
            if address == identity.serial_number:
                self._adopt(address, identity.id)
        return SeenPhone(name=name, updated=updated)

    def name(self, phone_id: str) -> str:
        """The name of a phone; ``phone_id`` itself where it is an address from before phones were told apart."""
        row = self._db.execute("SELECT name FROM phone WHERE id = ?", (phone_id,)).fetchone()
        return str(row["name"]) if row else phone_id

    def address(self, phone_id: str) -> str:
        """The adb address at which a phone was seen last; ``phone_id`` itself where it is an address."""
        row = self._db.execute("SELECT address FROM phone WHERE id = ?", (phone_id,)).fetchone()
        return str(row["address"]) if row else phone_id

    def _free_name(self, model: str) -> str:
        taken = {row["name"] for row in self._db.execute("SELECT name FROM phone")}
        names = (model if number == 1 else f"{model} ({number})" for number in range(1, len(taken) + 2))
        return next(name for name in names if name not in taken)

    def _adopt(self, address: str, phone_id: str) -> None:
        """Give this phone the rows from before phones were told apart.

        On a cable the address is the phone's own serial number; a network address may have been any phone's, so its
        rows stay readable and are nobody's.
        """
        for table, column in (("context", "phone"), ("plan", "phone"), ("agenda", "serial"), ("grant", "serial")):
            self._db.execute(f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {column} = ?", (phone_id, address))  # noqa: S608
