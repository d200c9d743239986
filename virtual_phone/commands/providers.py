"""Content providers as tables: SQLite itself evaluates ``--where`` and ``--sort`` over rows made from the state."""

import re
import sqlite3
from collections.abc import Callable, Sequence
from typing import NamedTuple

from virtual_phone.state import PhoneState
from virtual_phone.state.calendar import StoredEvent
from virtual_phone.state.media import MediaItem
from virtual_phone.state.people import PHONE_TYPE, ContactData, RawContact, StoredMessage
from virtual_phone.state.well_known import SYSTEM_UI

Value = str | int | float | None
Row = dict[str, Value]
_STEPS = 200_000
"""SQLite virtual-machine steps after which a query is cut off."""


class ProviderError(Exception):
    """An exception of the provider: its class and message."""

    def __init__(self, exception: str, message: str) -> None:
        super().__init__(f"{exception}: {message}")


class Table(NamedTuple):
    """The rows behind a URI; ``columns`` are set for an empty table too."""

    columns: tuple[str, ...]
    rows: list[Row]


def select(table: Table, projection: Sequence[str], where: str = "", order: str = "") -> list[list[Value]]:
    """The projected values of the matching rows, in order. Raises ``ProviderError`` with SQLite's message."""
    for column in projection:
        if column not in table.columns:
            raise ProviderError("java.lang.IllegalArgumentException", f"Invalid column {column}")
    names = ", ".join(_quoted(column) for column in projection)
    query = f"SELECT {names} FROM provider"  # noqa: S608
    query += f" WHERE ({where})" if where else ""
    query += f" ORDER BY {order}" if order else ""
    connection = _load(table)
    try:
        return [list(row) for row in connection.execute(query)]
    except (sqlite3.Error, sqlite3.Warning) as error:
        message = f"{error} (code 1 SQLITE_ERROR): , while compiling: {query}"
        raise ProviderError("android.database.sqlite.SQLiteException", message) from error
    finally:
        connection.close()


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _load(table: Table) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.set_progress_handler(_stop_after(_STEPS), 1000)
    kinds = {column: _affinity(table.rows, column) for column in table.columns}
    declared = ", ".join(f"{_quoted(column)} {kinds[column]}" for column in table.columns)
    connection.execute(f"CREATE TABLE provider ({declared})")
    marks = ", ".join("?" for _ in table.columns)
    rows = [[row.get(column) for column in table.columns] for row in table.rows]
    connection.executemany(f"INSERT INTO provider VALUES ({marks})", rows)  # noqa: S608
    connection.set_authorizer(_read_only)
    return connection


def _affinity(rows: list[Row], column: str) -> str:
    value = next((row[column] for row in rows if row.get(column) is not None), None)
    return "INTEGER" if isinstance(value, int) else "REAL" if isinstance(value, float) else "TEXT"


def _read_only(action: int, *_: object) -> int:
    allowed = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE)
    return sqlite3.SQLITE_OK if action in allowed else sqlite3.SQLITE_DENY


def _stop_after(steps: int) -> Callable[[], int]:
    left = steps // 1000

    def tick() -> int:
        nonlocal left
        left -= 1
        return int(left < 0)

    return tick


# --- SMS --------------------------------------------------------------------------------------------------------
SMS_COLUMNS = (
    "_id", "thread_id", "address", "person", "date", "date_sent", "protocol", "read", "status", "type",
    "reply_path_present", "subject", "body", "service_center", "locked", "sub_id", "error_code", "creator", "seen",
)  # fmt: skip
_BOXES = {"inbox": 1, "sent": 2, "draft": 3}


def sms(state: PhoneState, path: str) -> Table | None:
    """``content://sms[/inbox|/sent|/draft|/<id>]``."""
    messages = state.messages.stored
    if path in _BOXES:
        messages = [message for message in messages if message.kind == _BOXES[path]]
    elif path.isdigit():
        messages = [message for message in messages if message.identifier == int(path)]
    elif path:
        return None
    # The provider's default order is newest first.
    rows = [_sms_row(message) for message in reversed(messages)]
    return Table(SMS_COLUMNS, sorted(rows, key=lambda row: -int(row["date"] or 0)))


