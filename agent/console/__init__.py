"""The web console: a page on this machine, and a consent page that opens on the phone."""

from agent.console.console import Console

__all__ = ["Console"]
