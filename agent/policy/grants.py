"""Grants: whether "always" may be offered for a plan, what it then covers, and whether it covers another plan.

A grant covers the calls that were shown with exactly their values, in their order. The owner may widen single fields
(``function_pool.widening``); nothing else widens it, neither an absent parameter nor an additional one.
"""

import json
import re
from collections.abc import Collection, Mapping

from pydantic import Field, JsonValue

from executors.plan import Effect, Plan, Step
from function_pool.risk import Risk
from function_pool.widening import Widening, widening
from heed.model import Frozen

MOST_WIDENED = 100
"""Fields that one answer may widen."""


class StepField(Frozen):
    """One parameter of one step."""

    step: int
    """Index of the step in its plan, from 0."""
    parameter: str = Field(max_length=128)


class GrantedStep(Frozen):
    """One step as it was shown."""

    function: str
    parameters: Mapping[str, JsonValue]
    """As validated."""
    widened: tuple[str, ...] = ()
    """The parameters whose value may be any."""
    effects: tuple[Effect, ...] = ()
    commands: tuple[str, ...] = ()
    requests: tuple[str, ...] = ()


class Scope(Frozen):
    """The scope of a grant; the grant itself adds the phone."""

    steps: tuple[GrantedStep, ...]


def may_grant(plan: Plan) -> bool:
    """Whether "always" may be offered: nothing that others wrote had a part in it, and every step can be undone.

    A step that only looks needs no undo.
    """
    return plan.risk.may_be_remembered and all(
        not step.call.is_influenced and (bool(step.undo) or changes_nothing(step)) for step in plan.steps
    )


def changes_nothing(step: Step) -> bool:
    """Whether there is nothing to undo: the step only looks, or the phone is as it wants it already."""
    return step.already or step.risk is Risk.R0


def widenable_fields(plan: Plan) -> tuple[StepField, ...]:
    """The fields that the owner may widen when a plan is always allowed."""
    if not may_grant(plan):
        return ()
    return tuple(
        StepField(step=index, parameter=name)
        for index, step in enumerate(plan.steps)
        for name in step.call.parameters
        if widening(step.call.name, name)
    )


def scope_of(plan: Plan, widened: Collection[StepField] = ()) -> Scope:
    """The scope of a grant for ``plan``; of ``widened`` what may not be widened is left out."""
    allowed = [field for field in widenable_fields(plan) if field in widened]
    return Scope(steps=tuple(_granted(index, step, allowed) for index, step in enumerate(plan.steps)))


def _granted(index: int, step: Step, widened: Collection[StepField]) -> GrantedStep:
    return GrantedStep(
        function=step.call.name,
        parameters=dict(step.call.parameters),
        widened=tuple(field.parameter for field in widened if field.step == index),
        effects=step.effects,
        commands=step.commands,
        requests=step.requests,
    )


def covers(scope: Scope, plan: Plan) -> bool:
    """Whether a grant with this scope covers ``plan``: the same steps in the same order."""
    return len(scope.steps) == len(plan.steps) and all(
        _covers(granted, step) for granted, step in zip(scope.steps, plan.steps, strict=True)
    )


def _covers(granted: GrantedStep, step: Step) -> bool:
    call, free = step.call, _widened(granted)
    fixed = granted.parameters.keys() - free.keys()
    return (
        granted.function == call.name
        and granted.parameters.keys() == call.parameters.keys()
        and all(_canonical(granted.parameters[name]) == _canonical(call.parameters[name]) for name in fixed)
        and _does_the_same(granted, step, free.values())
    )


def _widened(granted: GrantedStep) -> dict[str, Widening]:
    """The widened parameters that may still be widened."""
    return {name: known for name in granted.widened if (known := widening(granted.function, name))}


def _does_the_same(granted: GrantedStep, step: Step, free: Collection[Widening]) -> bool:
    """Whether the phone would be changed as it was shown; a name may stand for another app or alarm by now."""
    loose = {detail for known in free for detail in known.details}
    if _without(granted.effects, loose) != _without(step.effects, loose):
        return False
    work = _targets if free else _lines
    return work(granted) == work(step)


def _lines(step: GrantedStep | Step) -> list[str]:
    """Every command and request."""
    return [_undated(line) for line in (*step.commands, *step.requests)]


def _targets(step: GrantedStep | Step) -> list[list[str]]:
    """Of every command the packages and components that it addresses, of every request its method and address."""
    commands = [_ADDRESSED.findall(command) for command in step.commands]
    return commands + [request.split()[:2] for request in step.requests]


def _without(effects: tuple[Effect, ...], loose: Collection[str]) -> list[tuple[str, str]]:
    """Effects to compare: without the details in ``loose`` and without dates, which pass by themselves."""
    return [
        (effect.kind, _undated(_canonical({name: value for name, value in effect.detail.items() if name not in loose})))
        for effect in effects
    ]


_ADDRESSED = re.compile(r"\s-[pn] (\S+)")
"""``am start``'s package or component."""
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:T(\d{2}:\d{2})(?::\d{2})?(?:[+-]\d{2}:\d{2})?)?")


def _undated(text: str) -> str:
    return _DATE.sub(lambda match: match[1] or "", text)


def _canonical(value: JsonValue) -> str:
    """Equal for equal JSON values only: in Python 1 equals True."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
