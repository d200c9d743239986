"""Calls, messages and calendar events, from the phone's content providers.

Columns and their numbers follow AOSP's ``CallLog.Calls``, ``Telephony.Sms`` and ``CalendarContract``; the rows of
captures are in the order of these columns (see ``facts.content``). Titles, places and numbers are third-party
text.
"""

from android_bridge.facts.content import FROM_NOW, UNTIL, rows

AHEAD_S = 24 * 3600
"""How far ahead the calendar is read, seconds."""
MONTH_S = 30 * 86400

CALENDAR_AHEAD = rows(
    f"content://com.android.calendar/instances/when/{FROM_NOW}/{UNTIL}",
    ("begin", "end", "allDay", "eventLocation", "title", "description"),
    where="visible=1",
    sort="begin ASC",
    plain=("begin", "end", "allDay"),
    window=AHEAD_S,
)
"""Events in progress or within ``AHEAD_S``, recurring ones included; ``begin`` and ``end`` in ms since 1970."""

CALENDAR_REPEATED = rows(
    "content://com.android.calendar/events",
    ("dtstart", "allDay", "rrule", "eventTimezone", "title"),
    where="rrule IS NOT NULL AND deleted=0",
    plain=("dtstart", "allDay"),
)
"""Recurring events; ``rrule`` as in RFC 5545."""

MISSED_CALLS = rows(
    "content://call_log/calls", ("date", "number"), where="type=3 AND new=1", sort="date DESC", plain=("date",)
)
"""Missed calls that the owner has not seen, newest first."""

CALLS_OF_A_MONTH = rows(
    "content://call_log/calls", ("type", "date", "number"), plain=("type", "date"), since=("date", MONTH_S)
)
"""``type``: 1 incoming, 2 outgoing, 3 missed, 5 rejected."""

MESSAGES_OF_A_MONTH = rows(
    "content://sms", ("type", "date", "address"), plain=("type", "date"), since=("date", MONTH_S)
)
"""``type``: 1 received, 2 sent."""
