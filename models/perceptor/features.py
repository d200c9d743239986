"""A context in words as the network's inputs: what speaks of each function, of a need met or open, and all words."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from collectors.context import RenderedContext
from function_pool.spec import default_pool
from models.perceptor.cues import SECTIONS, SIGNS, Array, Evidence, evidence, table
from models.perceptor.words import words

KINDS = ("own", "scenario", "similar", "root")
"""What is known of a function in a section: its own cues, those of its scenario, of functions like it, and the root
of its own."""
PER_FUNCTION = len(KINDS) * len(SECTIONS)
PER_CONTEXT = len(SIGNS) * len(SECTIONS)


class Features(NamedTuple):
    """The network's inputs for one context, by their names there."""

    functions: Array
    """``(functions, PER_FUNCTION)`` floats, 0 and up; functions in the order of the cues."""
    signs: Array
    """``(PER_CONTEXT,)`` floats, 0 and up."""
    words: Array
    """``(WORDS,)`` floats, 0 and up."""


def features(said: RenderedContext) -> Features:
    """What the network looks at."""
    found: Evidence = evidence(said)
    scenario, similar = _neighbours()
    own = found.functions
    kinds = (own, scenario @ own, similar @ own, np.sqrt(own))
    return Features(
        np.concatenate(kinds, axis=1).astype(np.float32), found.signs.ravel().astype(np.float32), words(said)
    )


@lru_cache(maxsize=1)
def _neighbours() -> tuple[Array, Array]:
    """Who lends evidence to whom: functions of one scenario, and functions that our pool calls similar."""
    pool, names = default_pool(), table().functions
    scenario = np.array([[pool.get(one).scenario == pool.get(two).scenario for two in names] for one in names])
    similar = np.array([[two in pool.get(one).similar for two in names] for one in names])
    return _means(scenario), _means(similar)


def _means(members: Array) -> Array:
    means: Array = members / np.maximum(members.sum(axis=1, keepdims=True), 1)
    return means
