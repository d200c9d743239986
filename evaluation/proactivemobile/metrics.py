"""The benchmark's figures: success, false triggers, types and names, over all cases and by group."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from pydantic import Field

from evaluation.proactivemobile.cases import ProactiveCase
from evaluation.proactivemobile.matching import Calls, equivalent
from function_pool.call import FunctionCall
from function_pool.spec import Pool
from heed.model import Frozen


class ProactivePrediction(Frozen):
    """The prediction for one case; no calls is silence."""

    id: str
    rec: str = ""
    calls: tuple[FunctionCall, ...] = ()
    candidates: tuple[str, ...] = ()
    p_act: float | None = None
    fault: str = ""
    """Why there is no answer, where the reasoner failed: counted as silence unless ``too_long``."""
    too_long: bool = False
    """Whether the prompt did not fit in the model's context, so that there was no decision: counted in no figure."""
    milliseconds: float = 0.0
    judged: bool | None = None
    """Whether it does what a right answer does, by the strict rules or else by a model's verdict; None without one."""
    judge_fault: str = ""
    """Why there is no verdict where one was wanted."""


class Score(Frozen):
    """The score of one prediction."""

    strict: bool
    lenient: bool
    types: bool
    precision: float
    recall: float
    f1: float


class Figures(Frozen):
    """Means over a group of cases; None where the group has none that count."""

    cases: int
    success_strict: float | None
    success_lenient: float | None
    success_judged: float | None
    """Strictly equivalent, or so judged by a model; None without a judge."""
    false_trigger_rate: float | None
    gate_recall: float | None
    type_accuracy: float | None
    precision: float | None
    recall: float | None
    f1: float | None
    candidate_recall: float | None = None
    """Of the action cases with candidates: one right answer's functions are all among them."""


class ProactiveReport(Frozen):
    """The figures of one run, with the baselines."""

    all: Figures
    groups: Mapping[str, Mapping[str, Figures]]
    """By difficulty, modality, scenario and language."""
    baselines: Mapping[str, Figures]
    ablation: Mapping[str, Figures] = Field(default_factory=dict)
    """With one dimension left out, by its name."""
    faults: int
    fault: str = ""
    """Why most of those have no answer: one of them in words."""
    too_long: int = 0
    """Records that were not decided, because the prompt did not fit in the model's context."""
    too_long_fault: str = ""
    """One of those faults in words, with the number of tokens."""
    untranslated: int = 0
    """Records with a right answer that calls a function without a counterpart in heed's pool."""
    judge_faults: int = 0


def score(case: ProactiveCase, predicted: Calls, pool: Pool) -> Score:
    """One prediction against the best of the case's answers."""
    now = case.now
    strict = _equivalent_to(case, predicted, pool, now, lenient=False)
    lenient = _equivalent_to(case, predicted, pool, now, lenient=True)
    chosen = strict if strict is not None else lenient
    best = chosen if chosen is not None else max(case.answers, key=lambda answer: _overlap(predicted, answer)[2])
    precision, recall, f1 = _overlap(predicted, best)
    types = [call.name for call in predicted] == [call.name for call in best]
    return Score(
        strict=strict is not None, lenient=lenient is not None, types=types, precision=precision, recall=recall, f1=f1
    )


def _equivalent_to(
    case: ProactiveCase, predicted: Calls, pool: Pool, now: datetime | None, *, lenient: bool
) -> Calls | None:
    return next((answer for answer in case.answers if equivalent(predicted, answer, pool, now, lenient=lenient)), None)


def _overlap(predicted: Calls, wanted: Calls) -> tuple[float, float, float]:
    """Precision, recall and F1 of the sets of names; two empty sets count as 1, one as 0."""
    one, two = {call.name for call in predicted}, {call.name for call in wanted}
    if not one and not two:
        return 1.0, 1.0, 1.0
    common = len(one & two)
    if not common:
        return 0.0, 0.0, 0.0
    precision, recall = common / len(one), common / len(two)
    return precision, recall, 2 * precision * recall / (precision + recall)


