"""Executors that set values which the phone also reports: read, write, restore."""

import re
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pydantic import JsonValue

from android_bridge.commands import Namespace, settings_delete, settings_put
from android_bridge.device import Device
from android_bridge.facts.reader import Reader, UnreadableError
from android_bridge.facts.settings import setting as setting_reader
from executors.executor import Executor, Receipt, run
from executors.observation import observe, proof
from executors.plan import Effect, Outcome, OutcomeKind, Preparation, Step
from executors.screen import verify_opened
from function_pool.call import FunctionCall
from heed.messages import msg

Value = str | None
"""A setting's value as the phone prints it; None when it is not set."""


@dataclass(frozen=True)
class PhoneSetting:
    """One value of the phone that can be read and written."""

    name: str
    """Key of the recorded old value in ``Preparation.before``; unique within the executor."""
    reader: Reader[Any]
    """Reads the present value."""
    write: Callable[[str], str]
    """Takes a value and returns the shell line that sets it; the value must be quoted or checked in there."""
    effect: Callable[[str], Effect]
    """Takes a value and returns the effect that the consent request shows for it."""
    unset: str = ""
    """The shell line after which the value is not set; needed where the reader can return None."""
    text: Callable[[Any], Value] = lambda value: value
    """Converts the reader's value into the text that ``write`` takes."""


class SettingChange(NamedTuple):
    """A setting and the value that it is to have."""

    setting: PhoneSetting
    target: str


def number_setting(namespace: Namespace, key: str, effect: Callable[[str], Effect]) -> PhoneSetting:
    """Returns the setting for a key of Android's ``settings`` tables that holds a number.

    Args:
        namespace: the table.
        key: the key in it.
        effect: the effect of a value, as in ``PhoneSetting.effect``.

    Reading it raises ``UnreadableError`` where the key holds anything but a number.
    """
    return PhoneSetting(
        name=key,
        reader=setting_reader(namespace, key),
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


class SettingExecutor(Executor):
    """Sets one or more settings; a subclass only names them in ``changes``.

    Only settings with another value are written, in the order of ``changes``; undo restores them in reverse. A subclass
    may return ``screen.settings_page`` from ``prepare`` for what only the owner can set.
    """

    async def facts(self, phone: Device, call: FunctionCall) -> Mapping[str, JsonValue]:
        """Returns what ``changes`` must know of this phone (a scale, a version); recorded with the old values."""
        return {}

    @abstractmethod
    def changes(self, call: FunctionCall, facts: Mapping[str, JsonValue]) -> Sequence[SettingChange]:
        """Returns the settings that ``call`` is about, with their wanted values.

        Must depend on its arguments alone: undo calls it again, possibly in another process.

        Args:
            call: the validated call.
            facts: what ``facts`` returned when the step was prepared.

        Raises ``RefusedError`` where this phone does not have the setting.
        """

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        facts = await self.facts(phone, call)
        changes = self.changes(call, facts)
        values = await _values(phone, changes)
        old = [(change, value) for change, value in zip(changes, values, strict=True) if not same(value, change.target)]
        if not old:
            return Preparation(effects=tuple(change.setting.effect(change.target) for change in changes), already=True)
        return Preparation(
            commands=tuple(change.setting.write(change.target) for change, _ in old),
            effects=tuple(change.setting.effect(change.target) for change, _ in old),
            undo=tuple(_effect(change.setting, value) for change, value in old),
            before={**facts, **{change.setting.name: value for change, value in old}},
        )

    async def verify(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        if step.hands_over:
            return await verify_opened(phone, str(step.before["app"]), str(step.before.get("front", "")))
        changes = self._changed(step)
        return await _compare(phone, changes, [change.target for change in changes])

    async def undo(self, phone: Device, step: Step, receipt: Receipt) -> None:
        for done, change in enumerate(reversed(self._changed(step))):
            before = step.before[change.setting.name]
            await run(phone, change.setting.unset if before is None else change.setting.write(str(before)), done)

    async def verify_undo(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        changes = self.restored(self._changed(step), step)
        return await _compare(phone, changes, [_as_value(step.before[change.setting.name]) for change in changes])

    def restored(self, changes: Sequence[SettingChange], step: Step) -> Sequence[SettingChange]:
        """Returns those of ``changes`` that must show their recorded value after undo.

        A subclass leaves out settings that the phone moves by itself.
        """
        return changes

    def _changed(self, step: Step) -> list[SettingChange]:
        return [change for change in self.changes(step.call, step.before) if change.setting.name in step.before]


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


def _effect(setting: PhoneSetting, value: Value) -> Effect:
    return Effect(kind="setting_unset", detail={"name": setting.name}) if value is None else setting.effect(value)


async def _values(phone: Device, changes: Sequence[SettingChange]) -> list[Value]:
    values = await observe(phone, *(change.setting.reader for change in changes))
    return [change.setting.text(value) for change, value in zip(changes, values, strict=True)]


async def _compare(phone: Device, changes: Sequence[SettingChange], wanted: Sequence[Value]) -> Outcome:
    values = await _values(phone, changes)
    proofs = tuple(proof(change.setting.reader, value) for change, value in zip(changes, values, strict=True))
    for change, value, expected in zip(changes, values, wanted, strict=True):
        if not same(value, expected):
            message = msg(
                "{name} is {value}, not {expected}.",
                name=change.setting.name,
                value=value or msg("not set"),
                expected=expected or msg("unset"),
            )
            return Outcome(kind=OutcomeKind.FAILED, message=message, proof=proofs)
    return Outcome(kind=OutcomeKind.VERIFIED, proof=proofs)
