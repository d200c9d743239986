"""Intents, and how Android resolves them against the apps' filters."""

import fnmatch
from typing import Any
from urllib.parse import urlsplit

from pydantic import Field

from virtual_phone.state.record import StateRecord

MAIN, LAUNCHER = "android.intent.action.MAIN", "android.intent.category.LAUNCHER"
HOME = "android.intent.category.HOME"
EXTRA_STREAM = "android.intent.extra.STREAM"
GRANT_READ = 0x1
NEW_TASK, CLEAR_TASK = 0x10000000, 0x8000
_MASKED_SCHEMES = ("tel", "sip", "sms", "smsto", "mailto", "nfc")


class Intent(StateRecord):
    """An intent, as ``am start`` or a tap sends it."""

    action: str = ""
    data: str = ""
    mime: str = ""
    categories: list[str] = Field(default_factory=list)
    component: str = ""
    package: str = ""
    flags: int = 0
    extras: dict[str, Any] = Field(default_factory=dict)

    @property
    def scheme(self) -> str:
        return self.data.partition(":")[0].lower() if ":" in self.data else ""

    def describe(self, *, secure: bool = True) -> str:
        """``Intent { act=… dat=… }``; the secure form hides the data as Uri.toSafeString does (AOSP android-14)."""
        flags = f"0x{self.flags:x}" if self.flags else ""
        data = safe_uri(self.data) if secure else self.data
        fields = (
            ("act", self.action),
            ("cat", f"[{','.join(self.categories)}]" if self.categories else ""),
            ("dat", data),
            ("typ", self.mime),
            ("flg", flags),
            ("pkg", self.package),
            ("cmp", self.component),
        )
        words = [f"{name}={value}" for name, value in fields if value]
        if self.extras:
            words.append("(has extras)")
        return f"Intent {{ {' '.join(words)} }}"


def safe_uri(uri: str) -> str:
    """A URI as logs may show it: numbers masked, path and query left out."""
    scheme, colon, rest = uri.partition(":")
    if not colon:
        return uri
    if scheme.lower() in _MASKED_SCHEMES:
        return f"{scheme}:" + "".join(character if character in "-@." else "x" for character in rest)
    authority = split_uri(uri)[0]
    if not rest.startswith("//"):
        return f"{scheme}:/..." if rest.startswith("/") else f"{scheme}:"
    return f"{scheme}://{authority}/..."


def split_uri(uri: str) -> tuple[str, str]:
    """Authority and path; empty where a URI has none or is broken."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return "", ""
    return parts.netloc, parts.path


class IntentFilter(StateRecord):
    """One filter of an activity; an empty field matches anything."""

    action: list[str]
    category: str = ""
    scheme: list[str] = Field(default_factory=list)
    host: list[str] = Field(default_factory=list)
    type: list[str] = Field(default_factory=list)
    browser: bool = False
    """Accepts any host; apps that name the host come first (verified links)."""

    def matches(self, intent: Intent) -> bool:
        """Whether the intent passes action, category, data and type tests."""
        if intent.action not in self.action:
            return False
        others = {"android.intent.category.DEFAULT", "android.intent.category.BROWSABLE", self.category}
        if self.category and self.category not in intent.categories:
            return False
        if any(category not in others for category in intent.categories):
            return False
        return self._data_matches(intent) and self._type_matches(intent)

    def _data_matches(self, intent: Intent) -> bool:
        if not self.scheme:
            # A filter without data accepts only intents without data; one with types accepts content: and file:.
            return not intent.data or (bool(self.type) and intent.scheme in ("content", "file"))
        if intent.scheme not in self.scheme:
            return False
        authority, path = split_uri(intent.data)
        return not self.host or any(_host_matches(host, authority, path) for host in self.host)

    def _type_matches(self, intent: Intent) -> bool:
        if not self.type:
            return not intent.mime or bool(self.scheme)
        return bool(intent.mime) and any(
            fnmatch.fnmatchcase(intent.mime, kind) or fnmatch.fnmatchcase(kind, intent.mime) for kind in self.type
        )


def _host_matches(wanted: str, authority: str, path: str) -> bool:
    host, slash, prefix = wanted.partition("/")
    return authority.lower() == host and path.startswith(slash + prefix)
