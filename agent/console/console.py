"""The console: the page on this machine, the consent page on the phone, and the channels that ask there."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from agent.compose import Runtime
from agent.consent.request import Channel, ConsentRequest
from agent.console.access_tokens import AccessTokens
from agent.console.api import ConsoleParts, guarded, page_routes
from agent.console.consent_page import PageTokens, consent_routes
from agent.console.console_channel import ConsoleChannel
from agent.console.live_screen import LiveScreens
from agent.console.page_updates import PagePart, PageUpdates
from agent.console.pending_clarifications import PendingClarifications
from agent.console.pending_requests import PendingRequests
from agent.console.phone_channel import PhoneChannel
from agent.console.server import LOOPBACK, ByPort, listen, port_of, serving
from agent.console.views import Wording
from agent.console.web import RequestGuard, new_app
from agent.loop.control_socket import Handler
from agent.loop.progress import ActionUndone, ConsentAnswered, ContextRead, ProgressEvent, StepFinished
from android_bridge.device import Device
from collectors.frames import FrameTaker


class Console:
    """Made before the daemon, which asks on its ``channels`` and reports its progress to it; then served beside it."""

    def __init__(self, runtime: Runtime) -> None:
        config = runtime.config
        self._runtime = runtime
        self._updates, self._tokens = PageUpdates(), AccessTokens()
        self._wording = Wording(config.language)
        self._pending = PendingRequests(
            runtime.clock, config.consent.timeout, changed=lambda: self._updates.report(PagePart.QUESTIONS)
        )
        self._clarifications = PendingClarifications(lambda: self._updates.report(PagePart.QUESTIONS))
        self._page_tokens = PageTokens(self._pending)
        self._port = self._page_port = 0
        self._phone_channel = PhoneChannel(
            self._pending,
            self._page_tokens,
            device=self._asked,
            title=self._wording.page["consent_title"],
            phone_port=config.console.phone_port,
            page_port=lambda: self._page_port,
        )

    @property
    def channels(self) -> tuple[Channel, ...]:
        """Where the console asks: on its page and, unless switched off, on the phone."""
        page = ConsoleChannel(self._pending, self._clarifications)
        return (page, self._phone_channel) if self._runtime.config.console.phone else (page,)

    def listen(self, event: ProgressEvent) -> None:
        """Take a progress event: note what the page has to read anew."""
        match event:
            case ContextRead():
                self._updates.report(PagePart.SCREEN)
            case ConsentAnswered():
                self._pending.settle(event.request, event.given)
                self._updates.report(PagePart.JOURNAL, PagePart.MEMORY)
            case StepFinished() | ActionUndone():
                self._updates.report(PagePart.JOURNAL, PagePart.SCREEN)
            case _:
                self._updates.report(PagePart.JOURNAL)

    def phones_changed(self) -> None:
        """The state of a phone changed: the page reads it anew."""
        self._updates.report(PagePart.JOURNAL)

    def link(self) -> str:
        """The address that opens the page in one browser; every link can be used once."""
        return f"http://{LOOPBACK}:{self._port}/#{self._tokens.invite()}"

    @asynccontextmanager
    async def serving(self, handler: Handler) -> AsyncIterator[None]:
        """Serve both pages while the block runs; ``handler`` is the daemon's, which alone acts on phones."""
        with listen(self._runtime.config.console.port) as own, listen(0) as phones:
            self._port, self._page_port = port_of(own), port_of(phones)
            apps = {self._port: self._page(handler), self._page_port: self._consent_page()}
            async with serving(ByPort(apps), [own, phones]):
                try:
                    yield
                finally:
                    self._updates.close()
                    await self._phone_channel.close()

    def _page(self, handler: Handler) -> RequestGuard:
        # Cookies know no ports: consoles of several daemons must not overwrite each other's.
        cookie, app = f"heed-{self._port}", new_app(self._wording.language)
        parts = ConsoleParts(
            self._runtime, handler, self._pending, self._updates, self._tokens, self._screens(), self._wording,
            self._clarifications,
        )  # fmt: skip
        app.include_router(page_routes(self._tokens, self._wording, cookie))
        app.include_router(guarded(parts, cookie))
        return RequestGuard(app, self._port)

    def _consent_page(self) -> RequestGuard:
        app = new_app(self._wording.language)
        app.include_router(consent_routes(self._page_tokens, self._pending, self._wording))
        return RequestGuard(app, self._runtime.config.console.phone_port)

    def _screens(self) -> LiveScreens:
        excluded = self._runtime.config.collectors.excluded_apps
        return LiveScreens(lambda serial: FrameTaker(self._device(serial), excluded), self._runtime.clock)

    def _asked(self, request: ConsentRequest) -> Device:
        """The phone that a question is about; another one at its address is not asked."""
        timeout = self._runtime.config.bridge.command_timeout
        return Device(self._runtime.server, request.serial, timeout=timeout, identity=request.phone)

    def _device(self, serial: str) -> Device:
        return Device(self._runtime.server, serial, timeout=self._runtime.config.bridge.command_timeout)
