"""The commands of the agent, one module per group; ``register`` is the entry point."""

import typer

from agent.cli import acting, care, demo, history, looking, memory, phones, running, setup


def register(app: typer.Typer) -> None:
    """Add the agent's commands to ``heed``."""
    for group in (demo, setup, running, phones, looking, acting, history, memory, care):
        group.register(app)
