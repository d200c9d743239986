"""The differences between two states of a virtual phone."""

from collections.abc import Iterator, Mapping
from typing import Any

from heed.model import Frozen

_VOLATILE = ("time", "files", "apps", "keyboard", "panel", "notifications", "power.saver_refused")
"""Parts of the state that change by reading the phone, or with time."""

_INTERNAL = ("identifier", "mimetype", "expires", "data2", "next_data", "next_id")
"""Fields that only the phone's own databases use."""


class Change(Frozen):
    """One changed value of the phone's state; None = absent."""

    path: str
    before: Any
    after: Any


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Change, ...]:
    """Return every value that differs, by its dotted path, sorted."""
    old, new = dict(_flat(before)), dict(_flat(after))
    return tuple(
        Change(path=path, before=old.get(path), after=new.get(path))
        for path in sorted(old.keys() | new.keys())
        if old.get(path) != new.get(path)
    )


def _flat(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if path.startswith(_VOLATILE) or path.rpartition(".")[2] in _INTERNAL:
        return
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flat(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _flat(inner, f"{path}[{_name(inner, index)}]")
    else:
        yield path, value


def _name(item: Any, index: int) -> str:
    """Name a list item by its content, so that removing one does not rename the others."""
    label = isinstance(item, Mapping) and (item.get("name") or item.get("label") or item.get("id"))
    return str(label or index)
