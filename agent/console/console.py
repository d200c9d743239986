"""The console: the page on this machine, the consent page on the phone, and the channels that ask there."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from agent.compose import Household
from agent.consent.request import Channel
from agent.console.access_tokens import Keys
from agent.console.api import Desktop, guarded, page_routes
from agent.console.consent_page import Passes, consent_routes
from agent.console.console_channel import ConsoleChannel
from agent.console.live_screen import Screens
from agent.console.page_updates import Changes, Part
from agent.console.pending_requests import Desk
from agent.console.phone_channel import PhoneChannel
from agent.console.server import LOOPBACK, ByPort, listen, port_of, serving
from agent.console.views import Wording
from agent.console.web import Guard, new_app
from agent.loop.control_socket import Handler
from agent.loop.progress import Acted, Answered, Saw, Stage, Undid
from android_bridge.device import Device
from collectors.frames import FrameTaker


class Console:
    """Made before the daemon, which asks on its ``channels`` and tells it its stages; then served beside it."""

    def __init__(self, household: Household) -> None:
        config = household.config
        self._household = household
        self._changes, self._keys = Changes(), Keys()
        self._wording = Wording(config.language)
        self._desk = Desk(household.clock, config.consent.timeout, changed=lambda: self._changes.tell(Part.QUESTIONS))
        self._passes = Passes(self._desk)
        self._port = self._page_port = 0
        self._phone_channel = PhoneChannel(
            self._desk,
            self._passes,
            device=self._device,
            title=self._wording.page["consent_title"],
            phone_port=config.console.phone_port,
            page_port=lambda: self._page_port,
        )

    @property
    def channels(self) -> tuple[Channel, ...]:
        """Where the console asks: on its page and, unless switched off, on the phone."""
        page = ConsoleChannel(self._desk)
        return (page, self._phone_channel) if self._household.config.console.phone else (page,)

    def listen(self, stage: Stage) -> None:
        """Take notice of what the loop does."""
        match stage:
            case Saw():
                self._changes.tell(Part.SCREEN)
            case Answered():
                self._desk.settle(stage.request, stage.given)
                self._changes.tell(Part.JOURNAL, Part.MEMORY)
            case Acted() | Undid():
                self._changes.tell(Part.JOURNAL, Part.SCREEN)
            case _:
                self._changes.tell(Part.JOURNAL)

    def link(self) -> str:
        """The address that opens the page in one browser; every link can be used once."""
        return f"http://{LOOPBACK}:{self._port}/#{self._keys.invite()}"

    @asynccontextmanager
    async def serving(self, handler: Handler) -> AsyncIterator[None]:
        """Serve both pages while the block runs; ``handler`` is the daemon's, which alone acts on phones."""
        with listen(self._household.config.console.port) as own, listen(0) as phones:
            self._port, self._page_port = port_of(own), port_of(phones)
            apps = {self._port: self._page(handler), self._page_port: self._consent_page()}
            async with serving(ByPort(apps), [own, phones]):
                try:
                    yield
                finally:
                    self._changes.close()
                    await self._phone_channel.close()

    def _page(self, handler: Handler) -> Guard:
        # Cookies know no ports: consoles of several daemons must not overwrite each other's.
        cookie, app = f"heed-{self._port}", new_app(self._wording.language)
        desktop = Desktop(
            self._household, handler, self._desk, self._changes, self._keys, self._screens(), self._wording
        )
        app.include_router(page_routes(self._keys, self._wording, cookie))
        app.include_router(guarded(desktop, cookie))
        return Guard(app, self._port)

    def _consent_page(self) -> Guard:
        app = new_app(self._wording.language)
        app.include_router(consent_routes(self._passes, self._desk, self._wording))
        return Guard(app, self._household.config.console.phone_port)

    def _screens(self) -> Screens:
        excluded = self._household.config.collectors.excluded_apps
        return Screens(lambda serial: FrameTaker(self._device(serial), excluded), self._household.clock)

    def _device(self, serial: str) -> Device:
        return Device(self._household.server, serial, timeout=self._household.config.bridge.command_timeout)
