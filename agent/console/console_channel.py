"""Consent in the web console."""

from agent.consent.request import Answer, ConsentRequest
from agent.console.pending_requests import Desk


class ConsoleChannel:
    """Asks on every open page of the console; without an open page, the next one that opens shows the question."""

    name = "console"

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def ask(self, request: ConsentRequest) -> Answer:
        """Show the request until a page answers it."""
        return await self._desk.ask(request, self.name)
