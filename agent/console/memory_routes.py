"""The routes of what lasts: habits, situations, the owner's rules, grants, cool-downs, settings and sessions."""

from datetime import datetime

from fastapi import APIRouter
from pydantic import Field

from agent.compose import configured_situations, known_places
from agent.console.configuration import ConfigurationView, configuration_view
from agent.console.page_updates import PagePart
from agent.console.parts import ConsoleParts
from agent.console.views import CoolDownView, GrantView, HabitView, SituationView
from agent.journal import Grant
from agent.loop.daemon_requests import ForgetRequest, RulesChangedRequest
from agent.loop.own_rules import OwnRules
from heed.errors import UsageError
from heed.messages import msg, translate
from heed.model import Frozen
from heed.safe_text import Shown, ShownWhole
from models.own_rules.form import FormChoices, RuleForm, form_choices
from models.routines.mining.habit import HabitEdit
from models.routines.rules.situations import example_sentence


class Subject(Frozen):
    """The subject of a cool-down."""

    subject: str = Field(max_length=8192)


class Switch(Frozen):
    """A switch of a habit or a situation."""

    on: bool


class RuleSentence(Frozen):
    """A rule as the owner writes it."""

    sentence: str = Field(max_length=300)


class RuleView(Frozen):
    """One of the owner's rules."""

    id: str
    sentence: ShownWhole
    example: Shown
    """What heed would ask at it."""


class OwnerAnswersView(Frozen):
    """Grants and cool-downs, and what the owner had deleted last."""

    grants: tuple[GrantView, ...]
    cool_downs: tuple[CoolDownView, ...]
    deletion: tuple[ShownWhole, ...] = ()


class LearnedView(Frozen):
    """Habits and situations."""

    habits: tuple[HabitView, ...]
    situations: tuple[SituationView, ...]


def memory_routes(parts: ConsoleParts) -> APIRouter:
    """The routes of what lasts."""
    router = APIRouter()
    for routes in (_learned_routes, _rule_routes, _answer_routes, _settings_routes):
        router.include_router(routes(parts))
    return router


def _learned_routes(parts: ConsoleParts) -> APIRouter:
    router = APIRouter()
    runtime = parts.runtime
    declared = configured_situations(runtime.config)

    @router.get("/learnt")
    async def learnt() -> LearnedView:
        on = {one.id for one in runtime.situations()}
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


def _rule_routes(parts: ConsoleParts) -> APIRouter:
    router = APIRouter()
    runtime, language = parts.runtime, parts.wording.language
    own = OwnRules(runtime.config.models.routines.rules)

    async def changed() -> None:
        await parts.handler(RulesChangedRequest())
        parts.updates.report(PagePart.MEMORY)

    @router.get("/rules")
    async def rules() -> list[RuleView]:
        return [
            RuleView(id=rule.id, sentence=rule.about.text(language), example=example_sentence(rule, language))
            for rule in own.all()
        ]

    @router.post("/rules")
    async def add(rule: RuleSentence) -> None:
        own.add_sentence(rule.sentence, runtime.pool, known_places(runtime.config))
        await changed()

    @router.get("/rules/form")
    async def choices() -> FormChoices:
        return form_choices(language)

    @router.post("/rules/form")
    async def fill_in(form: RuleForm) -> None:
        own.add_form(form, runtime.pool, known_places(runtime.config), language)
        await changed()

    @router.post("/rules/{rule_id}/remove")
    async def remove(rule_id: str) -> None:
        own.remove(rule_id)
        await changed()

    return router


def _answer_routes(parts: ConsoleParts) -> APIRouter:
    router = APIRouter()
    runtime, stores = parts.runtime, parts.runtime.stores

    def grant(one: Grant) -> GrantView:
        zone = stores.timeline.zone(one.serial) or stores.timeline.zone()
        return parts.wording.grant(
            one.model_copy(update={"at": one.at.astimezone(zone)}), stores.phones.name(one.serial)
        )

    def now() -> datetime:
        return stores.timeline.now() or runtime.clock.wall()

    @router.get("/memory")
    async def remembered() -> OwnerAnswersView:
        about = parts.subjects()
        return OwnerAnswersView(
            grants=tuple(grant(one) for one in stores.grants.entries()),
            cool_downs=tuple(parts.wording.cool_down(one, about, now()) for one in stores.cool_downs.entries()),
            deletion=tuple(translate(line, parts.wording.language) for line in parts.deletion),
        )

    @router.post("/memory/forget")
    async def forget(wanted: ForgetRequest) -> None:
        await parts.handler(wanted)

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
