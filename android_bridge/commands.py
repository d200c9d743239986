"""Safe command building: every value that a model or a third party may have written goes through here.

``adb shell`` passes one string to ``sh -c`` on the phone, so list arguments on the host protect nothing
(docs/android-notes.md, "Shell and quoting"). A line is built from constant words and quoted values. A value can never
be an option, a component, a package or a scheme: those come from constant tables and are checked against their grammar,
so that a programming error raises ``Bug`` here instead of running another command on the phone.
"""

import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias
from urllib.parse import quote as _percent_encode

from heed.errors import Bug, UsageError
from heed.messages import msg

MAX_VALUE = 2000
"""Characters of one value; Android's argument limit (128 KiB) lies far above it."""
_MAX_WORD = 10 * MAX_VALUE
"""Characters of a word that heed composed of values: percent-encoding makes nine of one Chinese character."""

Namespace = Literal["system", "secure", "global"]
"""The three tables of the ``settings`` command."""


class Long(int):
    """An intent extra that the receiver reads with ``getLongExtra`` (times in milliseconds)."""


class Uri(str):
    """An intent extra that the receiver reads as a ``Uri`` (``EXTRA_STREAM``)."""

    __slots__ = ()


Extra: TypeAlias = bool | int | float | str | Sequence[int] | Sequence[str]
"""``bool`` ``--ez``, ``int`` ``--ei``, ``Long`` ``--el``, ``float`` ``--ef``, ``str`` ``--es``, ``Uri`` ``--eu``,
a list of ``int`` ``--eial`` (``ArrayList<Integer>``), a list of ``str`` ``--esa`` (``String[]``)."""

Bound: TypeAlias = bool | int | float | str | None
"""A column's value for ``content insert`` and ``content update``."""

_PACKAGE = r"(?<![\w.])[A-Za-z][A-Za-z0-9_]*+(?:\.[A-Za-z0-9_]++)*+"
_TOKENS = {
    "action": re.compile(r"[A-Za-z][\w.]*"),
    "category": re.compile(r"[A-Za-z][\w.]*"),
    "package": re.compile(_PACKAGE),
    "component": re.compile(rf"{_PACKAGE}/[\w.$]+"),
    "extra": re.compile(r"[A-Za-z][\w.]*"),
    "MIME type": re.compile(r"(?<![\w.+-])[a-z][\w.+-]*+/(?:\*|[\w.+-]++)"),
    "content URI": re.compile(r"content://[\w.-]+(?:/[\w.%-]+)*/?(?:\?[\w.%=&-]+)?"),
    "column": re.compile(r"\w+"),
    "sort order": re.compile(r"\w+(?: (?:ASC|DESC))?(?:, ?\w+(?: (?:ASC|DESC))?)*"),
    "query argument": re.compile(r"[a-z][a-z0-9:._-]*"),
    "method": re.compile(r"\w+"),
    "settings key": re.compile(r"[\w#][\w.#:/-]*"),
}
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_REFUSED_SCHEMES = frozenset({"intent:", "android-app:", "file:", "javascript:", "data:"})
"""Schemes that carry a component, a local path or code; ``content:`` is limited to rows that we name ourselves."""
_DIAL_SCHEMES = frozenset({"tel:", "sms:", "smsto:", "mms:", "mmsto:"})
_MMI = re.compile(r"[*#]|%2a|%23", re.IGNORECASE)


def quote(value: str) -> str:
    """Returns ``value`` as one word of a POSIX shell line.

    Raises ``UsageError`` for NUL, a lone surrogate, or more than ``MAX_VALUE`` characters.
    """
    return _word(_checked(value))


def encode(value: str) -> str:
    """Returns ``value`` percent-encoded as one component of a URI; raises ``UsageError`` like ``quote``."""
    return _percent_encode(_checked(value), safe="")


def sql_text(value: str) -> str:
    """Returns ``value`` as an SQL string literal for ``where``; not for ``LIKE`` patterns (see ``sql_like``)."""
    return "'" + _checked(value).replace("'", "''") + "'"


def sql_like(column: str, part: str) -> str:
    """Returns the SQL condition that ``column`` contains ``part``; its ``%`` and ``_`` are escaped."""
    pattern = re.sub(r"([\\%_])", r"\\\1", part)
    return f"{_token('column', column)} LIKE {sql_text(f'%{pattern}%')} ESCAPE '\\'"


