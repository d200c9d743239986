"""The routes of the console's page. It acts through the daemon only, with the requests that commands send."""

import hashlib
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Depends, Header, Request, Response
from fastapi.responses import FileResponse
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import Field, JsonValue

from agent.compose import Runtime, declared_situations
from agent.consent.clarification import Clarification, ClarificationReply
from agent.consent.request import GivenAnswer, Reply, SaidAnswer
from agent.console.access_tokens import AccessTokens, BrowserSession
from agent.console.console_channel import ConsoleChannel
from agent.console.live_screen import LiveScreens
from agent.console.page_updates import PagePart, PageUpdates
from agent.console.pending_clarifications import PendingClarifications
from agent.console.pending_requests import PendingRequests
from agent.console.views import (
    ContextView,
    CoolDownView,
    DetailView,
    EntryView,
    GrantView,
    HabitView,
    QuestionView,
    ReplayView,
    SituationView,
    Wording,
)
from agent.console.web import STATIC
from agent.journal import TimelineEntry
from agent.loop.control_socket import Handler
from agent.loop.current_habits import with_switches
from agent.loop.daemon_requests import MOST_REQUEST, DoRequest, PauseRequest, StatusRequest, UndoRequest
from agent.policy.grants import MOST_WIDENED, StepField
from executors.plan import Outcome
from executors.wording import describe_outcome
from heed.errors import UsageError
from heed.messages import msg
from heed.model import Frozen
from models.routines.mining.habit import HabitEdit

MOST_ENTRIES = 100


class ConsoleParts(NamedTuple):
    """The collaborators of the page's routes."""

    runtime: Runtime
    handler: Handler
    pending: PendingRequests
    updates: PageUpdates
    tokens: AccessTokens
    screens: LiveScreens
    wording: Wording
    clarifications: PendingClarifications


class Token(Frozen):
    """A link's token."""

    token: str = Field(max_length=128)


class SignedIn(Frozen):
    """The key that every request must carry."""

    key: str


class PlanAnswer(Frozen):
    """An answer, and the plan that the page showed."""

    plan_hash: str = Field(max_length=128)
    answer: SaidAnswer
    widened: tuple[StepField, ...] = Field(default=(), max_length=MOST_WIDENED)


class Subject(Frozen):
    """The subject of a cool-down."""

    subject: str = Field(max_length=8192)


class Switch(Frozen):
    """A switch of a habit or a situation."""

    on: bool


class PauseSwitch(Frozen):
    """Whether a demo's day is paused."""

    paused: bool


class TypedRequest(Frozen):
    """A request in the owner's words."""

    text: str = Field(min_length=1, max_length=MOST_REQUEST)
    serial: str = Field(default="", max_length=128)


class OwnerAnswersView(Frozen):
    """Grants and cool-downs."""

    grants: tuple[GrantView, ...]
    cool_downs: tuple[CoolDownView, ...]


class LearnedView(Frozen):
    """Habits and situations."""

    habits: tuple[HabitView, ...]
    situations: tuple[SituationView, ...]


def page_routes(tokens: AccessTokens, wording: Wording, cookie: str) -> APIRouter:
    """The routes that need no session: the empty page, its words, and the sign-in."""
    router = APIRouter()

    @router.get("/")
    async def page() -> Response:
        return FileResponse(STATIC / "index.html")

    @router.get("/words")
    async def words() -> dict[str, str]:
        return dict(wording.page)

    @router.post("/api/session")
    async def sign_in(token: Token, response: Response) -> SignedIn:
        session = tokens.exchange(token.token)
        response.set_cookie(cookie, session.secret, path="/api", httponly=True, samesite="strict")
        return SignedIn(key=session.key)

    return router


