"""The agent's commands, one module per command; ``register`` is the entry point."""

from collections.abc import Iterator
from importlib import import_module

import typer

COMMANDS = (
    "init", "situations", "try_situation", "rules", "status", "logs", "pause", "console", "devices", "pair", "config",
    "service", "export", "forget", "habits", "grants", "journal", "undo", "collect", "decide", "now", "functions",
    "recipe", "teach", "model", "call", "do", "replay", "doctor", "scaffold", "mcp", "run", "phone", "demo",
)  # fmt: skip
"""Modules of this package, in the order in which they are imported: the quick ones first. ``phone`` and ``demo``
import the virtual phone, which takes longest."""


def register(app: typer.Typer) -> Iterator[None]:
    """Add the agent's commands to ``heed``, one at each step, so that the caller can stop at the one it needs."""
    for command in COMMANDS:
        import_module(f"{__name__}.{command}").register(app)
        yield
