"""The agent's commands, one module per command; ``register`` is the entry point."""

from collections.abc import Iterator
from importlib import import_module

from heed.application import Application

COMMANDS = (
    "init", "situations", "try_situation", "rules", "status", "logs", "pause", "console", "devices", "pair", "config",
    "service", "export", "forget", "habits", "grants", "journal", "undo", "collect", "decide", "now", "functions",
    "recipe", "teach", "model", "call", "do", "replay", "doctor", "scaffold", "mcp", "run", "phone", "demo",
)  # fmt: skip
"""Modules of this package, in the order in which ``heed --help`` lists their commands."""
_MODULES = {"resume": "pause", "try": "try_situation"}
"""Modules of the commands that are not named like theirs."""


def register(app: Application) -> Iterator[None]:
    """Add the agent's commands to ``heed``, the wanted one first, one at each step: the caller may stop there."""
    wanted = _MODULES.get(app.wanted, app.wanted)
    for command in sorted(COMMANDS, key=lambda one: one != wanted):
        import_module(f"{__name__}.{command}").register(app)
        yield
