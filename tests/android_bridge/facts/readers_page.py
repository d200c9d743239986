"""``python -m tests.android_bridge.facts.readers_page`` writes ``docs/readers.md``: what readers were checked against.

Needs all captures, of which the repository holds only those that may be redistributed; a test checks that the page is
current where all are at hand.
"""

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from android_bridge.facts.hierarchy import parse_hierarchy
from android_bridge.facts.reader import UnreadableError
from tests.android_bridge.facts.test_captures import (
    NOT_READ,
    PARSERS,
    ROWS,
    UNCONFIRMED,
    UNREADABLE,
    Parse,
    all_readers,
    rows_like,
)
from tests.conftest import CAPTURES

REPO = Path(__file__).parents[3]
PAGE = REPO / "docs" / "readers.md"
HEAD = """# What the readers were checked against

<!-- Written by `python -m tests.android_bridge.facts.readers_page` from captures of real phones; do not edit. -->

heed reads a phone by running standard Android commands and parsing their output, one pure function per command
(`android_bridge/facts/`). Vendors print differently, so each was written against captures: outputs of real phones and
emulators, from public repositories. The captures whose licence allows it are in the repository, with their sources
([ATTRIBUTION.md](../tests/fixtures/android/ATTRIBUTION.md)); the others are read from a folder beside it
(`HEED_SHARED`), and their tests are skipped without it.

*Found* names the fields with a value, and in how many of the read outputs if not in all; in the others the phone does
not print them. Every reader also gets damaged outputs (10,000 each in `make prove`), which it must parse or refuse.
What differs between versions and vendors is described in [android-notes.md](android-notes.md).
"""
_SEPARATE_TEST = "uiautomator-dump"
_WORDS = {
    "dumpsys-notification-zen": "dumpsys notification (do not disturb)",
    "proc-meminfo": "/proc/meminfo",
    "wm-size-density": "wm size; wm density",
}
_MOST_NAMES = 20


def page(folder: Path) -> str:
    """Returns the page for the captures in ``folder``."""
    parts = [
        HEAD,
        "## Commands with captures\n",
        "| command | outputs | in the repository | read | found | refused, and why |",
        "|---|---|---|---|---|---|",
    ]
    parts += [_row(folder, command) for command in sorted((*PARSERS, *ROWS, _SEPARATE_TEST))]
    parts += ["\n## Captured commands that heed does not read\n", "| command | why |", "|---|---|"]
    parts += [f"| `{_spaced(name)}` | {why} |" for name, why in sorted(NOT_READ.items()) if name != _SEPARATE_TEST]
    parts += ["\n## Readers not confirmed by a capture\n"]
    parts += ["Their formats follow AOSP's sources, cited in their modules, in whole or in part.\n"]
    parts += ["| reader | command | what is not confirmed |", "|---|---|---|"]
    parts += [f"| {name} | `{command}` | {why} |" for name, command, why in unverified()]
    return "\n".join(parts) + "\n"


def unverified() -> list[tuple[str, str, str]]:
    """Returns name, command and reason of each reader that captures do not confirm."""
    unconfirmed = (reader for reader in all_readers() if not reader.verified)
    return [(reader.name, reader.command.replace("|", "\\|"), UNCONFIRMED[reader.name]) for reader in unconfirmed]


def _spaced(folder: str) -> str:
    return _WORDS.get(folder, folder.replace("-", " "))


def _row(folder: Path, command: str) -> str:
    read: list[Any] = []
    refused = []
    paths = sorted((folder / command).iterdir())
    for path in paths:
        text = path.read_text(encoding="utf-8", errors="replace")
        try:
            read.append(_parser(command, text)(text))
        except UnreadableError:
            refused.append(f"`{path.name}`: {UNREADABLE[f'{command}/{path.name}']}")
    found = _found(read) if read else ""
    own = sum((CAPTURES / command / path.name).is_file() for path in paths)
    cells = (f"`{_spaced(command)}`", str(len(paths)), str(own), str(len(read)), found, "; ".join(refused))
    return f"| {' | '.join(cells)} |"


def _parser(command: str, text: str) -> Parse:
    if command == _SEPARATE_TEST:
        return parse_hierarchy
    return PARSERS.get(command) or rows_like(text)


def _found(values: Iterable[Any]) -> str:
    counts: Counter[str] = Counter()
    total = 0
    for value in values:
        total += 1
        counts.update(name for name, inner in _fields(value).items() if inner not in (None, (), "", {}, frozenset()))
    if len(counts) > _MOST_NAMES:
        return f"{len(counts)} columns"
    named = (name if times == total else f"{name} ({times})" for name, times in sorted(counts.items()))
    return ", ".join(named) or "none was set"


def _fields(value: Any) -> Mapping[str, Any]:
    """What a value has, by name; lists by what their elements have."""
    if isinstance(value, BaseModel):
        inner = {name: getattr(value, name) for name in type(value).model_fields}
        lists = {name: one for name, one in inner.items() if isinstance(one, tuple) and one and _is_record(one[0])}
        listed = {f"{name}.{field}": True for name, items in lists.items() for field in _present(items)}
        return {name: one for name, one in inner.items() if name not in lists} | listed
    if isinstance(value, tuple) and value and _is_record(value[0]):
        return dict.fromkeys(_present(value), True)
    if isinstance(value, Mapping):
        return {"names and values": True}
    if isinstance(value, frozenset):
        return {"names": value}
    return {"the value": value}


def _is_record(value: Any) -> bool:
    return isinstance(value, BaseModel | Mapping)


def _present(items: Iterable[Any]) -> set[str]:
    named = (
        item if isinstance(item, Mapping) else {name: getattr(item, name) for name in type(item).model_fields}
        for item in items
    )
    return {name for fields in named for name, one in fields.items() if one not in (None, (), "", frozenset())}


if __name__ == "__main__":
    shared = Path(os.environ.get("HEED_SHARED", REPO.parent / "shared"))
    PAGE.write_text(page(shared / "fixtures" / "android"), encoding="utf-8")
