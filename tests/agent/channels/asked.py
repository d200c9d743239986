"""A daemon that asks over messaging services, and a virtual phone on which something is to be asked."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from agent.channels.channels import OutsideChannels
from agent.config import Config
from agent.loop.progress import ProgressEvent
from android_bridge.adb import AdbServer
from heed.clock import SystemClock
from heed.language import Language
from tests.agent.console.house import House, monitored
from virtual_phone import VirtualPhone


class Asked(NamedTuple):
    """Everything that a test of a channel may look at."""

    house: House
    outside: OutsideChannels
    events: list[ProgressEvent]

    def low_battery(self) -> None:
        """What makes heed ask whether battery saver shall be on."""
        self.house.phone.state.battery.set(level=15, charger="none")

    def someone_wrote(self) -> None:
        """What makes heed ask whether a number that a stranger wrote shall be saved."""
        self.house.phone.state.messages.receive("+86 150 2233 4455", "hi, this is Bob, my new number")

    @property
    def answers(self) -> list[tuple[str, str]]:
        """The answers in the journal with their channels, newest first."""
        found = self.house.runtime.stores.journal.timeline(100)
        return [(entry.plan.answer, entry.plan.channel or "") for entry in found if entry.plan and entry.plan.answer]

    async def answered(self) -> None:
        """Wait until an answer is in the journal."""
        await self.house.until(lambda: self.answers)

    def state_of(self, name: str) -> str:
        """The state of one channel as ``heed status`` shows it."""
        return next(status.state.value for status in self.outside.statuses() if status.name == name)

    def reason_of(self, name: str) -> str:
        """Why one channel fails."""
        return next(str(status.reason) for status in self.outside.statuses() if status.name == name)


@asynccontextmanager
async def asked(
    home: Path,
    server: AdbServer,
    phone: VirtualPhone,
    sections: dict[str, Any],
    *,
    timeout: float = 120.0,
    language: Language = Language.EN,
    pause: Any = None,
) -> AsyncIterator[Asked]:
    """The daemon asks on the channels in ``sections`` and in the console, until the block ends."""
    config = Config.model_validate({"language": language, "channels": sections, "consent": {"timeout": timeout}})
    outside, events = OutsideChannels(config, SystemClock(), pause), list[ProgressEvent]()

    def listen(event: ProgressEvent) -> None:
        outside.listen(event)
        events.append(event)

    async with (
        outside.running(),
        monitored(
            home,
            server,
            phone,
            language=language,
            channels=outside.channels,
            listen=listen,
            timeout=timeout,
            channel_statuses=outside.statuses,
        ) as house,
    ):
        yield Asked(house, outside, events)
