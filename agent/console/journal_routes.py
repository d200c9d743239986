"""The routes of the journal: the timeline with search, undo, replay and forgetting, the newest context, statistics."""

import re
from pathlib import Path

from fastapi import APIRouter, Query, Response
from fastapi.responses import FileResponse
from pydantic import JsonValue

from agent.console.page_updates import PagePart
from agent.console.parts import ConsoleParts
from agent.console.statistics import StatisticsView, counted
from agent.console.views import (
    ContextView,
    DetailView,
    EntryView,
    PageView,
    ReplayView,
    StretchView,
    TouchesView,
)
from agent.journal import SilentStretch, TimelineEntry, TimelineRow, TouchStretch
from agent.loop.daemon_requests import UndoRequest
from collectors.context import Context
from heed.errors import UsageError
from heed.messages import msg

MOST_ROWS = 100


class _Entries:
    """Views of journal entries."""

    def __init__(self, parts: ConsoleParts) -> None:
        self._journal, self._phones = parts.runtime.stores.journal, parts.runtime.stores.phones
        self._wording = parts.wording

    def row(self, row: TimelineRow) -> EntryView | StretchView | TouchesView:
        match row:
            case SilentStretch():
                return self._wording.stretch(row)
            case TouchStretch():
                return TouchesView(at=row.ended, begun=row.begun, count=row.count)
            case TimelineEntry():
                return self.entry(row)

    def entry(self, entry: TimelineEntry) -> EntryView:
        context = self._journal.context(entry.decision.context_id)
        several = len(self._phones.entries()) > 1
        return self._wording.entry(entry, context, self._phones.name(entry.phone_id) if several else "")

    def detail(self, decision_id: int) -> DetailView:
        entry = self._journal.entry(decision_id)
        context = self._journal.context(entry.decision.context_id)
        return self._wording.detail(entry, context, self._phones.name(entry.phone_id))

    def newest(self) -> ContextView | None:
        entry = next(iter(self._journal.timeline(1)), None)
        if entry is None:
            return None
        context = self._journal.context(entry.decision.context_id)
        return self._wording.context(entry, context, self._phones.name(entry.phone_id))


def journal_routes(parts: ConsoleParts) -> APIRouter:
    """The routes of the journal."""
    router = APIRouter()
    for routes in (_reading_routes, _decision_routes):
        router.include_router(routes(parts))
    return router


def _reading_routes(parts: ConsoleParts) -> APIRouter:
    router = APIRouter()
    entries, stores = _Entries(parts), parts.runtime.stores

    @router.get("/journal")
    async def timeline(
        limit: int = 25, before: int | None = None, text: str = Query(default="", max_length=200)
    ) -> PageView:
        page = stores.timeline.page(max(1, min(limit, MOST_ROWS)), before, text.strip())
        return PageView(rows=tuple(entries.row(row) for row in page.rows), older=page.older)

    @router.get("/silences")
    async def silences(newest: int, oldest: int) -> list[EntryView]:
        return [entries.entry(entry) for entry in stores.timeline.silences(newest, oldest)]

    @router.get("/context")
    async def context() -> ContextView | None:
        return entries.newest()

    @router.get("/statistics")
    async def statistics() -> StatisticsView:
        runtime = parts.runtime
        return counted(stores.statistics, parts.subjects(), stores.timeline.zone() or runtime.clock.wall().tzinfo)

    return router


def _decision_routes(parts: ConsoleParts) -> APIRouter:
    router = APIRouter()
    runtime, journal = parts.runtime, parts.runtime.stores.journal
    entries = _Entries(parts)

    @router.get("/journal/{decision_id}")
    async def detail(decision_id: int) -> DetailView:
        return entries.detail(decision_id)

    @router.get("/journal/{decision_id}/frames/{sha256}")
    async def frame(decision_id: int, sha256: str) -> Response:
        entry = journal.entry(decision_id)
        path = _pictures(entry, journal.context(entry.decision.context_id)).get(sha256)
        return picture_response(path, sha256, runtime.config.collectors.frames_folder)

    @router.post("/journal/{decision_id}/replay")
    async def replay(decision_id: int) -> ReplayView:
        context = journal.context(journal.entry(decision_id).decision.context_id)
        names = tuple(spec.name for spec in runtime.pool)
        timeout = runtime.config.policy.decision_timeout
        said = await runtime.reasoners.first.recommend(context, runtime.pool, names, timeout=timeout)
        functions = tuple(call.name for call in said.calls)
        return ReplayView(sentence=said.rec, why=said.why.text, functions=functions, reasoner=said.reasoner)

    @router.post("/journal/{decision_id}/forget")
    async def forget(decision_id: int) -> None:
        entry = journal.entry(decision_id)
        if entry.plan is not None and parts.pending.is_open(entry.plan.id):
            raise UsageError(msg("heed is asking about this now."), msg("Answer the question first."))
        if any(action.id == doubtful.id for action in entry.actions for doubtful in journal.all_in_doubt()):
            raise UsageError(
                msg("It is not known yet how this action ended."), msg("Connect the phone, so that heed can ask it.")
            )
        context = journal.forget_decision(decision_id)
        for sha256, path in _pictures(entry, context).items():
            if not journal.holds_frame(sha256):
                _delete_picture(path, runtime.config.collectors.frames_folder)
        parts.updates.report(PagePart.JOURNAL)

    @router.post("/actions/{action_id}/undo")
    async def undo(action_id: int) -> JsonValue:
        return await parts.handler(UndoRequest(action=action_id))

    return router


def _pictures(entry: TimelineEntry, context: Context) -> dict[str, Path]:
    """The stored pictures of a moment: of its context, and of what followed, by their digests."""
    frames = {frame.sha256: Path(frame.path) for frame in context.frames}
    return frames | {picture.sha256: Path(picture.path) for picture in entry.pictures}


def picture_response(path: Path | None, sha256: str, folder: Path) -> FileResponse:
    """A stored picture, if there is one, it lies in the frames' folder and was not deleted."""
    is_digest = re.fullmatch(r"[0-9a-f]{64}", sha256) is not None
    if path is None or not is_digest or not path.resolve().is_relative_to(folder.resolve()) or not path.is_file():
        raise UsageError(msg("There is no such picture."), msg("Frames are deleted when they are old."))
    return FileResponse(path, media_type="image/jpeg")


def _delete_picture(path: Path, folder: Path) -> None:
    if path.resolve().is_relative_to(folder.resolve()):
        path.unlink(missing_ok=True)
