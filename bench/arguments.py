"""``python -m bench.arguments``: how often the arguments of a call are read rightly from a context.

The function is given. The labelled contexts of the writers that neither the perceptor nor the reader learned from;
compared as ``heed eval proactivemobile`` does: exact, and lenient for free text.
"""

import sys
from collections import Counter

from evaluation.proactivemobile.matching import equivalent
from function_pool.call import FunctionCall
from function_pool.spec import default_pool
from heed.language import Language, language_of
from models.perceptor.perceptor import shipped_card
from models.reader.context_reader import ContextReader
from training.reader.contexts import ContextExample, load_contexts


def required(example: ContextExample, values: dict[str, object]) -> FunctionCall:
    """The call with its required arguments alone."""
    spec = default_pool().get(example.function)
    kept = {name: value for name, value in values.items() if spec.parameters[name].required}
    return FunctionCall.model_validate({"name": example.function, "parameters": kept})


def main(*, misses: bool) -> None:
    """Print the shares per language and per function."""
    pool, reader = default_pool(), ContextReader.load()
    counts: Counter[tuple[str, str]] = Counter()
    for example in load_contexts():
        if example.hand not in shipped_card().held_out:
            continue
        read = reader.arguments(pool.get(example.function), example.said, None)
        pairs = [
            (FunctionCall(name=example.function, parameters=values), required(example, dict(values)))
            for values in (read, example.arguments)
        ]
        language = language_of(example.said.profile)
        for group in (language.value, example.function):
            counts[group, "calls"] += 1
            for kind, which, lenient in (
                ("exact", 0, False), ("lenient", 0, True), ("required exact", 1, False), ("required lenient", 1, True),
            ):  # fmt: skip
                good = equivalent([pairs[0][which]], [pairs[1][which]], pool, None, lenient=lenient)
                counts[group, kind] += good
                if misses and kind == "required lenient" and not good:
                    print(f"{example.function} {pairs[1][1].parameters} read {pairs[0][1].parameters}")
    groups = [*Language, *sorted({group for group, _ in counts} - set(Language))]
    for group in groups:
        total = max(1, counts[group, "calls"])
        shares = ", ".join(
            f"{kind} {counts[group, kind] / total:.0%}"
            for kind in ("exact", "lenient", "required exact", "required lenient")
        )
        print(f"{group:<28} {counts[group, 'calls']:>4} calls: {shares}")


if __name__ == "__main__":
    main(misses="--misses" in sys.argv)
