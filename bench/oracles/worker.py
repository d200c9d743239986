"""Runs an oracle in the oracles' environment."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from bench.oracles.environment import ORACLES
from evaluation.oracle_process import OracleProcess, running_oracle


@asynccontextmanager
async def working(script: Path, environment: Mapping[str, str]) -> AsyncIterator[OracleProcess]:
    """Run a script in the environment of the dependency group ``oracles`` while in the block."""
    async with running_oracle(await asyncio.to_thread(ORACLES.python), script, environment) as oracle:
        yield oracle
