"""The channels outside heed, run beside the daemon."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from agent.channels.channel_status import ChannelStatus
from agent.channels.home_entities import HomeEntities, Pausing
from agent.channels.registry import load_services
from agent.channels.service_channel import ServiceChannel
from agent.config import Config
from agent.consent.pending_requests import PendingRequests
from agent.consent.request import Channel
from agent.loop.progress import ConsentAnswered, ProgressEvent
from heed.clock import Clock


class OutsideChannels:
    """Made before the daemon, which asks on its ``channels`` and reports its progress to it; then run beside it.

    Args:
        config: the configuration; a channel is off until its section says otherwise.
        clock: the host's.
        pause: what the pause switch in Home Assistant does; None = there is no such switch.
    """

    def __init__(self, config: Config, clock: Clock, pause: Pausing | None = None) -> None:
        self._pending = PendingRequests(clock, config.consent.timeout, changed=lambda: None)
        self._services = tuple(
            ServiceChannel(loaded, self._pending, config.language) for loaded in load_services(config.channels)
        )
        mqtt = config.channels.mqtt
        self._entities = HomeEntities(mqtt, config.language, pause) if mqtt.enabled else None

    @property
    def channels(self) -> tuple[Channel, ...]:
        """Where they ask."""
        return self._services

    def listen(self, event: ProgressEvent) -> None:
        """Take a progress event: close the messages of a question that was answered, and tell Home Assistant."""
        if isinstance(event, ConsentAnswered):
            self._pending.settle(event.request, event.given)
        if self._entities is not None:
            self._entities.listen(event)

    def statuses(self) -> Sequence[ChannelStatus]:
        """The state of each channel."""
        own = tuple(service.status for service in self._services)
        return own if self._entities is None else (*own, self._entities.status)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Listen for answers while the block runs; afterwards close what is still shown."""
        works = [service.listen() for service in self._services]
        if self._entities is not None:
            works.append(self._entities.run())
        async with AsyncExitStack() as stack:
            for service in self._services:
                stack.push_async_callback(service.close)
            tasks = [asyncio.create_task(work) for work in works]
            try:
                yield
            finally:
                self._pending.withdraw_all()
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
