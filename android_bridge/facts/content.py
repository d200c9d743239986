"""Rows of content providers: SMS, contacts, calendar, media.

``content query`` prints ``Row: 0 a=1, b=text`` without escaping, and a third party may have written the text: a message
can imitate columns and whole rows (docs/android-notes.md, "Rows of content providers"). So the ids are queried first,
alone; a row counts only where exactly these ids are printed in exactly this order, and only if its columns can be split
in one way.

Checked against SMS, contacts, calendar and call log rows of several phones, with and without projection.
"""

import re
from collections.abc import Mapping, Sequence

from android_bridge.commands import content_query
from android_bridge.facts.reader import Reader
from android_bridge.facts.text import missing, parser, pieces
from heed.messages import msg
from heed.model import Frozen

Row = Mapping[str, str | None]
"""Column to printed value; None for NULL, and for the text ``NULL``, which is printed alike."""


class Rows(Frozen):
    """The rows of a query, and the number of rows that could not be split into columns in exactly one way."""

    items: tuple[Row, ...]
    unread: int = 0


FROM_NOW, UNTIL = "heed-from", "heed-until"
"""In a URI: now and the end of the window, milliseconds, by the phone's own clock at the time of reading."""
_AGO = "heed-ago"
_SEPARATOR = "heed-rows"
_START = re.compile(r"^Row: (\d{1,9}) ", re.MULTILINE | re.ASCII)
_PLAIN = r"[^\s,]*"
_EMPTY = "No result found."


def rows(
    uri: str,
    columns: Sequence[str],
    *,
    where: str = "",
    sort: str = "",
    extras: Mapping[str, int] | None = None,
    id_column: str = "_id",
    plain: Sequence[str] = (),
    since: tuple[str, int] | None = None,
    window: int = 0,
) -> Reader[Rows]:
    """Returns the reader of a query of a content provider.

    Args:
        uri: the provider's table; may hold ``FROM_NOW`` and ``UNTIL``.
        columns: the columns to read; put a free-text column last. ``id_column`` is added in front.
        where: SQL condition; values in it must be quoted (``commands.sql_text``).
        sort: SQL order.
        extras: query arguments with integer values.
        id_column: column with the number that identifies a row.
        since: a column with milliseconds since 1970, and how many seconds before now it may lie at most.
        window: seconds from ``FROM_NOW`` to ``UNTIL`` in the URI.
        plain: columns that hold a number, a type or an account's name, never a comma or a space. When all columns
            but the last are plain, there is one way to split a row, whatever its text imitates.
    """
    names = [id_column, *(column for column in columns if column != id_column)]
    if since:
        where = " AND ".join(filter(None, [where, f"{since[0]}>{_AGO}"]))
    ids, whole = (
        _at_reading(content_query(uri, wanted, where=where, sort=sort, extras=extras), since[1] if since else 0, window)
        for wanted in ([id_column], names)
    )

    @parser(msg("The rows of {uri}", uri=uri))
    def parse(text: str) -> Rows:
        head, found, tail = text.partition(f"{_SEPARATOR}\n")
        if not found:
            raise missing(msg("end of the list of ids"))
        wanted = [row[id_column] for row in split_rows(head, [id_column]).items]
        if any(value is None or not re.fullmatch(r"-?\d{1,19}", value, re.ASCII) for value in wanted):
            raise missing(msg("numeric id"))
        return split_rows(tail, names, [str(value) for value in wanted], plain=[id_column, *plain])

    return Reader(f"rows:{uri}", f"{ids}; echo {_SEPARATOR}; {whole}", parse)


def _at_reading(line: str, ago: int, window: int) -> str:
    """Returns the line with times that the phone's shell computes, so that the command is the same each time.

    mksh computes with 32 bits: seconds fit, milliseconds do not, so three zeros are appended. The condition stands
    between quotes, which are closed around the time.
    """
    line = line.replace(_AGO, f"""'"$(($(date +%s)-{ago}))000"'""")
    return line.replace(FROM_NOW, '"$(date +%s)"000').replace(UNTIL, f'"$(($(date +%s)+{window}))"000')


def split_rows(
    text: str, columns: Sequence[str], ids: Sequence[str] | None = None, *, plain: Sequence[str] = ()
) -> Rows:
    """Parses rows of ``columns`` in their order.

    Args:
        text: the output of ``content query``.
        columns: the projection.
        ids: the values that the first column must have, row by row; None: not known.
        plain: columns without commas and spaces.

    Raises ``UnreadableError`` when the output is no list of rows, or does not agree with ``ids``.
    """
    if text.strip() == _EMPTY and not ids:
        return Rows(items=())
    bodies = _plain(text, columns[0]) if ids is None else _identified(text, columns[0], ids)
    items = [_columns(body, columns, plain) if body is not None else None for body in bodies]
    known = tuple(item for item in items if item is not None)
    return Rows(items=known, unread=len(items) - len(known))


def _plain(text: str, first: str) -> list[str | None]:
    """Returns the rows of an output in which no text imitates a row."""
    starts = [match for match in _START.finditer(text) if text.startswith(f"{first}=", match.end())]
    numbers = [int(start[1]) for start in starts]
    if not starts or starts[0].start() != 0 or numbers != list(range(len(starts))):
        raise missing(msg("plain list of rows"))
    return [body.removesuffix("\n") for body in pieces(starts, text)]


def _identified(text: str, first: str, ids: Sequence[str]) -> list[str | None]:
    """Returns the rows with these ids; None for a row whose beginning or end is imitated by a text."""
    places = [
        list(re.finditer(rf"^Row: {number} (?={re.escape(first)}={re.escape(key)}(?:, |$))", text, re.MULTILINE))
        for number, key in enumerate(ids)
    ]
    if not all(places) or not text.startswith("Row: 0 "):
        raise missing(msg("list of rows that agrees with its ids"))
    ends = [found[0].start() for found in places[1:]] + [len(text)]
    sure = [len(found) == 1 for found in places] + [True]
    return [
        text[found[0].end() : end].removesuffix("\n") if sure[number] and sure[number + 1] else None
        for number, (found, end) in enumerate(zip(places, ends, strict=True))
    ]


def _columns(body: str, columns: Sequence[str], plain: Sequence[str]) -> Row | None:
    """Returns the values of one row; None when it can be split in two ways."""
    lazy, greedy = (
        re.fullmatch(
            ", ".join(f"{re.escape(name)}=({_PLAIN if name in plain else many})" for name in columns), body, re.DOTALL
        )
        for many in (".*?", ".*")
    )
    if lazy is None or greedy is None or lazy.groups() != greedy.groups():
        return None
    return {name: None if value == "NULL" else value for name, value in zip(columns, lazy.groups(), strict=True)}
