"""The consent page that opens in the phone's own browser: one question, one answer, a pause of an hour, nothing else.

Apps on the phone can reach the page's port too, so everything but its empty frame needs the token of the one
question, which stands in the fragment of the address that the notification opens. The token comes in a header and
never in a cookie, so no other page can use it.
"""

import secrets
from typing import Annotated

from fastapi import APIRouter, Depends, Header
from fastapi.responses import FileResponse, Response
from pydantic import Field, JsonValue

from agent.consent.pending_requests import PendingRequest, PendingRequests, RequestClosedError
from agent.consent.request import Answer, ChannelName, GivenAnswer, Reply, SaidAnswer
from agent.console.page_wording import Wording
from agent.console.views import QuestionView
from agent.console.web import STATIC
from agent.loop.control_socket import Handler
from agent.loop.daemon_requests import PauseRequest
from agent.policy.grants import MOST_WIDENED, StepField
from heed.messages import msg
from heed.model import Frozen


class PageTokens:
    """The tokens of the open questions; each opens one question and ends with it."""

    def __init__(self, pending: PendingRequests) -> None:
        self._pending = pending
        self._plans: dict[str, int] = {}

    def give(self, plan_id: int) -> str:
        """A token for one question."""
        token = secrets.token_urlsafe(32)
        self._plans[token] = plan_id
        return token

    def take_back(self, token: str) -> None:
        """The question is over."""
        self._plans.pop(token, None)

    def question(self, token: str) -> PendingRequest:
        """The question that a token opens; ``RequestClosedError`` when it is over or the token is none of ours."""
        if token not in self._plans:
            raise RequestClosedError(msg("This question is over."), msg("Nothing was changed."))
        return self._pending.find(self._plans[token])


class PhoneAnswer(Frozen):
    """An answer, and the plan that the page showed."""

    plan_hash: str = Field(max_length=128)
    answer: SaidAnswer
    widened: tuple[StepField, ...] = Field(default=(), max_length=MOST_WIDENED)


class ConsentResult(Frozen):
    """The end of a question; without an answer it was withdrawn."""

    answer: Answer | None = None
    channel: str | None = None


def consent_routes(page_tokens: PageTokens, pending: PendingRequests, wording: Wording, handler: Handler) -> APIRouter:
    """The page's routes: the question, the answer, how the question ended, and a pause of one hour."""
    router = APIRouter()

    def question(x_heed_token: Annotated[str, Header(max_length=128)] = "") -> PendingRequest:
        return page_tokens.question(x_heed_token)

    Opened = Annotated[PendingRequest, Depends(question)]  # noqa: N806

    @router.get("/")
    async def page() -> Response:
        return FileResponse(STATIC / "consent.html")

    @router.get("/words")
    async def words() -> dict[str, str]:
        return dict(wording.page)

    @router.get("/consent/question")
    async def show(opened: Opened) -> QuestionView:
        return wording.question(pending.opened(opened))

    @router.post("/consent/answer")
    async def answer(opened: Opened, said: PhoneAnswer) -> ConsentResult:
        reply = Reply(said.answer, said.widened)
        return _end(await pending.answer(opened.request.plan_id, said.plan_hash, reply, ChannelName.PHONE))

    @router.post("/consent/pause", dependencies=[Depends(question)])
    async def pause() -> JsonValue:
        return wording.in_words(await handler(PauseRequest(minutes=60)))

    @router.get("/consent/end")
    async def end(opened: Opened) -> ConsentResult:
        return _end(await pending.outcome(opened))

    return router


def _end(given: GivenAnswer | None) -> ConsentResult:
    return ConsentResult() if given is None else ConsentResult(answer=given.answer, channel=given.channel)