def _sms_row(message: StoredMessage) -> Row:
    incoming = message.kind == 1
    return {
        "_id": message.identifier, "thread_id": message.thread, "address": message.address, "person": None,
        "date": message.date, "date_sent": message.date if incoming else 0, "protocol": 0 if incoming else None,
        "read": int(message.read), "status": -1, "type": message.kind, "reply_path_present": 0 if incoming else None,
        "subject": None, "body": message.body, "service_center": None, "locked": 0, "sub_id": 1, "error_code": -1,
        "creator": "com.google.android.apps.messaging", "seen": int(message.read),
    }  # fmt: skip


# --- contacts ---------------------------------------------------------------------------------------------------
_DATA_COLUMNS = tuple(f"data{number}" for number in range(1, 16))
_CONTACT_COLUMNS = ("contact_id", "raw_contact_id", "display_name", "starred", "account_type", "account_name", "lookup")
DATA_COLUMNS = ("_id", "mimetype", *_CONTACT_COLUMNS, *_DATA_COLUMNS, "number", "is_primary", "deleted")
RAW_COLUMNS = ("_id", "contact_id", "account_type", "account_name", "display_name", "starred", "deleted", "version")
CONTACT_COLUMNS = (
    "_id",
    "display_name",
    "starred",
    "has_phone_number",
    "lookup",
    "times_contacted",
    "in_visible_group",
)


def contacts(state: PhoneState, path: str) -> Table | None:
    """``content://com.android.contacts/{data[/phones],raw_contacts,contacts}[/<id>]``."""
    head, _, tail = path.partition("/")
    raw = state.contacts.raw
    if head == "data":
        rows = [_data_row(contact, row) for contact in raw for row in contact.data]
        if tail == "phones" or tail.startswith("phones/"):
            rows = [row for row in rows if row["mimetype"] == PHONE_TYPE]
            tail = tail.removeprefix("phones").lstrip("/")
        return Table(DATA_COLUMNS, _by_id(rows, tail))
    if head == "raw_contacts":
        return Table(RAW_COLUMNS, _by_id([_raw_row(contact) for contact in raw], tail))
    if head == "contacts":
        return Table(CONTACT_COLUMNS, _by_id([_contact_row(contact) for contact in raw], tail))
    return None


LEGACY_COLUMNS = ("_id", "person", "type", "number", "label", "name", "display_name", "starred")


def legacy_contacts(state: PhoneState, path: str) -> Table | None:
    """``content://contacts/{people,phones}[/<id>]``, which Android still serves (``LegacyApiSupport.java``)."""
    head, _, tail = path.partition("/")
    if head == "people":
        return Table(LEGACY_COLUMNS, _by_id([_legacy_row(person, None) for person in state.contacts.raw], tail))
    if head != "phones":
        return None
    rows = [
        _legacy_row(person, row) for person in state.contacts.raw for row in person.data if row.mimetype == PHONE_TYPE
    ]
    return Table(LEGACY_COLUMNS, _by_id(rows, tail))


def _legacy_row(person: RawContact, phone: ContactData | None) -> Row:
    return {
        "_id": phone.identifier if phone else person.identifier, "person": person.identifier,
        "type": int(phone.values.get("data2") or 0) if phone else None, "label": None,
        "number": phone.values.get("data1") if phone else person.first(PHONE_TYPE) or None,
        "name": person.name, "display_name": person.name, "starred": int(person.starred),
    }  # fmt: skip


def _by_id(rows: list[Row], tail: str) -> list[Row]:
    return [row for row in rows if not tail or str(row["_id"]) == tail]


def _shared(contact: RawContact) -> Row:
    return {
        "contact_id": contact.identifier, "raw_contact_id": contact.identifier, "display_name": contact.name,
        "starred": int(contact.starred), "account_type": contact.account_type, "account_name": contact.account_name,
        "lookup": f"0r{contact.identifier}-{contact.name.encode().hex().upper()[:16]}",
    }  # fmt: skip


