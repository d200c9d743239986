"""The commands of heed, for the pages that are written from them."""

from collections.abc import Iterator
from typing import Any


def commands_of(group: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every command below a group with its words, by name."""
    for name, command in sorted(group.commands.items()):
        full = f"{prefix} {name}".strip()
        if hasattr(command, "commands"):
            yield from commands_of(command, full)
        else:
            yield full, command
