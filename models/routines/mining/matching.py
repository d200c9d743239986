"""Matches habits with the current moment."""

from collections.abc import Mapping

from pydantic import JsonValue

from collectors.context import TriggerKind
from models.routines.language.current_moment import MEASURE_KEYS, CurrentMoment
from models.routines.language.lexicon import FunctionVocabulary, Lexicon
from models.routines.mining.habit import LEAD_MINUTES, MIN_LIKELIHOOD, AtTime, Habit, InUse, OnEvent

_USE_KINDS = frozenset({TriggerKind.SCREEN_TIME, TriggerKind.SCREEN, TriggerKind.APP_FOREGROUND})
_NOT_IN_USE = frozenset({"off", "locked", "idle"})


def likelihood(habit: Habit, moment: CurrentMoment, lexicon: Lexicon) -> float | None:
    """The habit's probability at this moment; None when it does not apply."""
    if not habit.enabled:
        return None
    match habit.when:
        case AtTime():
            return _at_time(habit, habit.when, moment)
        case InUse():
            return _in_use(habit, habit.when, moment)
        case OnEvent():
            return _on_event(habit.when, moment, lexicon)


def _at_time(habit: Habit, when: AtTime, moment: CurrentMoment) -> float | None:
    now, place = moment.context.now, moment.context.place
    near = when.window.contains(now, before=LEAD_MINUTES, after=LEAD_MINUTES)
    if moment.context.trigger.kind != TriggerKind.CLOCK or not near or not habit.suits(place):
        return None
    value = when.likelihood(when.window.day_of(now).weekday(), place)
    return value if value >= MIN_LIKELIHOOD and not _done_already(habit, when, moment) else None


def _in_use(habit: Habit, when: InUse, moment: CurrentMoment) -> float | None:
    trigger = moment.context.trigger
    used = trigger.kind in _USE_KINDS and trigger.data.get("state") not in _NOT_IN_USE
    near = when.window.contains(moment.context.now, before=LEAD_MINUTES, after=LEAD_MINUTES)
    fits = used and near and habit.suits(moment.context.place)
    return when.likelihood if fits and not _done_already(habit, when, moment) else None


def _done_already(habit: Habit, when: AtTime | InUse, moment: CurrentMoment) -> bool:
    """Whether the log already shows it in the current window."""
    return when.window.day_of(habit.last_seen) == when.window.day_of(moment.context.now)


def _on_event(when: OnEvent, moment: CurrentMoment, lexicon: Lexicon) -> float | None:
    trigger = moment.context.trigger
    if trigger.kind != when.event or not when.about <= moment.about:
        return None
    if lexicon.has_cautionary(moment.about - when.familiar):
        return None
    if when.place not in (None, moment.context.place) and moment.context.place != "unknown":
        return None
    return when.likelihood if _measure_fits(when, moment) else None


def _measure_fits(when: OnEvent, moment: CurrentMoment) -> bool:
    """Whether the event's percentage is low enough; never while the phone is charging."""
    measure = moment.data(*MEASURE_KEYS)
    if when.at_most is None or measure is None:
        return True
    plugged = moment.data("plugged") or ("plugged", moment.context.value("battery.plugged"))
    return isinstance(measure[1], (int, float)) and measure[1] <= when.at_most and plugged[1] is not True


def is_already_satisfied(
    parameters: Mapping[str, JsonValue], vocabulary: FunctionVocabulary, moment: CurrentMoment
) -> bool:
    """Whether the phone is known to be in the state that the call would bring about."""
    return any(
        moment.context.fact(state.fact) is not None
        and moment.context.value(state.fact) == state.value
        and all(parameters.get(name) == value for name, value in state.given.items())
        for state in vocabulary.already_satisfied
    )
