"""``calllog.db``: the call log."""

from virtual_phone.databases.mapping import MappedDatabase, MappedTable, TableRow
from virtual_phone.state import PhoneState
from virtual_phone.state.people import CallRecord


def _calls(state: PhoneState) -> list[TableRow]:
    return [
        {
            "_id": call.identifier,
            "number": call.number,
            "date": call.date,
            "duration": call.duration,
            "type": call.kind,
            "new": 1,
            "name": state.contacts.name_of(call.number) or None,
        }
        for call in state.calls.log
    ]


def _put(state: PhoneState, row: TableRow) -> None:
    state.calls.put(
        CallRecord.model_validate(
            {
                "identifier": row["_id"],
                "number": row["number"] or "",
                "date": row["date"] or 0,
                "duration": row["duration"] or 0,
                "kind": row["type"],
            }
        )
    )


DATABASE = MappedDatabase(
    "/data/data/com.android.providers.contacts/databases/calllog.db",
    "calllog.sql",
    (MappedTable("calls", _calls, _put, lambda state, key: state.calls.delete({key})),),
)
