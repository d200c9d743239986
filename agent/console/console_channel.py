"""Consent in the web console."""

from agent.consent.pending_requests import PendingRequests
from agent.consent.request import ChannelName, ConsentRequest, Reply


class ConsoleChannel:
    """Asks on every open page of the console; without an open page, the next one that opens shows the question."""

    name = ChannelName.CONSOLE

    def __init__(self, pending: PendingRequests) -> None:
        self._pending = pending

    async def ask(self, request: ConsentRequest) -> Reply:
        """Show the request until a page answers it."""
        return await self._pending.ask(request, self.name)
