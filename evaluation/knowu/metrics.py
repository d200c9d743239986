"""KnowU's metrics: Act, Silent, Stop, balanced accuracy, right function, right parameters.

The same as the data set's own ``score.py``, which the tests run beside this.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Literal

from pydantic import Field, JsonValue

from evaluation.knowu.cases import KnowuCase
from heed.model import Frozen

_TRUE = frozenset({"true", "1", "on", "yes"})
_FALSE = frozenset({"false", "0", "off", "no"})


class PredictedCall(Frozen):
    """A call as predictions write it."""

    name: str
    parameters: Mapping[str, JsonValue] = Field(default_factory=dict)


class KnowuPrediction(Frozen):
    """The decision on one case; one line of a predictions file."""

    id: str
    decision: Literal["act", "ask", "silent"]
    functions: tuple[PredictedCall, ...] = ()
    after_reject_actions: int | None = None
    next_day_proposals: int | None = None


class Rates(Frozen):
    """Shares of 1; None where there is nothing to divide by."""

    n_act: int
    n_silent: int
    act_rate: float | None
    silent_rate: float | None
    balanced_accuracy: float | None
    accuracy: float | None
    function_match: float | None
    """Of the act cases."""
    function_and_parameters_match: float | None


class StopRates(Frozen):
    """After a rejection."""

    n_reject: int
    proposed_first: int
    stop_rate: float | None
    next_match_ok: float | None


class KnowuReport(Frozen):
    """All figures of one run; ``main`` leaves the contested cases out."""

    main: Rates
    contested: Rates
    all: Rates
    stop: StopRates
    wrong: tuple[str, ...]
    """Ids of the cases that were decided wrongly or with the wrong function."""


def report(cases: Sequence[KnowuCase], predictions: Iterable[KnowuPrediction]) -> KnowuReport:
    """The figures of one run."""
    made = {prediction.id: prediction for prediction in predictions}
    decided = [case for case in cases if not case.if_rejected]
    rejected = [case for case in cases if case.if_rejected and not case.contested]
    return KnowuReport(
        main=rates([case for case in decided if not case.contested], made),
        contested=rates([case for case in decided if case.contested], made),
        all=rates(decided, made),
        stop=stop_rates(rejected, made),
        wrong=tuple(case.id for case in decided if not _right(case, made.get(case.id))),
    )


def rates(cases: Sequence[KnowuCase], made: Mapping[str, KnowuPrediction]) -> Rates:
    """Act, Silent and the functions of some cases."""
    to_act = [case for case in cases if case.expect.decision == "act"]
    to_wait = [case for case in cases if case.expect.decision == "silent"]
    engaged = [case for case in to_act if _engaged(made.get(case.id))]
    silent = [case for case in to_wait if _decision(made.get(case.id)) == "silent"]
    act_rate, silent_rate = _share(len(engaged), len(to_act)), _share(len(silent), len(to_wait))
    both = act_rate is not None and silent_rate is not None
    return Rates(
        n_act=len(to_act),
        n_silent=len(to_wait),
        act_rate=act_rate,
        silent_rate=silent_rate,
        balanced_accuracy=(act_rate + silent_rate) / 2 if both else None,  # type: ignore[operator]
        accuracy=_share(len(engaged) + len(silent), len(cases)),
        function_match=_share(sum(names_match(case, made[case.id]) for case in engaged), len(to_act)),
        function_and_parameters_match=_share(
            sum(names_match(case, made[case.id]) and parameters_match(case, made[case.id]) for case in engaged),
            len(to_act),
        ),
    )


def stop_rates(cases: Sequence[KnowuCase], made: Mapping[str, KnowuPrediction]) -> StopRates:
    """Of those that were proposed and rejected: how many stayed away afterwards."""
    proposed = [made[case.id] for case in cases if _engaged(made.get(case.id))]
    later = [one.next_day_proposals for one in proposed if one.next_day_proposals is not None]
    return StopRates(
        n_reject=len(cases),
        proposed_first=len(proposed),
        stop_rate=_share(sum(one.after_reject_actions == 0 for one in proposed), len(proposed)),
        next_match_ok=_share(sum(proposals <= 1 for proposals in later), len(later)),
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _decision(prediction: KnowuPrediction | None) -> str | None:
    return prediction.decision if prediction else None


def _engaged(prediction: KnowuPrediction | None) -> bool:
    return _decision(prediction) in ("act", "ask")


def _right(case: KnowuCase, prediction: KnowuPrediction | None) -> bool:
    if case.expect.decision == "silent" or prediction is None or not _engaged(prediction):
        return _decision(prediction) == case.expect.decision
    return names_match(case, prediction) and parameters_match(case, prediction)


def names_match(case: KnowuCase, prediction: KnowuPrediction) -> bool:
    """Whether the sequence of functions is one of the acceptable ones."""
    return tuple(call.name for call in prediction.functions) in case.expect.functions


def parameters_match(case: KnowuCase, prediction: KnowuPrediction) -> bool:
    """Whether every call has its key parameters; a list of alternatives asks for one of them."""
    for call in prediction.functions:
        wanted: Any = case.expect.key_parameters.get(call.name, {})
        alternatives = wanted if isinstance(wanted, list) else [wanted]
        if not any(_fits(call.parameters, alternative) for alternative in alternatives):
            return False
    return True


def _fits(parameters: Mapping[str, JsonValue], wanted: Mapping[str, Any]) -> bool:
    return all(
        matches(list(parameters.values()) if name == "*" else parameters.get(name), condition)
        for name, condition in wanted.items()
    )


def matches(value: JsonValue, wanted: Any) -> bool:
    """Whether a value is as a plain value or a mapping of conditions asks for."""
    if not isinstance(wanted, dict):
        return _equal(value, wanted)
    if "if_present" in wanted:
        return _text(value) == "" or matches(value, wanted["if_present"])
    if "or_digits" in wanted and _same_number(value, wanted["or_digits"]):
        return True
    return all(_CONDITIONS[name](value, argument) for name, argument in wanted.items() if name in _CONDITIONS)


def _text(value: Any) -> str:
    """Lower-case text of a value; a whole number has no decimals, lists and mappings are joined."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return " ".join(_text(member) for member in value)
    return "" if value is None else str(value).strip().lower()


def _equal(value: JsonValue, wanted: Any) -> bool:
    if isinstance(wanted, bool):
        return _text(value) in (_TRUE if wanted else _FALSE)
    number = re.fullmatch(r"-?\d+", _text(wanted)) is not None
    return _text(value) == _text(wanted) or (number and _text(value).rstrip("%") == _text(wanted))


def _same_number(value: JsonValue, wanted: str) -> bool:
    digits = re.sub(r"\D", "", _text(value))
    return len(digits) >= 7 and (digits.endswith(wanted) or wanted.endswith(digits))


def _is_between(value: JsonValue, limits: Sequence[str]) -> bool:
    try:
        day = date.fromisoformat(_text(value)[:10])
    except ValueError:
        return False
    return date.fromisoformat(limits[0]) <= day <= date.fromisoformat(limits[1])


_CONDITIONS: Mapping[str, Callable[[JsonValue, Any], bool]] = {
    "any_of": lambda value, wanted: _text(value) in [_text(one) for one in wanted],
    "contains": lambda value, wanted: _text(wanted) in _text(value),
    "contains_any": lambda value, wanted: any(_text(one) in _text(value) for one in wanted),
    "contains_all": lambda value, wanted: all(_text(one) in _text(value) for one in wanted),
    "not_contains": lambda value, wanted: not any(_text(one) in _text(value) for one in wanted),
    "digits": _same_number,
    "date_between": _is_between,
}
