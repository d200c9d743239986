"""What is different on the virtual phone between two moments: from its own state, not from what heed believes."""

from collections.abc import Iterator, Mapping
from typing import Any

from heed.model import Frozen

_PASSING = ("time", "files", "apps", "keyboard", "panel", "notifications", "power.saver_refused")
"""Parts of the state that change by looking at the phone, or with every second."""

_BOOKKEEPING = ("identifier", "mimetype", "expires", "data2", "next_data", "next_id")
"""Fields that only the phone's own databases care about."""


class Change(Frozen):
    """One value of the phone's state; None = there is none."""

    where: str
    before: Any
    after: Any


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Change, ...]:
    """Every value that differs, by its dotted path, in a stable order."""
    old, new = dict(_flat(before)), dict(_flat(after))
    return tuple(
        Change(where=path, before=old.get(path), after=new.get(path))
        for path in sorted(old.keys() | new.keys())
        if old.get(path) != new.get(path)
    )


def _flat(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if path.startswith(_PASSING) or path.rpartition(".")[2] in _BOOKKEEPING:
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
    """List items are told apart by what they are, so that a removed one does not shift the others."""
    label = isinstance(item, Mapping) and (item.get("name") or item.get("label") or item.get("id"))
    return str(label or index)
