"""``alarms.db``: the clock app's alarms."""

from virtual_phone.databases.mapping import MappedDatabase, MappedTable, TableRow
from virtual_phone.state import PhoneState
from virtual_phone.state.alarms import WEEKDAYS, StoredAlarm
from virtual_phone.state.well_known import CLOCK_APP

_SILENT = 0
"""``AlarmInstance.SILENT_STATE``: the alarm waits."""


def _templates(state: PhoneState) -> list[TableRow]:
    return [
        {
            "_id": alarm.identifier,
            "hour": alarm.hour,
            "minutes": alarm.minute,
            "daysofweek": sum(1 << WEEKDAYS.index(day) for day in alarm.days),
            "enabled": int(alarm.enabled),
            "vibrate": int(alarm.vibrate),
            "label": alarm.label,
            "delete_after_use": int(alarm.delete_after_use),
        }
        for alarm in state.alarms.alarms
    ]


def _put(state: PhoneState, row: TableRow) -> None:
    # Weekdays.java: Monday is the lowest bit.
    days = [day for bit, day in enumerate(WEEKDAYS) if int(row["daysofweek"] or 0) >> bit & 1]
    state.alarms.put(
        StoredAlarm.model_validate(
            {
                "identifier": row["_id"],
                "hour": row["hour"],
                "minute": row["minutes"],
                "days": days,
                "enabled": bool(row["enabled"]),
                "label": row["label"],
                "vibrate": bool(row["vibrate"]),
                "delete_after_use": bool(row["delete_after_use"]),
            }
        )
    )


def _remove(state: PhoneState, key: int) -> None:
    alarm = state.alarms.find(key)
    if alarm is not None:
        state.alarms.remove(alarm)


def _instances(state: PhoneState) -> list[TableRow]:
    # Calendar.MONTH counts from 0.
    return [
        {"_id": alarm.identifier, "year": due.year, "month": due.month - 1, "day": due.day, "hour": due.hour,
         "minutes": due.minute, "vibrate": int(alarm.vibrate), "label": alarm.label, "alarm_state": _SILENT,
         "alarm_id": alarm.identifier}
        for due, alarm in state.alarms.upcoming()
    ]  # fmt: skip


DATABASE = MappedDatabase(
    f"/data/user_de/0/{CLOCK_APP}/databases/alarms.db",
    "alarms.sql",
    (MappedTable("alarm_templates", _templates, _put, _remove), MappedTable("alarm_instances", _instances)),
)