def am_start(
    *,
    action: str = "",
    data: str = "",
    mime_type: str = "",
    categories: Sequence[str] = (),
    component: str = "",
    package: str = "",
    extras: Mapping[str, Extra] | None = None,
    grant_read: bool = False,
    afresh: bool = False,
    wait: bool = True,
) -> str:
    """Returns the ``am start`` line for one activity (AOSP ``ActivityManagerShellCommand.java``).

    Args:
        action: the intent's action; with ``data``, ``mime_type`` and ``categories`` what a handler is found by.
        mime_type: type of the data.
        component: ``package/class``, for an explicit intent.
        package: restricts the handlers to one app.
        data: a whole URI whose variable parts went through ``encode``.
        extras: typed by their Python type, see ``Extra``.
        grant_read: let the receiver read the ``data`` or ``EXTRA_STREAM`` row.
        afresh: close the app's other pages, so that this one is shown (``FLAG_ACTIVITY_CLEAR_TASK``).
        wait: report the launch (``-W``): prints ``Status:`` and ``Activity:``.

    Raises ``UsageError`` for a value that cannot be sent and ``Bug`` for a token outside its grammar.
    """
    words = ["am", "start", *(["-W"] if wait else [])]
    words += _target(action, data, mime_type, categories)
    words += _option("-n", "component", component)
    words += _option("-p", "package", package)
    for name, value in (extras or {}).items():
        words += _extra(name, value)
    words += ["--grant-read-uri-permission"] if grant_read else []
    words += ["--activity-clear-task"] if afresh else []
    return " ".join(words)


def resolve_activity(
    *,
    action: str,
    data: str = "",
    mime_type: str = "",
    categories: Sequence[str] = (),
    package: str = "",
    implicit: bool = True,
) -> str:
    """Returns the ``cmd package resolve-activity`` line: prints the activity that ``am_start`` would start.

    Args:
        implicit: look only among activities that can be started without being named, as ``am_start`` does
            (``PackageManager.MATCH_DEFAULT_ONLY``); an app's icon is found without.
    """
    words = ["cmd", "package", "resolve-activity", "--brief", *(_MATCH_DEFAULT_ONLY if implicit else ())]
    words += _target(action, data, mime_type, categories)
    return " ".join([*words, *_option("-p", "package", package)])


_MATCH_DEFAULT_ONLY = ("--query-flags", "65536")
"""``runResolveActivity`` of ``PackageManagerShellCommand.java`` has no flags by default."""


def query_activities(*, action: str) -> str:
    """Returns the ``cmd package query-activities`` line: prints every activity that handles the action."""
    return " ".join(["cmd", "package", "query-activities", "--brief", *_option("-a", "action", action)])


def _target(action: str, data: str, mime_type: str, categories: Sequence[str]) -> list[str]:
    words = _option("-a", "action", action)
    words += ["-d", _word(_checked_uri(data))] if data else []
    words += _option("-t", "MIME type", mime_type)
    for category in categories:
        words += _option("-c", "category", category)
    return words


def content_query(
    uri: str,
    projection: Sequence[str] = (),
    *,
    where: str = "",
    sort: str = "",
    extras: Mapping[str, int] | None = None,
) -> str:
    """``content query``; put a free-text column last in ``projection``: rows are printed unescaped.

    Args:
        where: an SQL condition built with ``sql_text`` and ``sql_like``; it must not begin with ``--``.
        extras: integer query arguments such as ``android:query-arg-match-trashed`` (Android 11+).
    """
    words = ["content", "query", *_uri(uri)]
    if projection:
        words += ["--projection", ":".join(_token("column", column) for column in projection)]
    words += _where(where)
    words += ["--sort", quote(_token("sort order", sort))] if sort else []
    for name, value in (extras or {}).items():
        key = _token("query argument", name).replace(":", r"\:")
        words += ["--extra", quote(f"{key}:i:{int(value)}")]
    return " ".join(words)


def content_insert(uri: str, values: Mapping[str, Bound]) -> str:
    """``content insert`` of one row."""
    return " ".join(["content", "insert", *_uri(uri), *_binds(values)])


def content_update(uri: str, values: Mapping[str, Bound], *, where: str = "") -> str:
    """``content update`` of the row that ``uri`` names, or of the rows where ``where`` holds."""
    _only_some_rows(uri, where)
    return " ".join(["content", "update", *_uri(uri), *_binds(values), *_where(where)])


def content_delete(uri: str, *, where: str = "") -> str:
    """``content delete`` of the row that ``uri`` names, or of the rows where ``where`` holds."""
    _only_some_rows(uri, where)
    return " ".join(["content", "delete", *_uri(uri), *_where(where)])