def session_of(tokens: AccessTokens, cookie: str) -> Callable[[Request, str], BrowserSession]:
    """The dependency of every other route: a session's cookie, and its key in a header."""

    def session(request: Request, x_heed_key: Annotated[str, Header(max_length=128)] = "") -> BrowserSession:
        return tokens.session(request.cookies.get(cookie, ""), x_heed_key)

    return session


def watching_routes(parts: ConsoleParts) -> APIRouter:
    """The phones, their screens, the pending requests, and what has changed."""
    router = APIRouter()

    @router.get("/events", response_class=EventSourceResponse)
    async def events() -> AsyncIterator[ServerSentEvent]:
        async for changed in parts.updates.watch():
            yield ServerSentEvent(data=changed, event="changed")

    @router.get("/phones")
    async def phones() -> JsonValue:
        return parts.wording.in_words(await parts.handler(StatusRequest()))

    @router.post("/day")
    async def day(wanted: PauseSwitch) -> JsonValue:
        # Only a demo's day can be paused; a daemon refuses.
        phones = await parts.handler(PauseRequest(paused=wanted.paused))
        parts.updates.report(PagePart.JOURNAL)
        return phones

    @router.get("/screen/{serial}")
    async def screen(serial: str, request: Request) -> Response:
        await _require_known(parts.handler, serial)
        png = await parts.screens.picture(serial)
        tag = f'"{hashlib.sha256(png).hexdigest()[:32]}"'
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers={"ETag": tag})
        return Response(png, media_type="image/png", headers={"ETag": tag})

    @router.get("/questions")
    async def questions() -> list[QuestionView]:
        return [parts.wording.question(question) for question in parts.pending.open(ConsoleChannel.name)]

    @router.post("/questions/{plan_id}")
    async def answer(plan_id: int, said: PlanAnswer) -> dict[str, str]:
        reply = Reply(said.answer, said.widened)
        given: GivenAnswer = await parts.pending.answer(plan_id, said.plan_hash, reply, ConsoleChannel.name)
        return {"answer": given.answer, "channel": given.channel}

    return router


def request_routes(parts: ConsoleParts) -> APIRouter:
    """Requests in the owner's words, and the questions about what they do not say."""
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


async def _require_known(handler: Handler, serial: str) -> None:
    statuses = await handler(StatusRequest())
    known = (
        [status.get("serial") for status in statuses if isinstance(status, dict)] if isinstance(statuses, list) else []
    )
    if serial not in known:
        raise UsageError(msg("heed does not monitor {serial!r}.", serial=serial))


def journal_routes(parts: ConsoleParts) -> APIRouter:
    """The timeline, with undo and replay."""
    router = APIRouter()
    journal = parts.runtime.stores.journal

    def view(entry: TimelineEntry) -> EntryView:
        return parts.wording.entry(entry, journal.context(entry.decision.context_id))

    @router.get("/journal")
    async def timeline(limit: int = 25) -> list[EntryView]:
        return [view(entry) for entry in journal.timeline(max(1, min(limit, MOST_ENTRIES)))]

    @router.get("/journal/{decision_id}")
    async def detail(decision_id: int) -> DetailView:
        entry = journal.entry(decision_id)
        return parts.wording.detail(entry, journal.context(entry.decision.context_id))

    @router.get("/journal/{decision_id}/frames/{sha256}")
    async def frame(decision_id: int, sha256: str) -> Response:
        context = journal.context(journal.entry(decision_id).decision.context_id)
        paths = [Path(frame.path) for frame in context.frames if frame.sha256 == sha256]
        return FileResponse(
            _stored(paths, sha256, parts.runtime.config.collectors.frames_folder), media_type="image/jpeg"
        )

    @router.post("/journal/{decision_id}/replay")
    async def replay(decision_id: int) -> ReplayView:
        context = journal.context(journal.entry(decision_id).decision.context_id)
        runtime = parts.runtime
        names = tuple(spec.name for spec in runtime.pool)
        timeout = runtime.config.policy.decision_timeout
        said = await runtime.reasoners.first.recommend(context, runtime.pool, names, timeout=timeout)
        functions = tuple(call.name for call in said.calls)
        return ReplayView(sentence=said.rec, why=said.why.text, functions=functions, reasoner=said.reasoner)

    @router.post("/actions/{action_id}/undo")
    async def undo(action_id: int) -> JsonValue:
        return await parts.handler(UndoRequest(action=action_id))

    @router.get("/context")
    async def context() -> ContextView | None:
        newest = next(iter(journal.timeline(1)), None)
        if newest is None:
            return None
        return parts.wording.context(newest, journal.context(newest.decision.context_id))

    return router


