"""Asks about a plan on every channel, and stores what the answer says for later."""

from collections.abc import Sequence
from datetime import timedelta

from agent import wording
from agent.consent.request import (
    Answer,
    Channel,
    ChannelName,
    ConsentRequest,
    GivenAnswer,
    StepView,
    WideningView,
    ask_first,
)
from agent.loop.environment import Environment
from agent.loop.progress import ConsentAnswered, ConsentRequested
from agent.policy import rules as policy
from agent.policy.grants import StepField, changes_nothing, may_grant, scope_of, widenable_fields
from collectors.context import Context
from executors.plan import Plan, Step
from executors.wording import describe
from function_pool.secrets import conceal
from function_pool.widening import widening
from function_pool.wording import argument_text, name_parameter
from heed.messages import translate
from models.reasoner import Recommendation

_LATE = 5.0
"""Seconds by which an answer may come after its deadline: it was on its way."""


class ConsentAsker:
    """Asks the owner of one phone."""

    def __init__(self, environment: Environment, channels: Sequence[Channel]) -> None:
        self._environment, self._channels = environment, channels
        self._language = environment.config.language

    async def ask(
        self,
        plan_id: int,
        plan: Plan,
        recommendation: Recommendation,
        context: Context | None = None,
        asked_by: str = "",
    ) -> GivenAnswer:
        """The first answer to the question about a plan; ``asked_by`` is the assistant that wants it."""
        request = self.request(plan_id, plan, recommendation, context, asked_by)
        self._environment.listen(ConsentRequested(request=request))
        asked_at, timeout = self._environment.clock.monotonic(), self._environment.config.consent.timeout
        given = await ask_first(self._channels, request, timeout)
        if self._environment.clock.monotonic() - asked_at > timeout + _LATE:
            # The host slept meanwhile, and the event loop's own deadline with it.
            given = GivenAnswer(Answer.NO_ANSWER, ChannelName.NOBODY)
        self._environment.listen(ConsentAnswered(request=request, given=given))
        return given

    def allows(self, plan_id: int, plan: Plan, given: GivenAnswer, asked_about: Recommendation | None) -> bool:
        """Store the answer, bound to the plan's hash; whether it counts and allows the plan to run.

        Of an answer that counts, grants and cool-downs are stored too, unless nobody was asked (``asked_about`` None).
        """
        answered_at = self._environment.clock.wall()
        journal = self._environment.stores.journal
        counts = journal.record_answer(plan_id, plan.hash, answered_at, given.answer, given.channel)
        if counts and asked_about is not None:
            self._remember(given, asked_about, plan)
        return counts and given.answer.allows

    def _remember(self, given: GivenAnswer, recommendation: Recommendation, plan: Plan) -> None:
        stores = self._environment.stores
        now, subjects = self._environment.clock.wall(), policy.subjects(recommendation)
        if given.answer is Answer.NO_ANSWER:
            return
        if given.answer.rejects:
            first = timedelta(hours=self._environment.config.policy.cool_down_hours)
            stores.cool_downs.reject(subjects, first, forever=given.answer is Answer.NEVER)
            return
        stores.cool_downs.accept(subjects)
        if given.answer is Answer.ALWAYS:
            stores.grants.add(plan.phone_id, scope_of(plan, given.widened), recommendation.rec, now)

    def request(
        self,
        plan_id: int,
        plan: Plan,
        recommendation: Recommendation | None = None,
        context: Context | None = None,
        asked_by: str = "",
    ) -> ConsentRequest:
        """The consent request for a plan, in the owner's language.

        Without a recommendation its sentence is made of the plan's effects. The evidence is worded from ``context``,
        on which the recommendation was made.
        """
        recommendation = recommendation or self.recommendation(plan)
        evidence = recommendation.why.evidence
        return ConsentRequest(
            plan_id=plan_id,
            plan_hash=plan.hash,
            serial=plan.serial,
            phone=plan.phone,
            phone_name=self._environment.phone_name,
            sentence=recommendation.rec,
            why=recommendation.why.text,
            evidence=wording.evidence_texts(evidence, context, self._language) if context else (),
            steps=tuple(self._view(step) for step in plan.steps),
            risk=plan.risk,
            may_always=may_grant(plan),
            widenings=tuple(self._widening(field, plan) for field in widenable_fields(plan)),
            is_influenced=any(step.call.is_chosen_by_third_party for step in plan.steps),
            asked_by=asked_by,
            picture=next((step.press.picture.path for step in plan.steps if step.press), ""),
        )

    def recommendation(self, plan: Plan) -> Recommendation:
        """A plan that the owner asked for, as a recommendation in the words of its effects."""
        effects = [
            conceal(describe(effect, self._language), step.call.secrets)
            for step in plan.steps
            for effect in step.opening
        ]
        calls = tuple(step.call for step in plan.steps)
        title = "; ".join(effects) or ", ".join(call.name for call in calls)
        return Recommendation(rec=title, calls=calls, reasoner="owner")

    def _widening(self, field: StepField, plan: Plan) -> WideningView:
        call = plan.steps[field.step].call
        known = widening(call.name, field.parameter)
        return WideningView(
            step=field.step,
            parameter=field.parameter,
            text=translate(known.text, self._language) if known else "",
            shown=argument_text(field.parameter, call.parameters[field.parameter], self._language, with_year=True),
        )

    def _view(self, step: Step) -> StepView:
        language = self._language
        told = {name: argument_text(name, value, language, with_year=True) for name, value in step.call.shown.items()}
        return StepView(
            function=step.call.name,
            parameters=told,
            third_party={name_parameter(name, language): told[name] for name in step.call.third_party_parameters},
            effects=conceal(tuple(describe(effect, language) for effect in step.effects), step.call.secrets),
            undo=conceal(tuple(describe(effect, language) for effect in step.undo), step.call.secrets),
            commands=conceal((*step.commands, *step.requests), step.call.secrets),
            risk=step.risk,
            changes_nothing=changes_nothing(step),
        )