def report(cases: Sequence[ProactiveCase], predictions: Sequence[ProactivePrediction], pool: Pool) -> ProactiveReport:
    """The figures of ``predictions``, one per case in order; what was too long to be decided is counted apart."""
    whole = list(zip(cases, predictions, strict=True))
    pairs = [pair for pair in whole if not pair[1].too_long]
    decided = [case for case, _ in pairs]
    groups: dict[str, Callable[[ProactiveCase], str]] = {
        "difficulty": lambda case: case.difficulty,
        "modality": lambda case: case.modality,
        "scenario": lambda case: case.scenario,
        "language": lambda case: case.language,
    }
    return ProactiveReport(
        all=figures(pairs, pool),
        groups={name: _grouped(pairs, key, pool) for name, key in groups.items()},
        baselines={
            name: figures(list(zip(decided, made, strict=True)), pool) for name, made in baselines(decided).items()
        },
        faults=sum(bool(prediction.fault) for _, prediction in pairs),
        too_long=len(whole) - len(pairs),
        fault=_most_common([prediction.fault for _, prediction in pairs if prediction.fault]),
        too_long_fault=_most_common([prediction.fault for prediction in predictions if prediction.too_long]),
        judge_faults=sum(bool(prediction.judge_fault) for prediction in predictions),
    )


def _most_common(faults: Sequence[str]) -> str:
    """One of the faults that are most, those counted together that differ in numbers alone."""
    kinds = [re.sub(r"\d[\d,.]*+", "0", fault) for fault in faults]
    return max(zip(kinds, faults, strict=True), key=lambda one: kinds.count(one[0]))[1] if faults else ""


def _grouped(
    pairs: Sequence[tuple[ProactiveCase, ProactivePrediction]], key: Callable[[ProactiveCase], str], pool: Pool
) -> Mapping[str, Figures]:
    keys = sorted({key(case) for case, _ in pairs})
    return {name: figures([pair for pair in pairs if key(pair[0]) == name], pool) for name in keys}


def figures(pairs: Sequence[tuple[ProactiveCase, ProactivePrediction]], pool: Pool) -> Figures:
    """Means over some cases and their predictions."""
    scores = [score(case, prediction.calls, pool) for case, prediction in pairs]
    quiet = [bool(prediction.calls) for case, prediction in pairs if case.silent]
    acting = [bool(prediction.calls) for case, prediction in pairs if not case.silent]
    ranked = [
        any({call.name for call in answer} <= set(prediction.candidates) for answer in case.answers if answer)
        for case, prediction in pairs
        if not case.silent and prediction.candidates
    ]
    return Figures(
        cases=len(pairs),
        success_strict=_mean([one.strict for one in scores]),
        success_lenient=_mean([one.lenient for one in scores]),
        success_judged=_judged([prediction for _, prediction in pairs]),
        false_trigger_rate=_mean(quiet),
        gate_recall=_mean(acting),
        type_accuracy=_mean([one.types for one in scores]),
        precision=_mean([one.precision for one in scores]),
        recall=_mean([one.recall for one in scores]),
        f1=_mean([one.f1 for one in scores]),
        candidate_recall=_mean(ranked),
    )


def _judged(predictions: Sequence[ProactivePrediction]) -> float | None:
    """A verdict that the judge failed to give counts against it."""
    if all(one.judged is None and not one.judge_fault for one in predictions):
        return None
    return _mean([one.judged is True for one in predictions])


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def baselines(cases: Sequence[ProactiveCase]) -> Mapping[str, Sequence[ProactivePrediction]]:
    """Always silent; always acting, with the commonest call; and the commonest answer of all, silence included."""
    names = [call.name for case in cases for answer in case.answers[:1] for call in answer]
    common = max(sorted(set(names)), key=names.count, default="")
    act = (FunctionCall(name=common),) if common else ()
    silent_is_commonest = sum(case.silent for case in cases) >= names.count(common)
    made = {"always silent": (), "always act": act, "majority": () if silent_is_commonest else act}
    return {name: [ProactivePrediction(id=case.id, calls=calls) for case in cases] for name, calls in made.items()}