def _stored(paths: list[Path], sha256: str, folder: Path) -> Path:
    """The stored picture, if it is one of the context's, lies in the frames' folder and was not deleted."""
    if re.fullmatch(r"[0-9a-f]{64}", sha256):
        for path in paths:
            if path.resolve().is_relative_to(folder.resolve()) and path.is_file():
                return path
    raise UsageError(msg("There is no such picture."), msg("Frames are deleted when they are old."))


def memory_routes(parts: ConsoleParts) -> APIRouter:
    """Habits, situations, grants and cool-downs."""
    router = APIRouter()
    runtime, stores = parts.runtime, parts.runtime.stores
    declared, configured = declared_situations(runtime.config), runtime.config.models.routines.situations

    @router.get("/learnt")
    async def learnt() -> LearnedView:
        on = {one.id for one in with_switches(declared, configured, runtime.stores.situations)()}
        return LearnedView(
            habits=tuple(parts.wording.habit(habit) for habit in runtime.habits()),
            situations=tuple(parts.wording.situation(one, on=one.id in on) for one in declared),
        )

    @router.post("/habits/{habit_id}")
    async def edit_habit(habit_id: str, wanted: Switch) -> None:
        if habit_id not in {habit.id for habit in runtime.habits()}:
            raise UsageError(msg("There is no habit {habit_id!r}.", habit_id=habit_id))
        before = runtime.stores.habits.all().get(habit_id, HabitEdit())
        runtime.stores.habits.set(habit_id, before.model_copy(update={"enabled": wanted.on}))
        parts.updates.report(PagePart.MEMORY)

    @router.post("/situations/{situation_id}")
    async def switch_situation(situation_id: str, wanted: Switch) -> None:
        if situation_id not in {one.id for one in declared}:
            raise UsageError(msg("There is no situation {situation_id!r}.", situation_id=situation_id))
        runtime.stores.situations.set(situation_id, on=wanted.on)
        parts.updates.report(PagePart.MEMORY)

    @router.get("/memory")
    async def remembered() -> OwnerAnswersView:
        about = {one.id: one.about.text(parts.wording.language) for one in declared}
        about |= {habit.id: parts.wording.habit(habit).offer for habit in runtime.habits()}
        return OwnerAnswersView(
            grants=tuple(parts.wording.grant(one, stores.phones.name(one.serial)) for one in stores.grants.entries()),
            cool_downs=tuple(
                parts.wording.cool_down(one, about, runtime.clock.wall()) for one in stores.cool_downs.entries()
            ),
        )

    @router.post("/memory/grants/{grant_id}/revoke")
    async def revoke(grant_id: int) -> None:
        stores.grants.revoke(grant_id)
        parts.updates.report(PagePart.MEMORY)

    @router.post("/memory/lift")
    async def lift(subject: Subject) -> None:
        stores.cool_downs.lift(subject.subject)
        parts.updates.report(PagePart.MEMORY)

    return router


def guarded(parts: ConsoleParts, cookie: str) -> APIRouter:
    """Every route that needs a session, below ``/api``."""
    router = APIRouter(prefix="/api", dependencies=[Depends(session_of(parts.tokens, cookie))])
    for routes in (watching_routes, request_routes, journal_routes, memory_routes):
        router.include_router(routes(parts))
    return router
