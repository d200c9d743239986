"""``content query|insert|update|delete|call`` (AOSP cmds/content/…/Content.java)."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from virtual_phone.builds import Quirk
from virtual_phone.commands.providers import PROVIDERS, ProviderError, Row, Table, Value, select
from virtual_phone.commands.refusals import refusal
from virtual_phone.shell.call import Program, ProgramCall, ProgramReply, answering
from virtual_phone.state import PhoneState

_MATCH_TRASHED = re.compile(r"android\\?:query-arg-match-trashed:i:([0-3])")
_URI = re.compile(r"content://([^/?]+)/?([^?#]*)")
_CONVERT: dict[str, Callable[[str], Value]] = {
    "s": str, "n": lambda _: None, "i": int, "l": int, "f": float, "d": float, "b": lambda text: int(text == "true"),
}  # fmt: skip
_WITH_BIN, _ONLY_BIN = 1, 3
_CALENDAR_FIELDS = {
    "calendar_id": "calendar", "title": "title", "description": "description", "eventLocation": "location",
    "dtstart": "start", "dtend": "end", "duration": "duration", "rrule": "rrule", "eventTimezone": "timezone",
    "allDay": "all_day",
}  # fmt: skip


class _UsageError(Exception):
    """Arguments that ``content`` refuses; the message is the tool's."""


class _Request(NamedTuple):
    verb: str
    authority: str
    path: str
    projection: list[str]
    where: str
    sort: str
    values: Row
    method: str
    argument: str
    match_trashed: int
    """``MediaStore.MATCH_*``: 0 (default) and 2 without the trash, 1 with it, 3 the trash only."""


