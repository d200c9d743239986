"""The measurement of decisions compares like with like."""

import json

from bench.think import POOL_SIZE, official_sized_pool
from function_pool.spec import default_pool


def test_the_pool_file_has_the_official_size() -> None:
    pool, text = official_sized_pool()
    assert abs(len(text.encode()) / POOL_SIZE - 1) < 0.02
    assert list(json.loads(text)) == list(pool.functions) == list(default_pool().functions)
