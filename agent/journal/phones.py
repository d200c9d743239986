"""The phones that were ever connected: the key of each in the journal, its name and its last address."""

from agent.journal.database import Database
from android_bridge.identity import PhoneIdentity
from heed.errors import UsageError
from heed.messages import msg
from heed.model import Frozen

_LONGEST_NAME = 40


class SeenPhone(Frozen):
    """A connected phone as the owner knows it."""

    name: str
    """The model, numbered when another phone has the same one."""
    updated: bool
    """Whether its system has another build than when it was seen last: its grants have ended."""


class KnownPhone(Frozen):
    """A phone that was connected once."""

    id: str
    name: str
    address: str
    """The adb address at which it was seen last."""
    guid: str
    """The name under which it announces itself in the network, where it was paired; else empty."""


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
                "INSERT INTO phone (id, name, build, address) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (id) DO UPDATE SET build = excluded.build, address = excluded.address",
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

    def entries(self) -> list[KnownPhone]:
        """Every phone, by name."""
        rows = self._db.execute("SELECT id, name, address, guid FROM phone ORDER BY name")
        return [KnownPhone(**dict(row)) for row in rows]

    def addressed(self, wanted: str) -> str:
        """The address of the phone that is called ``wanted``, whatever the case; ``wanted`` where none is."""
        found = (phone for phone in self.entries() if phone.name.casefold() == wanted.casefold())
        return next((phone.address for phone in found), wanted)

    def paired(self, phone_id: str, guid: str) -> None:
        """Store the name under which a paired phone announces itself in the network."""
        self._db.execute("UPDATE phone SET guid = ? WHERE id = ?", (guid, phone_id))

    def moved(self, phone_id: str, address: str) -> None:
        """Store that a phone is reached at another address now."""
        self._db.execute("UPDATE phone SET address = ? WHERE id = ?", (address, phone_id))

    def rename(self, phone_id: str, name: str) -> None:
        """Give a phone another name; ``UsageError`` when it is empty, too long or another phone's."""
        name = " ".join(name.split())
        if not name or len(name) > _LONGEST_NAME or not name.isprintable():
            raise UsageError(msg("A phone's name has 1 to {count} characters.", count=_LONGEST_NAME))
        if any(one.name.casefold() == name.casefold() and one.id != phone_id for one in self.entries()):
            raise UsageError(msg("Another phone is called {name!r}.", name=name), msg("`heed devices` lists them."))
        self._db.execute("UPDATE phone SET name = ? WHERE id = ?", (name, phone_id))

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
