"""What the console's page asks and changes. Acting is left to the daemon: the console is one more who asks it."""

import hashlib
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Depends, Header, Request, Response
from fastapi.responses import FileResponse
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import Field, JsonValue

from agent.compose import Household, declared_situations
from agent.consent.request import Answer, Given
from agent.console.access_tokens import Keys, Session
from agent.console.console_channel import ConsoleChannel
from agent.console.live_screen import Screens
from agent.console.page_updates import Changes, Part
from agent.console.pending_requests import Desk
from agent.console.views import (
    ContextView,
    DetailView,
    EntryView,
    HabitView,
    PermissionView,
    QuestionView,
    ReplayView,
    RestraintView,
    SituationView,
    Wording,
)
from agent.console.web import STATIC
from agent.journal import TimelineEntry
from agent.loop.control_socket import Handler
from agent.loop.control_socket import Request as Command
from agent.loop.current_habits import with_switches
from heed.errors import UsageError
from heed.messages import msg
from heed.model import Frozen
from models.routines.mining.habit import HabitEdit

MOST_ENTRIES = 100


class Desktop(NamedTuple):
    """What the page's routes work with."""

    household: Household
    handler: Handler
    desk: Desk
    changes: Changes
    keys: Keys
    screens: Screens
    wording: Wording


class Token(Frozen):
    """A link's token."""

    token: str = Field(max_length=128)


class SignedIn(Frozen):
    """The key that every request must carry."""

    key: str


class PlanAnswer(Frozen):
    """An answer, and the plan that the page showed."""

    plan_hash: str = Field(max_length=128)
    answer: Answer


class Subject(Frozen):
    """A restraint's subject."""

    subject: str = Field(max_length=8192)


class Switch(Frozen):
    """Whether a habit or a situation may be brought up."""

    on: bool


class Hold(Frozen):
    """Whether a played day stands still."""

    paused: bool


class Remembered(Frozen):
    """What the person said that lasts."""

    permissions: tuple[PermissionView, ...]
    restraints: tuple[RestraintView, ...]


class Learnt(Frozen):
    """What may make heed speak."""

    habits: tuple[HabitView, ...]
    situations: tuple[SituationView, ...]


def page_routes(keys: Keys, wording: Wording, cookie: str) -> APIRouter:
    """What a browser without a session may have: the empty page, its words, and the way in."""
    router = APIRouter()

    @router.get("/")
    async def page() -> Response:
        return FileResponse(STATIC / "index.html")

    @router.get("/words")
    async def words() -> dict[str, str]:
        return dict(wording.page)

    @router.post("/api/session")
    async def sign_in(token: Token, response: Response) -> SignedIn:
        session = keys.exchange(token.token)
        response.set_cookie(cookie, session.secret, path="/api", httponly=True, samesite="strict")
        return SignedIn(key=session.key)

    return router


def session_of(keys: Keys, cookie: str) -> Callable[[Request, str], Session]:
    """The dependency of every other route: a session's cookie, and its key in a header."""

    def session(request: Request, x_heed_key: Annotated[str, Header(max_length=128)] = "") -> Session:
        return keys.session(request.cookies.get(cookie, ""), x_heed_key)

    return session


def watching_routes(top: Desktop) -> APIRouter:
    """The phones, their screens, the open questions, and what has changed."""
    router = APIRouter()

    @router.get("/events", response_class=EventSourceResponse)
    async def events() -> AsyncIterator[ServerSentEvent]:
        async for parts in top.changes.watch():
            yield ServerSentEvent(data=parts, event="changed")

    @router.get("/phones")
    async def phones() -> JsonValue:
        return await top.handler(Command(op="status"))

    @router.post("/day")
    async def day(wanted: Hold) -> JsonValue:
        # Only a demo's day can be held; a daemon refuses.
        phones = await top.handler(Command(op="pause", arguments={"paused": wanted.paused}))
        top.changes.tell(Part.JOURNAL)
        return phones

    @router.get("/screen/{serial}")
    async def screen(serial: str, request: Request) -> Response:
        await _attended(top.handler, serial)
        png = await top.screens.picture(serial)
        tag = f'"{hashlib.sha256(png).hexdigest()[:32]}"'
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers={"ETag": tag})
        return Response(png, media_type="image/png", headers={"ETag": tag})

    @router.get("/questions")
    async def questions() -> list[QuestionView]:
        return [top.wording.question(question) for question in top.desk.open(ConsoleChannel.name)]

    @router.post("/questions/{plan_id}")
    async def answer(plan_id: int, said: PlanAnswer) -> dict[str, str]:
        given: Given = await top.desk.answer(plan_id, said.plan_hash, said.answer, ConsoleChannel.name)
        return {"answer": given.answer, "channel": given.channel}

    return router


async def _attended(handler: Handler, serial: str) -> None:
    statuses = await handler(Command(op="status"))
    known = (
        [status.get("serial") for status in statuses if isinstance(status, dict)] if isinstance(statuses, list) else []
    )
    if serial not in known:
        raise UsageError(msg("heed does not monitor {serial!r}.", serial=serial))