def _data_row(contact: RawContact, row: ContactData) -> Row:
    number = row.values.get("data1") if row.mimetype == PHONE_TYPE else None
    values: Row = {column: row.values.get(column) for column in _DATA_COLUMNS}
    return {"_id": row.identifier, "mimetype": row.mimetype, **_shared(contact), **values, "number": number,
            "is_primary": 0, "deleted": 0}  # fmt: skip


def _raw_row(contact: RawContact) -> Row:
    return {"_id": contact.identifier, **_shared(contact), "deleted": 0, "version": len(contact.data) + 1}


def _contact_row(contact: RawContact) -> Row:
    has_number = int(bool(contact.first(PHONE_TYPE)))
    return {"_id": contact.identifier, **_shared(contact), "has_phone_number": has_number, "times_contacted": 0,
            "in_visible_group": 1}  # fmt: skip


# --- media ------------------------------------------------------------------------------------------------------
MEDIA_COLUMNS = (
    "_id", "_data", "_display_name", "_size", "mime_type", "title", "date_added", "date_modified", "datetaken",
    "relative_path", "bucket_display_name", "width", "height", "is_trashed", "is_pending", "is_favorite", "is_download",
    "date_expires", "owner_package_name", "volume_name", "media_type",
)  # fmt: skip
_MEDIA_TYPES = {"file": 0, "images": 1, "audio": 2, "video": 3}


def media(state: PhoneState, path: str) -> Table | None:
    """``content://media/external[_primary]/{images,video,audio}/media[/<id>]`` and ``…/file[/<id>]``.

    Rows in the trash are found by id only (MediaProvider's match rules).
    """
    match = re.fullmatch(r"external(?:_primary)?/(?:(images|video|audio)/media|(file|downloads))(?:/(\d+))?", path)
    if match is None:
        return None
    items = [item for item in state.media.items if match[1] in (None, item.kind)]
    if match[3]:
        items = [item for item in items if item.identifier == int(match[3])]
    return Table(MEDIA_COLUMNS, [_media_row(item) for item in items])


def _media_row(item: MediaItem) -> Row:
    folder = item.folder.rstrip("/").rpartition("/")[2]
    return {
        "_id": item.identifier, "_data": item.path, "_display_name": item.path.rpartition("/")[2], "_size": item.size,
        "mime_type": item.mime, "title": item.name.rpartition(".")[0], "date_added": item.added,
        "date_modified": item.added, "datetaken": item.added * 1000, "relative_path": item.folder,
        "bucket_display_name": folder, "width": item.width, "height": item.height, "is_trashed": int(item.trashed),
        "is_pending": 0, "is_favorite": int(item.favorite), "is_download": int(item.folder.startswith("Download")),
        "date_expires": item.expires, "owner_package_name": SYSTEM_UI if "Screenshot" in item.name else None,
        "volume_name": "external_primary", "media_type": _MEDIA_TYPES[item.kind],
    }  # fmt: skip


# --- calendar ---------------------------------------------------------------------------------------------------
CALENDAR_COLUMNS = (
    "_id", "name", "calendar_displayName", "account_name", "account_type", "calendar_access_level", "ownerAccount",
    "visible", "sync_events", "calendar_color", "calendar_timezone", "isPrimary",
)  # fmt: skip
EVENT_COLUMNS = (
    "_id", "calendar_id", "title", "description", "eventLocation", "dtstart", "dtend", "duration", "rrule",
    "eventTimezone", "allDay", "deleted", "hasAlarm", "availability", "eventStatus", "organizer",
    "calendar_displayName", "account_name", "lastDate",
)  # fmt: skip
INSTANCE_COLUMNS = ("_id", "event_id", "begin", "end", "visible", *(name for name in EVENT_COLUMNS if name != "_id"))
REMINDER_COLUMNS = ("_id", "event_id", "minutes", "method")


