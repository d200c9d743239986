"""The commands of the agent, one module per group; ``register`` is the entry point."""

from collections.abc import Iterator
from importlib import import_module

import typer

GROUPS = ("setup", "running", "looking", "acting", "history", "memory", "care", "phones", "demo")
"""Modules of this package; those that bring the virtual phone, which takes long to import, come last."""


def register(app: typer.Typer) -> Iterator[None]:
    """Add the agent's commands to ``heed``, one group at each step."""
    for group in GROUPS:
        import_module(f"agent.cli.{group}").register(app)
        yield
