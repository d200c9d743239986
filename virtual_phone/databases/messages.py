"""``mmssms.db``: the SMS provider's messages and conversations."""

from virtual_phone.databases.mapping import MappedDatabase, MappedTable, TableRow
from virtual_phone.state import PhoneState
from virtual_phone.state.people import StoredMessage
from virtual_phone.state.well_known import MESSAGING_APP


def _sms(state: PhoneState) -> list[TableRow]:
    return [
        {
            "_id": message.identifier, "thread_id": message.thread, "address": message.address, "date": message.date,
            "date_sent": message.date if message.kind == 1 else 0, "protocol": 0 if message.kind == 1 else None,
            "read": int(message.read), "type": message.kind, "body": message.body, "sub_id": 1,
            "creator": MESSAGING_APP, "seen": int(message.read),
        }
        for message in state.messages.stored
    ]  # fmt: skip


def _put(state: PhoneState, row: TableRow) -> None:
    address = str(row["address"] or "")
    state.messages.put(
        StoredMessage.model_validate(
            {
                "identifier": row["_id"],
                "thread": row["thread_id"] or state.messages.thread(address),
                "address": address,
                "body": row["body"] or "",
                "date": row["date"] or 0,
                "kind": row["type"],
                "read": bool(row["read"]),
            }
        )
    )


def _threads(state: PhoneState) -> list[TableRow]:
    rows: list[TableRow] = []
    for identifier in state.messages.threads.values():
        messages = [message for message in state.messages.stored if message.thread == identifier]
        last = max(messages, key=lambda message: message.date, default=None)
        rows.append(
            {
                "_id": identifier,
                "date": last.date if last else 0,
                "message_count": len(messages),
                "recipient_ids": str(identifier),
                "snippet": last.body if last else None,
                "read": int(all(message.read for message in messages)),
            }
        )
    return rows


def _addresses(state: PhoneState) -> list[TableRow]:
    return [{"_id": identifier, "address": number} for number, identifier in state.messages.threads.items()]


DATABASE = MappedDatabase(
    "/data/data/com.android.providers.telephony/databases/mmssms.db",
    "mmssms.sql",
    (
        MappedTable("sms", _sms, _put, lambda state, key: state.messages.delete(key)),
        MappedTable("threads", _threads, lambda state, row: None, lambda state, key: state.messages.delete_thread(key)),
        MappedTable("canonical_addresses", _addresses),
    ),
)
