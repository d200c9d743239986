"""Puts what the pages show into the owner's language."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, tzinfo
from functools import cache
from importlib.resources import files

import yaml
from pydantic import JsonValue, TypeAdapter

from agent import wording
from agent.consent.pending_requests import ShownRequest
from agent.consent.request import ConsentRequest
from agent.console.plan_pictures import pictures_of
from agent.console.views import (
    ActionView,
    ContextView,
    CoolDownView,
    DetailView,
    EntryView,
    FactView,
    FrameView,
    GrantView,
    HabitView,
    QuestionView,
    ReasonView,
    RunStepView,
    SectionView,
    SituationView,
    StretchView,
)
from agent.journal import ActionRecord, CoolDown, Grant, PlanRecord, SilentStretch, TimelineEntry
from agent.policy.verdict import FAULTS
from collectors.context import Context, Dimension
from collectors.wording import render, word_trigger
from executors.guided import progress_in
from executors.plan import OutcomeKind, Proof
from executors.wording import describe, describe_outcome
from function_pool.call import FunctionCall
from function_pool.spec import default_pool
from function_pool.wording import argument_text
from heed.language import Language
from heed.messages import Message, joined, template_in, translate
from heed.printing import shown
from heed.safe_text import safe_text
from heed.value_text import value_text
from models.routines.mining.habit import Habit
from models.routines.rules.situations import Situation
from models.routines.wording import habit_reason, offer


@cache
def _words() -> Mapping[str, str]:
    text = files("agent.console").joinpath("words.yaml").read_text("utf-8")
    return TypeAdapter(dict[str, str]).validate_python(yaml.safe_load(text))


class Wording:
    """Views in one language."""

    def __init__(self, language: Language) -> None:
        self.language = language

    @property
    def page(self) -> Mapping[str, str]:
        """The pages' own words; ``lang`` is the language itself."""
        own = {name: template_in(self.language, words) for name, words in _words().items()}
        channels = {f"channel_{name}": translate(words, self.language) for name, words in wording.CHANNELS.items()}
        states = {name: translate(words, self.language) for name, words in wording.STATES.items()}
        return {"lang": self.language.value, **states, **channels, **own}

    def in_words(self, value: JsonValue) -> JsonValue:
        """The daemon's answer with each message in it as text."""
        if isinstance(value, list):
            return [self.in_words(item) for item in value]
        if not isinstance(value, dict):
            return value
        if "template" in value:
            return translate(Message.model_validate(value), self.language)
        return {name: self.in_words(item) for name, item in value.items()}

    def question(self, question: ShownRequest) -> QuestionView:
        """An open question."""
        request: ConsentRequest = question.request
        return QuestionView(
            plan_id=request.plan_id,
            plan_hash=request.plan_hash,
            serial=request.serial,
            phone_name=request.phone_name,
            sentence=request.sentence,
            why=request.why,
            evidence=request.evidence,
            steps=request.steps,
            risk=request.risk,
            risk_text=translate(wording.RISKS[request.risk], self.language),
            may_always=request.may_always,
            widenings=request.widenings,
            is_influenced=request.is_influenced,
            seconds_left=question.seconds_left,
            has_screen=bool(request.picture),
        )

    def entry(self, entry: TimelineEntry, context: Context, phone: str) -> EntryView:
        """One decision, and what followed; ``phone`` is the phone's name, empty where it need not be told."""
        decision, plan = entry.decision, entry.plan
        answer = (plan.answer or "") if plan else ""
        return EntryView(
            id=decision.id,
            at=decision.at.astimezone(context.now.tzinfo),
            phone_name=phone,
            trigger=word_trigger(context, self.language),
            decision=decision.decision,
            is_fault=decision.rule in FAULTS,
            sentence="" if decision.recommendation.silent else decision.recommendation.rec,
            reason=translate(decision.reason, self.language),
            answer=answer,
            channel=(plan.channel or "") if plan else "",
            actions=tuple(self.action(action, context.now.tzinfo) for action in entry.actions),
            plan_id=plan.id if plan else None,
            pictures=pictures_of(plan.plan) if plan else (),
            within=tuple(self._asked_within(record) for record in entry.within),
        )

    def stretch(self, stretch: SilentStretch) -> StretchView:
        """Consecutive silences; reasons that read the same are counted together."""
        counts: Counter[str] = Counter()
        for reason, times in stretch.reasons:
            counts[translate(reason, self.language)] += times
        return StretchView(
            newest=stretch.newest,
            oldest=stretch.oldest,
            at=stretch.ended,
            begun=stretch.begun,
            count=stretch.count,
            is_fault=stretch.is_fault,
            reasons=tuple(ReasonView(text=text, count=count) for text, count in counts.most_common()),
        )

    def action(self, action: ActionRecord, zone: tzinfo | None) -> ActionView:
        """One action, with its times in ``zone``."""
        ended = action.undo_outcome or action.outcome
        took_effect = action.outcome is not None and action.outcome.kind is OutcomeKind.VERIFIED
        return ActionView(
            id=action.id,
            function=action.step.call.name,
            effects=tuple(describe(effect, self.language) for effect in action.step.effects),
            result=describe_outcome(action.outcome, self.language) if action.outcome else "",
            undone_at=action.undone_at.astimezone(zone) if action.undone_at else None,
            state=action.state,
            outcome=ended.kind if ended else "",
            message=describe_outcome(ended, self.language) if ended else "",
            proof=_safe_proof(ended.proof) if ended else (),
            commands=action.step.commands,
            undo=tuple(describe(effect, self.language) for effect in action.step.undo),
            can_be_undone=action.can_be_undone and took_effect,
            run=self._run(action),
        )

    def _run(self, action: ActionRecord) -> tuple[RunStepView, ...]:
        """The steps that a model proposed."""
        progress = progress_in(action.receipt)
        return tuple(
            RunStepView(
                text=describe(done.effect, self.language, done=done.halt is None),
                note=translate(done.halt.message, self.language) if done.halt else "",
                sha256=done.picture.sha256,
            )
            for done in (progress.did if progress else ())
        )

    def _asked_within(self, record: PlanRecord) -> RunStepView:
        """A question about a last button."""
        steps = record.plan.steps
        answer = translate(wording.WORDS[record.answer], self.language) if record.answer else ""
        return RunStepView(
            text=" ".join(describe(effect, self.language) for step in steps for effect in step.effects),
            note=answer,
            sha256=next((step.press.picture.sha256 for step in steps if step.press), ""),
        )

    def detail(self, entry: TimelineEntry, context: Context, phone: str) -> DetailView:
        """Everything behind one decision."""
        recommendation = entry.decision.recommendation
        return DetailView(
            entry=self.entry(entry, context, phone),
            why=recommendation.why.text,
            evidence=wording.evidence_texts(recommendation.why.evidence, context, self.language),
            reasoner=recommendation.reasoner,
            confidence=recommendation.confidence,
            milliseconds=sum(recommendation.cost.milliseconds.values()),
            context=self.context(entry, context, phone),
        )

    def context(self, entry: TimelineEntry, context: Context, phone: str) -> ContextView:
        """A recorded context in the words a model reads."""
        words = render(context, self.language)
        texts = (words.profile, words.phone, words.world, "\n".join(words.trace))
        return ContextView(
            decision=entry.decision.id,
            at=context.now,
            phone_name=phone,
            sections=tuple(
                _section(context, dimension, text, self.language)
                for dimension, text in zip(Dimension, texts, strict=True)
            ),
            frames=tuple(FrameView(sha256=frame.sha256, taken_at=frame.taken_at) for frame in context.frames),
        )

    def habit(self, habit: Habit) -> HabitView:
        """A learned habit."""
        return HabitView(
            id=habit.id,
            offer=offer(FunctionCall(name=habit.function, parameters=habit.parameters), self.language),
            reason=habit_reason(habit, self.language),
            function=habit.function,
            evidence=tuple(wording.dated(item) for item in habit.evidence),
            enabled=habit.enabled,
        )

    def situation(self, situation: Situation, *, on: bool) -> SituationView:
        """A declared situation."""
        scenario = translate(wording.SCENARIOS.get(situation.scenario, situation.scenario), self.language)
        return SituationView(
            id=situation.id,
            about=situation.about.text(self.language),
            scenario=scenario,
            on=on,
            is_recommended=situation.by_default,
        )

    def subjects(self, situations: Iterable[Situation], habits: Iterable[Habit]) -> Mapping[str, str]:
        """The words of what suggestions are about, by the topic's id and by the function's name."""
        about = {spec.name: offer(FunctionCall(name=spec.name), self.language) for spec in default_pool()}
        about |= {situation.id: situation.about.text(self.language) for situation in situations}
        return about | {habit.id: self.habit(habit).offer for habit in habits}

    def grant(self, grant: Grant, phone: str) -> GrantView:
        """A grant; ``phone`` is the phone's name."""
        covered = wording.scope_texts(grant.scope, self.language)
        return GrantView(id=grant.id, phone_name=phone, text=grant.text, covers=covered, since=grant.at)

    def cool_down(self, entry: CoolDown, about: Mapping[str, str], now: datetime) -> CoolDownView:
        """A cool-down; ``about`` has the words of the known topics, ``now`` is the time to show its end from."""
        kind, _, subject = entry.subject.partition(":")
        until = None if entry.left is None else now + entry.left
        said = self._call(subject) if kind == "call" else self._topic(subject, about)
        return CoolDownView(subject=entry.subject, about=said, rejections=entry.rejections, until=until)

    def _topic(self, subject: str, about: Mapping[str, str]) -> str:
        """A habit or situation in words, with the values that it was about (``agent.policy.rules.subjects``)."""
        topic, brace, values = subject.partition(" {")
        said = about.get(topic) or about.get(topic.removeprefix("text:"), topic)
        found = json.loads(f"{{{values}") if brace else {}
        told = joined((argument_text(name, value, self.language) for name, value in found.items()), self.language)
        return f"{said}{wording.word('colon', self.language)}{told}" if found else said

    def _call(self, fingerprint: str) -> str:
        """A call's fingerprint (``agent.policy.rules.fingerprint``) in words."""
        name, brace, rest = fingerprint.partition("{")
        return offer(FunctionCall(name=name, parameters=json.loads(brace + rest)), self.language)


def _safe_proof(proof: Sequence[Proof]) -> tuple[Proof, ...]:
    return tuple(Proof(command=safe_text(one.command), answer=safe_text(one.answer)) for one in proof)


def _section(context: Context, dimension: Dimension, text: str, language: Language) -> SectionView:
    section = context.section(dimension)
    facts = tuple(
        FactView(name=fact.name, value=value_text(fact.value, language), trust=fact.trust) for fact in section.facts
    )
    missing = tuple(gap.model_copy(update={"reason": shown(gap.reason, language)}) for gap in section.missing)
    return SectionView(dimension=dimension, text=text, facts=facts, missing=missing)
