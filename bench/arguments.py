"""``python -m bench.arguments``: how often the arguments of a call are read rightly from a context.

The function is given. The labelled contexts of the writers that neither the perceptor nor the reader learned from;
compared as ``heed eval proactivemobile`` does: exact, and lenient for free text. ``--misses`` names what is not read.
"""

import sys
from collections import Counter
from collections.abc import Iterator

from evaluation.proactivemobile.cases import ProactiveCase
from evaluation.proactivemobile.matching import equivalent
from function_pool.call import FunctionCall
from function_pool.spec import ParameterSpec, default_pool
from heed.language import Language, language_of
from models.perceptor.perceptor import shipped_card
from models.reader.context_reader import ContextReader
from training.reader.contexts import ContextExample, load_contexts

POOL = default_pool()
_ASKED = ("exact", "lenient", "required exact", "required lenient")


def required(example: ContextExample, values: dict[str, object]) -> FunctionCall:
    """The call with its required arguments alone."""
    spec = POOL.get(example.function)
    kept = {name: value for name, value in values.items() if spec.parameters[name].required}
    return FunctionCall.model_validate({"name": example.function, "parameters": kept})


def held_out() -> Iterator[ContextExample]:
    """The labelled calls of the writers that were kept out of every training."""
    return (example for example in load_contexts() if example.hand in shipped_card().held_out)


def kind_of(parameter: ParameterSpec) -> str:
    """The kind of a parameter: its type, for texts what they are, for lists of values whether others are allowed."""
    if parameter.choices:
        return "open choice" if parameter.open else "choice"
    return parameter.meaning.value if parameter.type == "string" else parameter.type


def main(*, misses: bool) -> None:
    """Print the shares per language, per kind of required parameter and per function."""
    reader = ContextReader.load()
    calls: Counter[tuple[str, str]] = Counter()
    kinds: Counter[tuple[str, str]] = Counter()
    for example in held_out():
        now = ProactiveCase(id="", said=example.said, answers=()).now
        read = reader.arguments(POOL.get(example.function), example.said, now)
        pairs = [
            (FunctionCall(name=example.function, parameters=values), required(example, dict(values)))
            for values in (read, example.arguments)
        ]
        language = language_of(example.said.profile)
        for group in (language.value, example.function):
            calls[group, "calls"] += 1
            for kind, which, lenient in zip(_ASKED, (0, 0, 1, 1), (False, True, False, True), strict=True):
                calls[group, kind] += equivalent([pairs[0][which]], [pairs[1][which]], POOL, now, lenient=lenient)
        for name, wanted in pairs[1][1].parameters.items():
            given = {name: read[name]} if name in read else {}
            both = [FunctionCall(name=example.function, parameters=values) for values in (given, {name: wanted})]
            good = equivalent([both[0]], [both[1]], POOL, now, lenient=True)
            kind = f"{language.value} {kind_of(POOL.get(example.function).parameters[name])}"
            kinds[kind, "all"] += 1
            kinds[kind, "good"] += good
            if misses and not good:
                print(f"{example.function}.{name}: {wanted!r} read {given.get(name)!r}")
    for group in [*Language, *sorted({group for group, _ in calls} - set(Language))]:
        total = max(1, calls[group, "calls"])
        shares = ", ".join(f"{kind} {calls[group, kind] / total:.0%}" for kind in _ASKED)
        print(f"{group:<28} {total:>4} calls: {shares}")
    for kind in sorted({kind for kind, _ in kinds}):
        print(f"{kind:<28} {kinds[kind, 'all']:>4} required: {kinds[kind, 'good'] / kinds[kind, 'all']:.0%} acceptable")


if __name__ == "__main__":
    main(misses="--misses" in sys.argv)
