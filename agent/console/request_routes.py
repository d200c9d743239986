"""The routes of requests in the owner's words, and of the questions about what they do not say."""

from fastapi import APIRouter
from pydantic import Field

from agent.consent.clarification import Clarification, ClarificationReply
from agent.console.parts import ConsoleParts
from agent.loop.daemon_requests import MOST_REQUEST, DoRequest
from executors.plan import Outcome
from executors.wording import describe_outcome
from heed.model import Frozen


class TypedRequest(Frozen):
    """A request in the owner's words."""

    text: str = Field(min_length=1, max_length=MOST_REQUEST)
    serial: str = Field(default="", max_length=128)


def request_routes(parts: ConsoleParts) -> APIRouter:
    """The routes of requests."""
    router = APIRouter()

    @router.post("/request")
    async def carry_out(wanted: TypedRequest) -> list[str]:
        """What was done, one sentence per step; none where it was not allowed."""
        outcomes = await parts.handler(DoRequest(text=wanted.text, serial=wanted.serial))
        return [
            describe_outcome(Outcome.model_validate(one), parts.wording.language)
            for one in (outcomes if isinstance(outcomes, list) else ())
        ]

    @router.get("/clarifications")
    async def clarifications() -> list[Clarification]:
        return parts.clarifications.open()

    @router.post("/clarifications/{question_id}")
    async def reply(question_id: str, said: ClarificationReply) -> None:
        parts.clarifications.answer(question_id, said)

    return router
