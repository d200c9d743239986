"""Executors that set values which the phone can also tell: read, write, restore."""

import re
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pydantic import JsonValue

from android_bridge.commands import Namespace, settings_delete, settings_put
from android_bridge.device import Device
from android_bridge.facts.reader import Reader, UnreadableError
from android_bridge.facts.settings import setting
from executors.executor import Executor, Receipt, run
from executors.observation import look, proof
from executors.plan import Effect, Outcome, OutcomeKind, Preparation, Step
from function_pool.call import FunctionCall
from heed.messages import msg

Value = str | None
"""A knob's value as the phone prints it; None when it is not set."""


@dataclass(frozen=True)
class Knob:
    """One value of the phone: how it is read, written, unset, and what a person notices of it."""

    name: str
    reader: Reader[Any]
    write: Callable[[str], str]
    """The command that sets a value."""
    effect: Callable[[str], Effect]
    """What a value means to the person."""
    unset: str = ""
    """The command after which the value is not set."""
    text: Callable[[Any], Value] = lambda value: value
    """The reader's value as text."""


class Turn(NamedTuple):
    """A knob and the value that it shall have."""

    knob: Knob
    to: str


def setting_knob(namespace: Namespace, key: str, effect: Callable[[str], Effect]) -> Knob:
    """A key of ``settings`` that holds a number."""
    return Knob(
        name=key,
        reader=setting(namespace, key),
        write=lambda value: settings_put(namespace, key, value),
        effect=effect,
        unset=settings_delete(namespace, key),
        text=lambda value: _number(key, value),
    )


def _number(key: str, value: Value) -> Value:
    if value is not None and not re.fullmatch(r"-?\d{1,12}(?:\.\d{1,12})?", value, re.ASCII):
        raise UnreadableError(
            msg("The setting {key} holds {value} instead of a number.", key=key, value=repr(value[:40]))
        )
    return value


class KnobExecutor(Executor):
    """Turns one or more knobs; only those that have another value are written, in order, and undone in reverse."""

    async def facts(self, phone: Device, call: FunctionCall) -> Mapping[str, JsonValue]:
        """What ``turns`` must know of this phone (a scale, a version); recorded with the old values."""
        return {}

    @abstractmethod
    def turns(self, call: FunctionCall, facts: Mapping[str, JsonValue]) -> Sequence[Turn]:
        """The knobs that ``call`` is about. Pure: another process asks again to undo."""

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        facts = await self.facts(phone, call)
        turns = self.turns(call, facts)
        now = await _values(phone, turns)
        changing = [turn for turn, value in zip(turns, now, strict=True) if not same(value, turn.to)]
        if not changing:
            return Preparation(effects=tuple(turn.knob.effect(turn.to) for turn in turns), already=True)
        before = {turn.knob.name: value for turn, value in zip(turns, now, strict=True) if turn in changing}
        return Preparation(
            commands=tuple(turn.knob.write(turn.to) for turn in changing),
            effects=tuple(turn.knob.effect(turn.to) for turn in changing),
            undo=tuple(_effect(turn.knob, before[turn.knob.name]) for turn in changing),
            before={**facts, **before},
        )

    async def verify(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        return await _compare(phone, self._changed(step), [turn.to for turn in self._changed(step)])

    async def undo(self, phone: Device, step: Step, receipt: Receipt) -> None:
        for done, turn in enumerate(reversed(self._changed(step))):
            before = step.before[turn.knob.name]
            await run(phone, turn.knob.unset if before is None else turn.knob.write(str(before)), done)

    async def verify_undo(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        turns = self.restored(self._changed(step), step)
        return await _compare(phone, turns, [_as_value(step.before[turn.knob.name]) for turn in turns])

    def restored(self, turns: Sequence[Turn], step: Step) -> Sequence[Turn]:
        """The knobs that must show their recorded value after undo; fewer where the phone moves one by itself."""
        return turns

    def _changed(self, step: Step) -> list[Turn]:
        return [turn for turn in self.turns(step.call, step.before) if turn.knob.name in step.before]


def same(value: Value, other: Value) -> bool:
    """Whether two values are equal: as text, or as numbers (``1.0`` and ``1``)."""
    if value is None or other is None or value == other:
        return value == other
    try:
        return float(value) == float(other)
    except ValueError:
        return False


def _as_value(recorded: object) -> Value:
    return None if recorded is None else str(recorded)


def _effect(knob: Knob, value: Value) -> Effect:
    return Effect(kind="setting_unset", detail={"name": knob.name}) if value is None else knob.effect(value)


async def _values(phone: Device, turns: Sequence[Turn]) -> list[Value]:
    values = await look(phone, *(turn.knob.reader for turn in turns))
    return [turn.knob.text(value) for turn, value in zip(turns, values, strict=True)]


async def _compare(phone: Device, turns: Sequence[Turn], wanted: Sequence[Value]) -> Outcome:
    values = await _values(phone, turns)
    proofs = tuple(proof(turn.knob.reader, value) for turn, value in zip(turns, values, strict=True))
    for turn, value, expected in zip(turns, values, wanted, strict=True):
        if not same(value, expected):
            message = msg(
                "{name} is {value}, not {expected}.",
                name=turn.knob.name,
                value=value or msg("not set"),
                expected=expected or msg("unset"),
            )
            return Outcome(kind=OutcomeKind.FAILED, message=message, proof=proofs)
    return Outcome(kind=OutcomeKind.VERIFIED, proof=proofs)
