"""Calls that assistants ask for over MCP: the owner is asked about each, one at a time."""

from agent.consent.request import Answer
from agent.loop.daemon_requests import AssistantCallRequest
from agent.loop.phone_agent import PhoneAgent
from executors.executor import RefusedError
from executors.plan import Outcome
from function_pool.call import Basis, FunctionCall
from heed.messages import msg
from heed.model import Frozen
from heed.safe_text import safe_text
from heed.trust import Trust

_NOBODY_KNOWS = (Basis(fact="assistant", trust=Trust.THIRD_PARTY),)
"""What an assistant asks for may come from any text that it has read."""


class AssistantCallResult(Frozen):
    """The owner's answer to an assistant's call, and what came of it."""

    answer: Answer
    channel: str
    """Where it was answered; a ``ChannelName`` or the name of a plug-in's channel."""
    outcomes: tuple[Outcome, ...]
    """Of each step; none where it was not allowed."""


def asked_by_assistant(function: str, arguments: dict[str, object]) -> FunctionCall:
    """The call, with its choice and its arguments marked as text that anyone may have written.

    So its risk is judged as for such text, and "always" is not offered.
    """
    basis = dict.fromkeys(arguments, _NOBODY_KNOWS)
    return FunctionCall.model_validate(
        {"name": function, "parameters": arguments, "basis": basis, "choice": _NOBODY_KNOWS}
    )


class AssistantCalls:
    """Carries out what assistants ask for; a second question while one is open is refused."""

    def __init__(self) -> None:
        self._is_asking = False

    async def carry_out(self, agent: PhoneAgent, request: AssistantCallRequest) -> AssistantCallResult:
        """Ask the owner and act; ``RefusedError`` where nobody is asked or it cannot be done."""
        if self._is_asking:
            raise RefusedError(
                msg("The owner is being asked about another call of an assistant."), msg("Ask again after the answer.")
            )
        self._is_asking = True
        try:
            call = asked_by_assistant(request.function, dict(request.arguments))
            acted = await agent.carry_out_for(safe_text(request.assistant) or "MCP", call)
        finally:
            self._is_asking = False
        return AssistantCallResult(answer=acted.given.answer, channel=acted.given.channel, outcomes=acted.outcomes)
