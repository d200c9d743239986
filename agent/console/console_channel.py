"""Consent, and questions about requests, in the web console."""

from agent.consent.clarification import Clarification, ClarificationReply
from agent.consent.pending_requests import PendingRequests
from agent.consent.request import ChannelName, ConsentRequest, Reply
from agent.console.pending_clarifications import PendingClarifications


class ConsoleChannel:
    """Asks on every open page of the console; without an open page, the next one that opens shows the question."""

    name = ChannelName.CONSOLE

    def __init__(self, pending: PendingRequests, clarifications: PendingClarifications) -> None:
        self._pending, self._clarifications = pending, clarifications

    async def ask(self, request: ConsentRequest) -> Reply:
        """Show the request until a page answers it."""
        return await self._pending.ask(request, self.name)

    async def clarify(self, asked: Clarification) -> ClarificationReply:
        """Show the question until a page answers it."""
        return await self._clarifications.ask(asked)