def journal_routes(top: Desktop) -> APIRouter:
    """The timeline, and what can be done about what it tells."""
    router = APIRouter()
    journal = top.household.books.journal

    def view(entry: TimelineEntry) -> EntryView:
        return top.wording.entry(entry, journal.context(entry.decision.context_id))

    @router.get("/journal")
    async def timeline(limit: int = 25) -> list[EntryView]:
        return [view(entry) for entry in journal.timeline(max(1, min(limit, MOST_ENTRIES)))]

    @router.get("/journal/{decision_id}")
    async def detail(decision_id: int) -> DetailView:
        entry = journal.entry(decision_id)
        return top.wording.detail(entry, journal.context(entry.decision.context_id))

    @router.get("/journal/{decision_id}/frames/{sha256}")
    async def frame(decision_id: int, sha256: str) -> Response:
        context = journal.context(journal.entry(decision_id).decision.context_id)
        paths = [Path(frame.path) for frame in context.frames if frame.sha256 == sha256]
        return FileResponse(
            _stored(paths, sha256, top.household.config.collectors.frames_folder), media_type="image/jpeg"
        )

    @router.post("/journal/{decision_id}/replay")
    async def replay(decision_id: int) -> ReplayView:
        context = journal.context(journal.entry(decision_id).decision.context_id)
        house = top.household
        names = tuple(spec.name for spec in house.pool)
        timeout = house.config.policy.decision_timeout
        said = await house.reasoner.recommend(context, house.pool, names, timeout=timeout)
        functions = tuple(call.name for call in said.calls)
        return ReplayView(sentence=said.rec, why=said.why.text, functions=functions, reasoner=said.reasoner)

    @router.post("/actions/{action_id}/undo")
    async def undo(action_id: int) -> JsonValue:
        return await top.handler(Command(op="undo", arguments={"action": action_id}))

    @router.get("/context")
    async def context() -> ContextView | None:
        newest = next(iter(journal.timeline(1)), None)
        if newest is None:
            return None
        return top.wording.context(newest, journal.context(newest.decision.context_id))

    return router


def _stored(paths: list[Path], sha256: str, folder: Path) -> Path:
    """The stored picture, if it is one of the context's, lies in the frames' folder and was not deleted."""
    if re.fullmatch(r"[0-9a-f]{64}", sha256):
        for path in paths:
            if path.resolve().is_relative_to(folder.resolve()) and path.is_file():
                return path
    raise UsageError(msg("There is no such picture."), msg("Frames are deleted when they are old."))


def memory_routes(top: Desktop) -> APIRouter:
    """Habits, situations, permissions and what rests."""
    router = APIRouter()
    house, memory = top.household, top.household.books.memory
    declared, configured = declared_situations(house.config), house.config.models.routines.situations

    @router.get("/learnt")
    async def learnt() -> Learnt:
        on = {one.id for one in with_switches(declared, configured, house.books.situations)()}
        return Learnt(
            habits=tuple(top.wording.habit(habit) for habit in house.habits()),
            situations=tuple(top.wording.situation(one, on=one.id in on) for one in declared),
        )

    @router.post("/habits/{habit_id}")
    async def edit_habit(habit_id: str, wanted: Switch) -> None:
        if habit_id not in {habit.id for habit in house.habits()}:
            raise UsageError(msg("There is no habit {habit_id!r}.", habit_id=habit_id))
        before = house.books.habits.all().get(habit_id, HabitEdit())
        house.books.habits.set(habit_id, before.model_copy(update={"enabled": wanted.on}))
        top.changes.tell(Part.MEMORY)

    @router.post("/situations/{situation_id}")
    async def switch_situation(situation_id: str, wanted: Switch) -> None:
        if situation_id not in {one.id for one in declared}:
            raise UsageError(msg("There is no situation {situation_id!r}.", situation_id=situation_id))
        house.books.situations.set(situation_id, on=wanted.on)
        top.changes.tell(Part.MEMORY)

    @router.get("/memory")
    async def remembered() -> Remembered:
        about = {one.id: one.about.text(top.wording.language) for one in declared}
        about |= {habit.id: top.wording.habit(habit).offer for habit in house.habits()}
        return Remembered(
            permissions=tuple(
                PermissionView(id=one.id, serial=one.serial, text=one.text, since=one.at)
                for one in memory.permissions()
            ),
            restraints=tuple(top.wording.restraint(one, about) for one in memory.restraints()),
        )

    @router.post("/memory/permissions/{permission_id}/revoke")
    async def revoke(permission_id: int) -> None:
        memory.revoke(permission_id)
        top.changes.tell(Part.MEMORY)

    @router.post("/memory/lift")
    async def lift(subject: Subject) -> None:
        memory.lift(subject.subject)
        top.changes.tell(Part.MEMORY)

    return router


def guarded(top: Desktop, cookie: str) -> APIRouter:
    """Every route that needs a session, below ``/api``."""
    router = APIRouter(prefix="/api", dependencies=[Depends(session_of(top.keys, cookie))])
    for routes in (watching_routes, journal_routes, memory_routes):
        router.include_router(routes(top))
    return router