def content(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """One content command; errors go to the output and the exit status stays 0, as on a phone."""
    try:
        request = _parse(args)
    except _UsageError as error:
        return ProgramReply(f"[ERROR] {error}\n\n{_USAGE}")
    try:
        return _VERBS[request.verb](state, request)
    except ProviderError as error:
        return ProgramReply(stderr=f"Error while accessing provider:{request.authority}\n{error}\n{_TRACE}")


_TRACE = (
    "\tat android.database.DatabaseUtils.readExceptionFromParcel(DatabaseUtils.java:172)\n"
    "\tat android.content.ContentProviderProxy.query(ContentProviderNative.java:481)\n"
    "\tat com.android.commands.content.Content.main(Content.java:735)\n"
)
_USAGE = "usage: adb shell content [subcommand] [options]\n"
# Providers that require a permission that the shell user lacks (docs/android-notes.md, content providers).
_REFUSED = {"com.android.blockednumber": "Caller must be system, default dialer or default SMS app"}


def _parse(args: Sequence[str]) -> _Request:
    words = list(args)
    verb = words.pop(0) if words else ""
    if verb not in _VERBS:
        raise _UsageError(f"Unsupported operation: {verb}" if verb else "Missing operation")
    options: dict[str, str] = {}
    values: Row = {}
    extras: list[str] = []
    while words:
        name = words.pop(0)
        if name not in (
            "--uri",
            "--user",
            "--projection",
            "--where",
            "--sort",
            "--bind",
            "--method",
            "--arg",
            "--extra",
        ):
            raise _UsageError(f"Unsupported argument: {name}")
        value = words.pop(0) if words else ""
        if not value or (value.startswith("--") and name != "--bind"):
            raise _UsageError(f"Missing value for argument: {name}")
        if name == "--bind":
            column, bound = _bind(value)
            values[column] = bound
        elif name == "--extra":
            extras.append(value)
        else:
            options[name] = value
    match = _URI.fullmatch(options.get("--uri", "").partition("?")[0])
    if match is None:
        raise _UsageError("Content provider URI not specified. Did you specify --uri argument?")
    projection = [column for column in options.get("--projection", "").split(":") if column]
    return _Request(
        verb, match[1], match[2].strip("/"), projection, options.get("--where", ""), options.get("--sort", ""), values,
        options.get("--method", ""), options.get("--arg", ""),
        match_trashed=next((int(match[1]) for extra in extras if (match := _MATCH_TRASHED.fullmatch(extra))), 0),
    )  # fmt: skip


def _bind(text: str) -> tuple[str, Value]:
    column, first, rest = text.partition(":")
    kind, second, value = rest.partition(":")
    if not first or not second or kind not in _CONVERT:
        raise _UsageError(f"Binding not well formed. Found: {text}")
    try:
        return column, _CONVERT[kind](value)
    except ValueError as error:
        raise _UsageError(f"Binding not well formed. Found: {text}") from error


def _table(state: PhoneState, request: _Request) -> Table:
    if request.authority in _REFUSED:
        raise ProviderError("java.lang.SecurityException", _REFUSED[request.authority])
    if request.authority not in PROVIDERS:
        raise ProviderError("java.lang.IllegalStateException", f"Could not find provider: {request.authority}")
    table = PROVIDERS[request.authority](state, request.path)
    if table is None:
        uri = f"content://{request.authority}/{request.path}"
        raise ProviderError("java.lang.IllegalArgumentException", f"Unknown URL {uri}")
    return table


def _query(state: PhoneState, request: _Request) -> ProgramReply:
    table = _table(state, request)
    if request.authority == "media" and not re.search(r"/\d+$", request.path):
        table = table._replace(rows=[row for row in table.rows if _matches_bin(row, request.match_trashed)])
    projection = request.projection or list(table.columns)
    rows = select(table, projection, request.where, request.sort)
    if not rows:
        return ProgramReply("No result found.\n")
    return ProgramReply("".join(_row_text(number, projection, row) for number, row in enumerate(rows)))


def _matches_bin(row: Row, match_trashed: int) -> bool:
    return match_trashed == _WITH_BIN or bool(row["is_trashed"]) == (match_trashed == _ONLY_BIN)


def _row_text(number: int, columns: Sequence[str], values: Sequence[Value]) -> str:
    cells = (f"{column}={'NULL' if value is None else value}" for column, value in zip(columns, values, strict=True))
    return f"Row: {number} {', '.join(cells)}\n"


def _matching_ids(state: PhoneState, request: _Request) -> set[int]:
    return {int(row[0] or 0) for row in select(_table(state, request), ["_id"], request.where)}


def _insert(state: PhoneState, request: _Request) -> ProgramReply:
    values, path = request.values, request.path
    if request.authority == "com.android.contacts" and path == "raw_contacts":
        _insert_raw_contact(state, values)
    elif request.authority == "com.android.contacts" and path == "data":
        _insert_contact_data(state, values)
    elif request.authority == "com.android.calendar" and path == "events":
        _insert_event(state, values)
    elif request.authority == "com.android.calendar" and path == "reminders":
        _insert_reminder(state, values)
    elif request.authority == "settings":
        _check_settings(state, "put")
        state.settings.store(path, str(values.get("name")), str(values.get("value")))
    else:
        # SMS and the call log discard a shell user's rows without an error
        # (app-op WRITE_SMS; docs/android-notes.md, content providers).
        _table(state, request)
    return ProgramReply()


def _text(value: Value) -> str | None:
    return None if value is None else str(value)


def _check_settings(state: PhoneState, verb: str) -> None:
    """The provider refuses a change that ``settings`` may not make either."""
    if refusal(state.build, ["settings", verb]) is not None:
        needed = "Permission denial: writing to settings requires:android.permission.WRITE_SECURE_SETTINGS"
        raise ProviderError("java.lang.SecurityException", needed)


_CLOUD_ACCOUNT: Row = {"account_type": "com.google", "account_name": "owner@gmail.com"}
"""The account that new contacts belong to without one of their own (AOSP ``AccountResolver.java``)."""


def _insert_raw_contact(state: PhoneState, values: Row) -> None:
    local = "account_type" in values and values["account_type"] is None
    if local and Quirk.CLOUD_CONTACTS in state.build.quirks:
        raise ProviderError(
            "java.lang.IllegalArgumentException",
            "Cannot write contacts to local accounts when default account is set to cloud",
        )
    in_cloud = "account_type" not in values and Quirk.CLOUD_CONTACTS in state.build.quirks
    account = _CLOUD_ACCOUNT if in_cloud else values
    state.contacts.insert_raw(_text(account.get("account_type")), _text(account.get("account_name")))


def _insert_contact_data(state: PhoneState, values: Row) -> None:
    data = {column: _text(value) for column, value in values.items() if column.startswith("data")}
    raw, mimetype = values.get("raw_contact_id"), values.get("mimetype")
    if mimetype is None:
        raise ProviderError("java.lang.IllegalArgumentException", "mimetype is required")
    if not isinstance(raw, int) or state.contacts.insert_data(raw, str(mimetype), data) is None:
        raise ProviderError(
            "android.database.sqlite.SQLiteConstraintException", "FOREIGN KEY constraint failed (code 787)"
        )


def _insert_event(state: PhoneState, values: Row) -> None:
    for needed in ("dtstart", "calendar_id", "eventTimezone"):
        if values.get(needed) is None:
            raise ProviderError("java.lang.IllegalArgumentException", f"Event values must include {needed}")
    if (values.get("dtend") is None) == (values.get("duration") is None):
        raise ProviderError("java.lang.IllegalArgumentException", "Event values must include either dtend or duration")
    fields = {_CALENDAR_FIELDS[column]: value for column, value in values.items() if column in _CALENDAR_FIELDS}
    present = {name: value for name, value in fields.items() if value is not None}
    present["all_day"] = bool(present.get("all_day", 0))
    state.calendar.insert(
        {**present, **{name: str(present[name]) for name in ("title", "description") if name in present}}
    )


def _insert_reminder(state: PhoneState, values: Row) -> None:
    event = state.calendar.find(int(values.get("event_id") or 0))
    if event is None:
        raise ProviderError("java.lang.IllegalArgumentException", "Event does not exist")
    state.calendar.remind(event, int(values.get("minutes") or 0), int(values.get("method") or 1))


def _update(state: PhoneState, request: _Request) -> ProgramReply:
    if request.authority == "media" and "is_trashed" in request.values:
        for identifier in _matching_ids(state, request):
            item = state.media.find(identifier)
            if item is not None:
                state.media.trash(item, bool(request.values["is_trashed"]))
    elif request.authority == "com.android.contacts" and "starred" in request.values:
        for identifier in _matching_ids(state, request):
            contact = state.contacts.find(identifier)
            if contact is not None:
                contact.starred = bool(request.values["starred"])
        state.changed()
    else:
        _table(state, request)
    return ProgramReply()


def _delete(state: PhoneState, request: _Request) -> ProgramReply:
    identifiers = _matching_ids(state, request)
    head = request.path.partition("/")[0]
    if request.authority == "com.android.contacts" and head in ("raw_contacts", "contacts"):
        for identifier in identifiers:
            state.contacts.remove(identifier)
    elif request.authority == "com.android.contacts" and head == "data":
        state.contacts.remove_data(identifiers)
    elif request.authority == "com.android.calendar" and head == "events":
        state.calendar.remove(identifiers)
    elif request.authority == "media":
        for identifier in identifiers:
            item = state.media.find(identifier)
            if item is not None:
                state.media.delete(item)
    elif request.authority == "settings":
        _check_settings(state, "delete")
        namespace, _, key = request.path.partition("/")
        state.settings.delete(namespace, key)
    return ProgramReply()


def _call(state: PhoneState, request: _Request) -> ProgramReply:
    if request.authority == "media" and request.method == "scan_file":
        if state.files.stat(request.argument) is not None:
            item = state.media.index(request.argument)
            return ProgramReply(
                f"Result: Bundle[{{uri=content://media/external_primary/{item.kind}/media/{item.identifier}}}]\n"
            )
        return ProgramReply("Result: Bundle[{uri=null}]\n")
    return ProgramReply("Result: null\n")


def _read(state: PhoneState, request: _Request) -> bytes:
    """``content read``: the bytes of a file of the media store."""
    match = re.fullmatch(r"\S+/(\d+)", request.path)
    item = state.media.find(int(match[1])) if match and request.authority == "media" else None
    if item is None:
        uri = f"content://{request.authority}/{request.path}"
        raise ProviderError("java.io.FileNotFoundException", f"No item at {uri}")
    return state.files.read(item.path).read()


async def program(call: ProgramCall) -> int:
    """``content …``; ``read`` writes bytes, everything else text."""
    if call.args[:1] != ["read"]:
        return await answering(content)(call)
    try:
        await call.out(_read(call.state, _parse(["query", *call.args[1:]])))
    except _UsageError as error:
        await call.out(f"[ERROR] {error}\n\n{_USAGE}")
    except ProviderError as error:
        await call.err(f"Error while accessing provider:media\n{error}\n{_TRACE}")
    return 0


_VERBS: dict[str, Callable[[PhoneState, _Request], ProgramReply]] = {
    "query": _query, "insert": _insert, "update": _update, "delete": _delete, "call": _call,
}  # fmt: skip

PROGRAMS: dict[str, Program] = {"content": program}
