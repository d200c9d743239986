"""Calls, messages and dates with other people, from the phone's content providers.

Columns and their numbers follow AOSP's ``CallLog.Calls``, ``Telephony.Sms`` and ``CalendarContract``; the rows of
captures are in the order of these columns (see ``facts.content``). Titles, places and shown numbers are anybody's.
"""

from android_bridge.facts.content import FROM_NOW, UNTIL, rows

AHEAD_S = 12 * 3600
"""The calendar is read so far ahead, seconds."""
MONTH_S = 30 * 86400

CALENDAR_AHEAD = rows(
    f"content://com.android.calendar/instances/when/{FROM_NOW}/{UNTIL}",
    ("begin", "end", "allDay", "eventLocation", "title"),
    where="visible=1",
    sort="begin ASC",
    plain=("begin", "end", "allDay"),
    window=AHEAD_S,
)
"""What is going on or begins within ``AHEAD_S``, repeated events included; ``begin`` and ``end`` in milliseconds."""

CALENDAR_REPEATED = rows(
    "content://com.android.calendar/events",
    ("dtstart", "allDay", "rrule", "eventTimezone", "title"),
    where="rrule IS NOT NULL AND deleted=0",
    plain=("dtstart", "allDay"),
)
"""Events that repeat; ``rrule`` as in RFC 5545."""

MISSED_CALLS = rows(
    "content://call_log/calls", ("date", "number"), where="type=3 AND new=1", sort="date DESC", plain=("date",)
)
"""Missed calls that the person has not looked at, newest first."""

CALLS_OF_A_MONTH = rows(
    "content://call_log/calls", ("type", "date", "number"), plain=("type", "date"), since=("date", MONTH_S)
)
"""``type``: 1 incoming, 2 outgoing, 3 missed, 5 rejected."""

MESSAGES_OF_A_MONTH = rows(
    "content://sms", ("type", "date", "address"), plain=("type", "date"), since=("date", MONTH_S)
)
"""``type``: 1 received, 2 sent."""
