"""A daemon whose person says yes after a moment: ``python -m tests.agent.mortal SERIAL``, made to be killed.

It is what ``heed run`` runs, but for the person, who sits at no terminal.
"""

import asyncio
import random
import sys

from agent.compose import compose
from agent.config import load
from agent.consent.request import Answer, ChannelName, ConsentRequest
from agent.loop.daemon import Daemon

LONGEST_THOUGHT = 0.3
"""Seconds."""


class Thoughtful:
    """Somebody who reads before allowing, so that the daemon dies while it asks, too."""

    name = ChannelName.TERMINAL

    async def ask(self, request: ConsentRequest) -> Answer:
        await asyncio.sleep(random.uniform(0, LONGEST_THOUGHT))
        return Answer.ONCE


async def monitor(serial: str) -> None:
    """Monitor one phone until killed."""
    async with compose(load()) as runtime:
        await Daemon(runtime, wanted={serial}, channels=[Thoughtful()]).run()


if __name__ == "__main__":
    asyncio.run(monitor(sys.argv[1]))
