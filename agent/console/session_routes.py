"""The routes that need no session: the empty page, its words, and signing in."""

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Header, Request, Response
from fastapi.responses import FileResponse
from pydantic import Field

from agent.console.browser_sessions import IDLE_SECONDS, BrowserSessions
from agent.console.page_wording import Wording
from agent.console.web import STATIC
from heed.model import Frozen


class Token(Frozen):
    """A link's token."""

    token: str = Field(max_length=128)


class ChallengeAnswer(Frozen):
    """The answer to a challenge."""

    challenge: str = Field(max_length=128)
    proof: str = Field(max_length=128)


class Challenge(Frozen):
    """What a page has to answer with its proof key."""

    challenge: str


class SignedIn(Frozen):
    """The secrets of a browser that has just signed in."""

    key: str
    """What every request carries in a header."""
    proof_key: str
    """Hexadecimal; the page keeps it and never sends it."""


class PageKey(Frozen):
    """What every request carries in a header."""

    key: str


def page_routes(sessions: BrowserSessions, wording: Wording, cookie: str) -> APIRouter:
    """The page's frame, its words and the sign-in; ``cookie`` is the name of the session's cookie."""
    router = APIRouter()

    def keep(response: Response, secret: str) -> None:
        response.set_cookie(cookie, secret, max_age=IDLE_SECONDS, path="/api", httponly=True, samesite="strict")

    @router.get("/")
    async def page() -> Response:
        return FileResponse(STATIC / "index.html")

    @router.get("/words")
    async def words() -> dict[str, str]:
        return dict(wording.page)

    @router.post("/api/session")
    async def sign_in(token: Token, response: Response) -> SignedIn:
        begun = sessions.exchange(token.token)
        keep(response, begun.cookie)
        return SignedIn(key=begun.page_key, proof_key=begun.proof_key)

    @router.get("/api/session/challenge")
    async def challenge() -> Challenge:
        return Challenge(challenge=sessions.challenge())

    @router.post("/api/session/resume")
    async def resume(answer: ChallengeAnswer, request: Request, response: Response) -> PageKey:
        secret = request.cookies.get(cookie, "")
        key = sessions.resume(secret, request.headers["host"], answer.challenge, answer.proof)
        keep(response, secret)
        return PageKey(key=key)

    return router


def require_session(sessions: BrowserSessions, cookie: str) -> Callable[[Request, str], None]:
    """The dependency of every other route: a session's cookie, and its page key in a header."""

    def check(request: Request, x_heed_key: Annotated[str, Header(max_length=128)] = "") -> None:
        sessions.check(request.cookies.get(cookie, ""), x_heed_key)

    return check
