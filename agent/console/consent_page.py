"""The consent page that opens in the phone's own browser: one question, one answer, nothing else.

Apps on the phone can reach the page's port too, so everything but its empty frame needs the token of the one
question, which stands in the fragment of the address that the notification opens. The token comes in a header and
never in a cookie, so no other page can use it.
"""

import secrets
from typing import Annotated

from fastapi import APIRouter, Depends, Header
from fastapi.responses import FileResponse, Response
from pydantic import Field

from agent.consent.request import Answer, Given
from agent.console.pending_requests import Desk, OverError, Question
from agent.console.views import QuestionView, Wording
from agent.console.web import STATIC
from heed.messages import msg
from heed.model import Frozen

CHANNEL = "phone"


class Passes:
    """The tokens of the open questions; each opens one question and ends with it."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._plans: dict[str, int] = {}

    def give(self, plan_id: int) -> str:
        """A token for one question."""
        token = secrets.token_urlsafe(32)
        self._plans[token] = plan_id
        return token

    def take_back(self, token: str) -> None:
        """The question is over."""
        self._plans.pop(token, None)

    def question(self, token: str) -> Question:
        """The question that a token opens; ``OverError`` when it is over or the token is none of ours."""
        if token not in self._plans:
            raise OverError(msg("This question is over."), msg("Nothing was changed."))
        return self._desk.find(self._plans[token])


class PhoneAnswer(Frozen):
    """What the page sends back: the answer, and the plan it was shown."""

    plan_hash: str = Field(max_length=128)
    answer: Answer


class End(Frozen):
    """How a question ended; without an answer it was withdrawn."""

    answer: Answer | None = None
    channel: str = ""


def consent_routes(passes: Passes, desk: Desk, wording: Wording) -> APIRouter:
    """The page and the three things it asks."""
    router = APIRouter()

    def question(x_heed_token: Annotated[str, Header(max_length=128)] = "") -> Question:
        return passes.question(x_heed_token)

    Asked = Annotated[Question, Depends(question)]  # noqa: N806

    @router.get("/")
    async def page() -> Response:
        return FileResponse(STATIC / "consent.html")

    @router.get("/words")
    async def words() -> dict[str, str]:
        return dict(wording.page)

    @router.get("/consent/question")
    async def show(asked: Asked) -> QuestionView:
        return wording.question(desk.opened(asked))

    @router.post("/consent/answer")
    async def answer(asked: Asked, said: PhoneAnswer) -> End:
        return _end(await desk.answer(asked.request.plan_id, said.plan_hash, said.answer, CHANNEL))

    @router.get("/consent/end")
    async def end(asked: Asked) -> End:
        return _end(await desk.outcome(asked))

    return router


def _end(given: Given | None) -> End:
    return End() if given is None else End(answer=given.answer, channel=given.channel)
