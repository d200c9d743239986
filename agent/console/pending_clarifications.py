"""The open questions about requests: the console's pages show them and bring each an answer, at most once."""

import asyncio
from collections.abc import Callable

from agent.consent.clarification import Clarification, ClarificationReply
from agent.consent.pending_requests import RequestClosedError
from heed.messages import msg


class PendingClarifications:
    """The open questions of every phone; ``changed`` is called when their list changes."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._open: dict[str, tuple[Clarification, asyncio.Future[ClarificationReply]]] = {}

    def open(self) -> list[Clarification]:
        """The questions that wait for an answer, oldest first."""
        return [asked for asked, reply in self._open.values() if not reply.done()]

    async def ask(self, asked: Clarification) -> ClarificationReply:
        """Show a question until a page answers it; cancelling withdraws it."""
        reply: asyncio.Future[ClarificationReply] = asyncio.get_running_loop().create_future()
        self._open[asked.id] = (asked, reply)
        self._changed()
        try:
            return await reply
        finally:
            del self._open[asked.id]
            self._changed()

    def answer(self, question_id: str, reply: ClarificationReply) -> None:
        """Bring an answer; ``RequestClosedError`` when the question is over."""
        _, waiting = self._open.get(question_id, (None, None))
        if waiting is None or waiting.done():
            raise RequestClosedError(msg("This question is over."), msg("Nothing was changed by your answer."))
        waiting.set_result(reply)
        self._changed()
