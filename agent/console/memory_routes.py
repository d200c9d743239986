"""The routes of what lasts: habits, situations, grants, cool-downs, settings and sessions."""

from datetime import datetime

from fastapi import APIRouter
from pydantic import Field

from agent.compose import declared_situations
from agent.console.configuration import ConfigurationView, configuration_view
from agent.console.page_updates import PagePart
from agent.console.parts import ConsoleParts
from agent.console.views import CoolDownView, GrantView, HabitView, SituationView
from agent.journal import Grant
from agent.loop.current_habits import with_switches
from heed.errors import UsageError
from heed.messages import msg
from heed.model import Frozen
from models.routines.mining.habit import HabitEdit


class Subject(Frozen):
    """The subject of a cool-down."""

    subject: str = Field(max_length=8192)


class Switch(Frozen):
    """A switch of a habit or a situation."""

    on: bool


class OwnerAnswersView(Frozen):
    """Grants and cool-downs."""

    grants: tuple[GrantView, ...]
    cool_downs: tuple[CoolDownView, ...]


class LearnedView(Frozen):
    """Habits and situations."""

    habits: tuple[HabitView, ...]
    situations: tuple[SituationView, ...]


def memory_routes(parts: ConsoleParts) -> APIRouter:
    """The routes of what lasts."""
    router = APIRouter()
    for routes in (_learned_routes, _answer_routes, _settings_routes):
        router.include_router(routes(parts))
    return router


def _learned_routes(parts: ConsoleParts) -> APIRouter:
    router = APIRouter()
    runtime = parts.runtime
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

    return router


def _answer_routes(parts: ConsoleParts) -> APIRouter:
    router = APIRouter()
    runtime, stores = parts.runtime, parts.runtime.stores
    declared = declared_situations(runtime.config)

    def grant(one: Grant) -> GrantView:
        zone = stores.timeline.zone(one.serial) or stores.timeline.zone()
        return parts.wording.grant(
            one.model_copy(update={"at": one.at.astimezone(zone)}), stores.phones.name(one.serial)
        )

    def now() -> datetime:
        return stores.timeline.now() or runtime.clock.wall()

    @router.get("/memory")
    async def remembered() -> OwnerAnswersView:
        about = parts.wording.subjects(declared, runtime.habits())
        return OwnerAnswersView(
            grants=tuple(grant(one) for one in stores.grants.entries()),
            cool_downs=tuple(parts.wording.cool_down(one, about, now()) for one in stores.cool_downs.entries()),
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


def _settings_routes(parts: ConsoleParts) -> APIRouter:
    router = APIRouter()

    @router.get("/settings")
    async def settings() -> ConfigurationView:
        return configuration_view(parts.runtime.config, parts.wording.language)

    @router.post("/sessions/end")
    async def end_sessions() -> dict[str, int]:
        ended = parts.sessions.revoke()
        parts.updates.disconnect()
        return {"ended": ended}

    return router