def content_call(uri: str, method: str, argument: str = "") -> str:
    """``content call``: a provider's own method, such as ``scan_file`` of ``content://media``."""
    words = ["content", "call", *_uri(uri), "--method", _token("method", method)]
    return " ".join([*words, *(["--arg", _word(_no_flag(_checked(argument)))] if argument else [])])


def settings_get(namespace: Namespace, key: str) -> str:
    """``settings get``; prints ``null`` for a key that is not set."""
    return f"settings get {namespace} {_token('settings key', key)}"


def settings_put(namespace: Namespace, key: str, value: str | int | float) -> str:
    """``settings put``."""
    return f"settings put {namespace} {_token('settings key', key)} {quote(_no_flag(str(value)))}"


def settings_delete(namespace: Namespace, key: str) -> str:
    """``settings delete``: the key reads ``null`` afterwards."""
    return f"settings delete {namespace} {_token('settings key', key)}"


def _word(composed: str) -> str:
    """Returns a word that may hold several values, with line ends converted to LF."""
    return shlex.quote(_checked(composed, _MAX_WORD).replace("\r\n", "\n").replace("\r", "\n"))


def _checked(value: str, limit: int = MAX_VALUE) -> str:
    if "\0" in value:
        raise UsageError(msg("A value with a NUL character cannot be sent to the phone."))
    if len(value) > limit:
        raise UsageError(
            msg(
                "A value of {count} characters is too long for the phone (at most {limit}).",
                count=len(value),
                limit=limit,
            )
        )
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise UsageError(msg("A value with a lone surrogate cannot be sent to the phone."))
    return value


def _checked_uri(uri: str) -> str:
    match = _SCHEME.match(uri)
    scheme = match[0].lower() if match else ""
    if not scheme or scheme in _REFUSED_SCHEMES:
        raise UsageError(msg("{uri!r} is not an address that heed opens.", uri=uri[:60]))
    if scheme in _DIAL_SCHEMES and _MMI.search(uri):
        raise UsageError(msg("{uri!r} holds a code for the network (* or #): heed never dials those.", uri=uri[:60]))
    if scheme == "content:":
        _token("content URI", uri)
    return uri


def _token(kind: str, text: str) -> str:
    """``text`` when it follows the grammar of ``kind``: such words come from constant tables, never from a model."""
    if not (text.isascii() and _TOKENS[kind].fullmatch(text)):
        raise Bug(f"{text[:80]!r} is no {kind}")
    return text


def _option(flag: str, kind: str, token: str) -> list[str]:
    return [flag, quote(_token(kind, token))] if token else []


def _extra(name: str, value: Extra) -> list[str]:
    flag, text = _typed(value)
    return [flag, _token("extra", name), _word(text)]


def _typed(value: Extra) -> tuple[str, str]:  # noqa: PLR0911 - one line per type
    match value:
        case bool():
            return "--ez", str(value).lower()
        case Long():
            return "--el", str(int(value))
        case int():
            return "--ei", str(value)
        case float():
            return "--ef", repr(value)
        case Uri():
            return "--eu", _checked_uri(str(value))
        case str():
            return "--es", _checked(value)
    if all(isinstance(item, int) for item in value):
        return "--eial", ",".join(str(item) for item in value)
    # `am` splits the list at commas; a literal one is written `\,`.
    return "--esa", ",".join(str(item).replace(",", r"\,") for item in value)


def _uri(uri: str) -> list[str]:
    return ["--uri", _word(_token("content URI", uri))]


def _where(where: str) -> list[str]:
    return ["--where", _word(_no_flag(where))] if where else []


def _no_flag(value: str) -> str:
    if value.startswith("--"):
        raise UsageError(msg("A value that begins with two dashes cannot be sent: {value}.", value=repr(value[:40])))
    return value


def _binds(values: Mapping[str, Bound]) -> list[str]:
    words = []
    for column, value in values.items():
        kind, text = _bound(value)
        words += ["--bind", _word(f"{_token('column', column)}:{kind}:{text}")]
    return words


def _bound(value: Bound) -> tuple[str, str]:
    match value:
        case None:
            return "n", ""
        case bool():
            return "b", str(value).lower()
        case int():
            return ("i" if -(2**31) <= value < 2**31 else "l"), str(int(value))
        case float():
            return "d", repr(value)
    return "s", _checked(value)


def _only_some_rows(uri: str, where: str) -> None:
    if not where and not re.search(r"/\d+$", uri):
        raise Bug(f"{uri} without a condition would change every row")
