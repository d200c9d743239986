"""``History``: the pages that Chrome visited."""

from virtual_phone.databases.mapping import MappedDatabase, MappedTable, TableRow
from virtual_phone.state import PhoneState

_EPOCH = 11_644_473_600_000
"""Milliseconds from 1601, from where Chromium counts microseconds (``base/time/time.h``), to 1970."""


def _urls(state: PhoneState) -> list[TableRow]:
    visits = state.browsing.visited
    return [
        {
            "id": len(visits) - place,
            "url": address,
            "title": "",
            "visit_count": 1,
            "last_visit_time": (state.browsing.times.get(address, 0) + _EPOCH) * 1000,
        }
        for place, address in enumerate(visits)
    ]


def _put(state: PhoneState, row: TableRow) -> None:
    state.browsing.visit(str(row["url"] or ""), int(row["last_visit_time"] or 0) // 1000 - _EPOCH)


def _remove(state: PhoneState, key: int) -> None:
    address = next((str(row["url"]) for row in _urls(state) if row["id"] == key), None)
    if address is not None:
        state.browsing.forget(address)


DATABASE = MappedDatabase(
    "/data/data/com.android.chrome/app_chrome/Default/History",
    "history.sql",
    (MappedTable("urls", _urls, _put, _remove, key="id"),),
)
