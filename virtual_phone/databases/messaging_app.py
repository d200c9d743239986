"""``bugle_db``: the messaging app's participants and conversations, views of messages, contacts and blocked numbers."""

from virtual_phone.databases.mapping import MappedDatabase, MappedTable, TableRow
from virtual_phone.state import PhoneState
from virtual_phone.state.people import digits
from virtual_phone.state.well_known import MESSAGING_APP


def _numbers(state: PhoneState) -> list[str]:
    """Each number that a message came from or went to, and each blocked one."""
    numbers = [message.address for message in state.messages.stored] + state.calls.blocked
    return list({digits(number) or number: number for number in numbers}.values())


def _participants(state: PhoneState) -> list[TableRow]:
    blocked = set(map(digits, state.calls.blocked))
    return [
        {
            "_id": number,
            "normalized_destination": address.replace(" ", ""),
            "send_destination": address,
            "display_destination": address,
            "full_name": state.contacts.name_of(address) or None,
            "blocked": int(digits(address) in blocked),
        }
        for number, address in enumerate(_numbers(state), start=1)
    ]


def _put(state: PhoneState, row: TableRow) -> None:
    state.calls.block(str(row["normalized_destination"] or ""), bool(row["blocked"]))


def _unblock(state: PhoneState, key: int) -> None:
    row = next((row for row in _participants(state) if row["_id"] == key), None)
    if row is not None:
        state.calls.block(str(row["normalized_destination"]), False)


def _conversations(state: PhoneState) -> list[TableRow]:
    rows: list[TableRow] = []
    for thread in state.messages.threads.values():
        messages = [message for message in state.messages.stored if message.thread == thread]
        if messages:
            last = max(messages, key=lambda message: message.date)
            rows.append(
                {
                    "_id": thread,
                    "sms_thread_id": thread,
                    "name": state.contacts.name_of(last.address) or last.address,
                    "snippet_text": last.body,
                    "sort_timestamp": last.date,
                    "participant_count": 1,
                    "participant_normalized_destination": last.address.replace(" ", ""),
                }
            )
    return rows


DATABASE = MappedDatabase(
    f"/data/data/{MESSAGING_APP}/databases/bugle_db",
    "bugle_db.sql",
    (MappedTable("participants", _participants, _put, _unblock), MappedTable("conversations", _conversations)),
)
