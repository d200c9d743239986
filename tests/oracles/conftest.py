"""Skips what needs the oracles' environment where nobody made it."""

import pytest

from bench.oracles.environment import ORACLES
from tests.proof import PROVING

NEEDS_ENVIRONMENT = pytest.mark.skipif(
    not PROVING and not ORACLES.ready(),
    reason="downloads what the oracles' code imports: HEED_PROVE=1, or python -m bench.knowu once",
)