def calendar(state: PhoneState, path: str) -> Table | None:
    """``content://com.android.calendar/{calendars,events,reminders}[/<id>]`` and ``instances/when/<begin>/<end>``."""
    head, _, tail = path.partition("/")
    if head == "calendars":
        return Table(CALENDAR_COLUMNS, _by_id(_calendar_rows(state), tail))
    if head == "events":
        return Table(EVENT_COLUMNS, _by_id([_event_row(state, event) for event in state.calendar.events], tail))
    if head == "reminders":
        rows: list[Row] = [
            {
                "_id": reminder.identifier,
                "event_id": event.identifier,
                "minutes": reminder.minutes,
                "method": reminder.method,
            }
            for event in state.calendar.events
            for reminder in event.reminders
        ]
        return Table(REMINDER_COLUMNS, _by_id(rows, tail))
    when = re.fullmatch(r"instances/when/(\d+)/(\d+)", path)
    if when:
        rows = [
            {
                **_event_row(state, event),
                "_id": number,
                "event_id": event.identifier,
                "begin": begin,
                "end": end,
                "visible": 1,
            }
            for number, (event, begin, end) in enumerate(state.calendar.instances(int(when[1]), int(when[2])), start=1)
        ]
        return Table(INSTANCE_COLUMNS, rows)
    return None


def _calendar_rows(state: PhoneState) -> list[Row]:
    return [
        {"_id": account.identifier, "name": account.name, "calendar_displayName": account.name,
         "account_name": account.account, "account_type": "LOCAL", "calendar_access_level": account.access_level,
         "ownerAccount": account.account, "visible": 1, "sync_events": 1, "calendar_color": -14069085,
         "calendar_timezone": state.identity.timezone, "isPrimary": 1}
        for account in state.calendar.calendars
    ]  # fmt: skip


def _event_row(state: PhoneState, event: StoredEvent) -> Row:
    account = next((account for account in state.calendar.calendars if account.identifier == event.calendar), None)
    return {
        "_id": event.identifier, "calendar_id": event.calendar, "title": event.title,
        "description": event.description or None, "eventLocation": event.location or None, "dtstart": event.start,
        "dtend": event.end, "duration": event.duration, "rrule": event.rrule, "eventTimezone": event.timezone,
        "allDay": int(event.all_day), "deleted": 0, "hasAlarm": int(bool(event.reminders)), "availability": 0,
        "eventStatus": 1, "organizer": account.account if account else None,
        "calendar_displayName": account.name if account else None, "account_name": account.account if account else None,
        "lastDate": event.end,
    }  # fmt: skip


# --- call log ---------------------------------------------------------------------------------------------------
CALL_COLUMNS = (
    "_id",
    "number",
    "name",
    "date",
    "duration",
    "type",
    "new",
    "presentation",
    "geocoded_location",
    "countryiso",
)


def call_log(state: PhoneState, path: str) -> Table | None:
    """``content://call_log/calls``."""
    if path.partition("/")[0] != "calls":
        return None
    rows: list[Row] = [
        {"_id": call.identifier, "number": call.number, "name": state.contacts.name_of(call.number) or None,
         "date": call.date, "duration": call.duration, "type": call.kind, "new": 1, "presentation": 1,
         "geocoded_location": "", "countryiso": "CN"}
        for call in reversed(state.calls.log)
    ]  # fmt: skip
    return Table(CALL_COLUMNS, _by_id(rows, path.partition("/")[2]))


def settings(state: PhoneState, path: str) -> Table | None:
    """``content://settings/{system,secure,global}[/<key>]``."""
    namespace, _, key = path.partition("/")
    if namespace not in state.settings.stored:
        return None
    rows: list[Row] = [
        {"_id": number, "name": name, "value": value, "is_preserved_in_restore": 0}
        for number, (name, value) in enumerate(state.settings.listed(namespace), start=1)
        if key in ("", name)
    ]
    return Table(("_id", "name", "value", "is_preserved_in_restore"), rows)


PROVIDERS: dict[str, Callable[[PhoneState, str], Table | None]] = {
    "sms": sms,
    "com.android.contacts": contacts,
    "contacts": legacy_contacts,
    "media": media,
    "com.android.calendar": calendar,
    "call_log": call_log,
    "settings": settings,
}
"""Authority to the function that gives the table of a path, or None for a path it does not serve."""
