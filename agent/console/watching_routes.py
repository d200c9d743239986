"""The routes of what happens now: the phones, their screens, the pending requests, and what has changed."""

import hashlib
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

from fastapi import APIRouter, Request, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import Field, JsonValue

from agent.consent.pending_requests import ShownRequest
from agent.consent.request import GivenAnswer, Reply, SaidAnswer
from agent.console.console_channel import ConsoleChannel
from agent.console.journal_routes import picture_response
from agent.console.page_updates import PagePart
from agent.console.parts import ConsoleParts
from agent.console.plan_pictures import pictures_of
from agent.console.views import QuestionView
from agent.loop.control_socket import Handler
from agent.loop.daemon_requests import (
    DaemonInfoRequest,
    DecideRequest,
    HoldDayRequest,
    PauseRequest,
    ResumeRequest,
    StatusRequest,
    TouchRequest,
)
from agent.loop.owner_touch import ScreenTouch
from agent.policy.grants import MOST_WIDENED, StepField
from heed.errors import UsageError
from heed.messages import msg
from heed.model import Frozen


class PlanAnswer(Frozen):
    """An answer, and the plan that the page showed."""

    plan_hash: str = Field(max_length=128)
    answer: SaidAnswer
    widened: tuple[StepField, ...] = Field(default=(), max_length=MOST_WIDENED)


class PauseSwitch(Frozen):
    """Whether a demo's day is paused."""

    paused: bool


def watching_routes(parts: ConsoleParts) -> APIRouter:
    """The routes of what happens now."""
    router = APIRouter()
    for routes in (_phone_routes, _pause_routes, _screen_routes, _question_routes):
        router.include_router(routes(parts))
    return router


def _phone_routes(parts: ConsoleParts) -> APIRouter:
    router = APIRouter()

    @router.get("/events", response_class=EventSourceResponse)
    async def events() -> AsyncIterator[ServerSentEvent]:
        async for changed in parts.updates.watch():
            yield ServerSentEvent(data=changed, event="changed")

    @router.get("/phones")
    async def phones() -> JsonValue:
        return parts.wording.in_words(await parts.handler(StatusRequest()))

    @router.post("/phones/{serial}/look")
    async def look(serial: str) -> JsonValue:
        # Answered when the decision was made and, where heed asks, when that is answered.
        return await parts.handler(DecideRequest(serial=serial))

    @router.post("/day")
    async def day(wanted: PauseSwitch) -> JsonValue:
        # Only a demo's day can be paused; a daemon refuses.
        phones = await parts.handler(HoldDayRequest(held=wanted.paused))
        parts.updates.report(PagePart.JOURNAL)
        return phones

    return router


def _pause_routes(parts: ConsoleParts) -> APIRouter:
    router = APIRouter()

    @router.get("/pause")
    async def pause_now() -> JsonValue:
        info = await parts.handler(DaemonInfoRequest())
        # A demo's handler answers with its phones.
        return parts.wording.in_words(info["pause"]) if isinstance(info, dict) else None

    @router.post("/pause")
    async def pause(wanted: PauseRequest) -> JsonValue:
        return parts.wording.in_words(await parts.handler(wanted))

    @router.post("/resume")
    async def resume() -> JsonValue:
        return parts.wording.in_words(await parts.handler(ResumeRequest()))

    return router


def _screen_routes(parts: ConsoleParts) -> APIRouter:
    router = APIRouter()

    @router.get("/screen/{serial}")
    async def screen(serial: str, request: Request) -> Response:
        await _require_known(parts.handler, serial)
        png = await parts.screens.picture(serial)
        tag = f'"{hashlib.sha256(png).hexdigest()[:32]}"'
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers={"ETag": tag})
        return Response(png, media_type="image/png", headers={"ETag": tag})

    @router.post("/screen/{serial}/touch")
    async def touch(serial: str, wanted: ScreenTouch) -> None:
        await parts.handler(TouchRequest(serial=serial, touch=wanted))
        parts.screens.forget(serial)
        parts.updates.report(PagePart.SCREEN, PagePart.JOURNAL)

    return router


def _question_routes(parts: ConsoleParts) -> APIRouter:
    router = APIRouter()

    def question(shown: ShownRequest) -> QuestionView:
        view = parts.wording.question(shown)
        with suppress(UsageError):  # a question that no plan was recorded for
            plan = parts.runtime.stores.journal.plan(shown.request.plan_id).plan
            return view.model_copy(update={"pictures": pictures_of(plan)})
        return view

    @router.get("/questions")
    async def questions() -> list[QuestionView]:
        return [question(shown) for shown in parts.pending.open(ConsoleChannel.name)]

    @router.get("/plans/{plan_id}/pictures/{picture}")
    async def picture(plan_id: int, picture: int) -> Response:
        return Response(await parts.pictures.small(plan_id, picture), media_type="image/jpeg")

    @router.get("/plans/{plan_id}/screen")
    async def asked_screen(plan_id: int) -> Response:
        plan = parts.runtime.stores.journal.plan(plan_id).plan
        asked = next((step.press.picture for step in plan.steps if step.press), None)
        folder = parts.runtime.config.collectors.frames_folder
        return picture_response(Path(asked.path) if asked else None, asked.sha256 if asked else "", folder)

    @router.post("/questions/{plan_id}")
    async def answer(plan_id: int, said: PlanAnswer) -> dict[str, str]:
        reply = Reply(said.answer, said.widened)
        given: GivenAnswer = await parts.pending.answer(plan_id, said.plan_hash, reply, ConsoleChannel.name)
        return {"answer": given.answer, "channel": given.channel}

    return router


async def _require_known(handler: Handler, serial: str) -> None:
    statuses = await handler(StatusRequest())
    known = (
        [status.get("serial") for status in statuses if isinstance(status, dict)] if isinstance(statuses, list) else []
    )
    if serial not in known:
        raise UsageError(msg("heed does not monitor {serial!r}.", serial=serial))
