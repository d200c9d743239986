"""``calendar.db``: the calendar provider's calendars, events and reminders."""

from virtual_phone.databases.mapping import MappedDatabase, MappedTable, TableRow
from virtual_phone.state import PhoneState
from virtual_phone.state.calendar import CalendarAccount, Reminder, StoredEvent

_FIELDS = {
    "calendar_id": "calendar", "title": "title", "description": "description", "eventLocation": "location",
    "dtstart": "start", "dtend": "end", "duration": "duration", "rrule": "rrule", "eventTimezone": "timezone",
    "allDay": "all_day",
}  # fmt: skip
"""Column → field of an event."""


def _calendars(state: PhoneState) -> list[TableRow]:
    return [
        {
            "_id": account.identifier,
            "account_name": account.account,
            "account_type": "LOCAL",
            "name": account.name,
            "calendar_displayName": account.name,
            "calendar_access_level": account.access_level,
            "sync_events": 1,
            "calendar_timezone": state.identity.timezone,
            "ownerAccount": account.account,
            "isPrimary": 1,
        }
        for account in state.calendar.calendars
    ]


def _put_calendar(state: PhoneState, row: TableRow) -> None:
    state.calendar.put_account(
        CalendarAccount.model_validate(
            {
                "identifier": row["_id"],
                "name": row["calendar_displayName"] or row["name"] or "",
                "account": row["ownerAccount"] or row["account_name"] or "",
                "access_level": row["calendar_access_level"] or 0,
            }
        )
    )


def _events(state: PhoneState) -> list[TableRow]:
    return [
        {
            "_id": event.identifier,
            **{column: _cell(getattr(event, field)) for column, field in _FIELDS.items()},
            "hasAlarm": int(bool(event.reminders)),
            "eventStatus": 1,
            "lastDate": event.end,
        }
        for event in state.calendar.events
    ]


def _cell(value: str | int | None) -> str | int | None:
    return None if value == "" else int(value) if isinstance(value, bool) else value


def _put_event(state: PhoneState, row: TableRow) -> None:
    key = int(row["_id"] or 0)
    if row["deleted"]:
        state.calendar.remove({key})
        return
    old = state.calendar.find(key)
    given = {field: row[column] for column, field in _FIELDS.items() if row[column] is not None}
    reminders = old.reminders if old else []
    state.calendar.put(
        StoredEvent.model_validate({**given, "identifier": key, "all_day": bool(row["allDay"]), "reminders": reminders})
    )


def _reminders(state: PhoneState) -> list[TableRow]:
    return [
        {"_id": reminder.identifier, "event_id": event.identifier, "minutes": reminder.minutes,
         "method": reminder.method}
        for event in state.calendar.events
        for reminder in event.reminders
    ]  # fmt: skip


def _put_reminder(state: PhoneState, row: TableRow) -> None:
    reminder = Reminder.model_validate(
        {"identifier": row["_id"], "minutes": row["minutes"] or 0, "method": row["method"]}
    )
    if not state.calendar.put_reminder(int(row["event_id"] or 0), reminder):
        raise ValueError("a reminder's event does not exist")


DATABASE = MappedDatabase(
    "/data/data/com.android.providers.calendar/databases/calendar.db",
    "calendar.sql",
    (
        MappedTable("Calendars", _calendars, _put_calendar, lambda state, key: state.calendar.remove_account(key)),
        MappedTable("Events", _events, _put_event, lambda state, key: state.calendar.remove({key})),
        MappedTable("Reminders", _reminders, _put_reminder, lambda state, key: state.calendar.remove_reminder(key)),
    ),
)
