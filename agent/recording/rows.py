"""Rows of content providers: contacts, messages, calls, appointments, files."""

import re

from agent.recording.fields import PERSON, TEXT, private
from agent.recording.stand_ins import StandIns

_PROJECTION = re.compile(r"--projection ([\w:]+)")
_NUMBER_COLUMNS = frozenset(
    {"_id", "date", "begin", "end", "allDay", "dtstart", "type", "data2", "contact_id", "raw_contact_id", "minutes",
     "date_added", "_size", "is_trashed", "event_id", "calendar_access_level", "eventTimezone", "rrule",
     "mime_type", "relative_path", "times_contacted", "starred", "isPrimary", "visible", "deleted"}
)  # fmt: skip
_VALUE = re.compile(r"-?\d{0,19}|NULL|[A-Z=;,\d]{4,200}|[A-Za-z_+/-]{1,60}", re.ASCII)
_PERSON_COLUMNS = frozenset({"display_name", "name", "ownerAccount", "account_name", "calendar_displayName"})


def scrub_rows(command: str, text: str, stand_ins: StandIns) -> str:
    """Returns the rows with marks in place of all values that are no plain numbers or types."""
    if "Row: " not in text:  # no row, or a refusal
        return text
    columns = "|".join({column for found in _PROJECTION.findall(command) for column in found.split(":")})
    begin = re.compile(rf"(?:^Row: \d+ |, )({columns})=", re.MULTILINE) if columns else re.compile(r"(?!)")
    return "\n".join(_row(line, begin, stand_ins) for line in text.split("\n"))


def _row(line: str, begin: re.Pattern[str], stand_ins: StandIns) -> str:
    starts = list(begin.finditer(line)) if line.startswith("Row: ") else []
    if not starts:  # the next line of a text, or what the command itself says
        return line if _NO_TEXT.fullmatch(line) else stand_ins.text(line, TEXT)
    ends = [start.start() for start in starts[1:]] + [len(line)]
    return "".join(
        start[0] + _cell(start[1], line[start.end() : end], stand_ins) for start, end in zip(starts, ends, strict=True)
    )


_NO_TEXT = re.compile(r"No result found\.|heed-rows|")


def _cell(column: str, value: str, stand_ins: StandIns) -> str:
    if column in _NUMBER_COLUMNS and _VALUE.fullmatch(value):
        return value
    return private(value, stand_ins, PERSON if column in _PERSON_COLUMNS else TEXT)
