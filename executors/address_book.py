"""The phone's contacts: finding people by name and their numbers."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from android_bridge.device import Device
from android_bridge.facts.content import Row, Rows, rows
from android_bridge.facts.reader import Reader
from android_bridge.phone_numbers import same_number
from executors.executor import RefusedError
from executors.observation import observe
from heed.messages import msg

RAW_CONTACTS = "content://com.android.contacts/raw_contacts"
DATA = "content://com.android.contacts/data"
_PHONES = "content://com.android.contacts/data/phones"
_MOBILE = "2"
"""``ContactsContract.CommonDataKinds.Phone.TYPE_MOBILE``."""

NUMBERS = rows(_PHONES, ["contact_id", "data2", "data1", "display_name"], plain=["contact_id", "data2"])
"""All numbers with their type and contact."""
PEOPLE = rows(
    RAW_CONTACTS,
    ["contact_id", "account_type", "display_name"],
    where="deleted=0",
    plain=["contact_id", "account_type"],
)
"""All raw contacts; one person may have several (one per account)."""


class Recipient(NamedTuple):
    """The receiver of a message or a call."""

    number: str
    name: str
    """As in the contacts; empty for a bare number."""


def data_of(raw_contacts: Iterable[int]) -> Reader[Rows]:
    """Returns the reader of the data rows of raw contacts."""
    ids = ",".join(str(raw_contact) for raw_contact in raw_contacts)
    return rows(DATA, ["mimetype", "data1"], where=f"raw_contact_id IN ({ids})", plain=["mimetype"])


def row_id(row: Row) -> int:
    """Returns the id of a row."""
    return int(row["_id"] or 0)


def plain_number(text: str) -> str:
    """Returns ``text`` without the separators between its digits."""
    return re.sub(r"[^\d+]", "", unicodedata.normalize("NFKC", text))


def same_name(one: str | None, other: str) -> bool:
    """Whether two names are written alike, apart from case and spacing."""
    return _folded(one or "") == _folded(other)


def people_named(people: Sequence[Row], name: str) -> list[Row]:
    """Returns the rows of people with this full name, or else with this first name if only one person has it."""
    full = [row for row in people if same_name(row["display_name"], name)]
    first = [row for row in people if _folded(row["display_name"] or "").split(" ")[0] == _folded(name)]
    return full or (first if len({row["contact_id"] for row in first}) == 1 else [])


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


async def resolve(phone: Device, recipient: str) -> Recipient:
    """Returns the recipient for a number or a name; raises ``RefusedError`` unless there is exactly one number."""
    (numbers,) = await observe(phone, NUMBERS)
    if re.fullmatch(r"\+?\d{3,20}", recipient, re.ASCII):
        return Recipient(recipient, name_of(recipient, numbers.items))
    own = people_named(numbers.items, recipient)
    candidates = [row for row in own if row["data2"] == _MOBILE] or own
    unique = {plain_number(row["data1"] or ""): row["display_name"] or "" for row in candidates}
    if not unique:
        remedy = msg("Give a phone number, or the name as it stands in the contacts.")
        raise RefusedError(msg("No contact with a number is called {recipient!r}.", recipient=recipient), remedy)
    if len(unique) > 1:
        raise RefusedError(
            msg("{recipient!r} has {count} numbers.", recipient=recipient, count=len(unique)),
            msg("Say which: {unique}.", unique=unique),
        )
    return Recipient(*unique.popitem())


def name_of(number: str, numbers: Sequence[Row]) -> str:
    """Returns the contact's name for a number; empty when no contact has it."""
    return next((row["display_name"] or "" for row in numbers if same_number(row["data1"] or "", number)), "")
