"""The console: the page on this machine, the consent page on the phone, and the channels that ask there."""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from agent.compose import Runtime
from agent.consent.pending_requests import PendingRequests
from agent.consent.request import Channel, ConsentRequest
from agent.console.api import guarded
from agent.console.browser_sessions import BrowserSessions, sessions_path
from agent.console.consent_page import PageTokens, consent_routes
from agent.console.console_channel import ConsoleChannel
from agent.console.live_screen import LiveScreens
from agent.console.page_updates import PagePart, PageUpdates
from agent.console.page_wording import Wording
from agent.console.parts import ConsoleParts
from agent.console.pending_clarifications import PendingClarifications
from agent.console.phone_channel import PhoneChannel
from agent.console.plan_pictures import PlanPictures
from agent.console.server import LOOPBACK, ByPort, listen, listen_again, port_of, serving
from agent.console.session_routes import page_routes
from agent.console.web import RequestGuard, new_app
from agent.loop.control_socket import Handler
from agent.loop.progress import ActionUndone, ConsentAnswered, ContextRead, ProgressEvent, StepFinished
from android_bridge.device import Device
from collectors.frames import FrameTaker
from executors.plan import Plan
from heed.messages import Text


class Console:
    """Made before the daemon, which asks on its ``channels`` and reports its progress to it; then served beside it."""

    def __init__(self, runtime: Runtime, *, deletion: tuple[Text, ...] = ()) -> None:
        """``deletion`` tells what was deleted before this run because the owner asked for it on the page."""
        config = runtime.config
        self._runtime, self._deletion = runtime, deletion
        self._updates = PageUpdates()
        self._sessions = BrowserSessions(sessions_path(config.journal.path), runtime.stores.elapsed.now)
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

    def address(self) -> str:
        """The page's address; a browser without a session needs ``link``."""
        return f"http://{LOOPBACK}:{self._port}/"

    def link(self) -> str:
        """The address that opens the page in one browser; every link can be used once."""
        return f"{self.address()}#{self._sessions.invite()}"

    def end_sessions(self) -> int:
        """Sign every browser out; how many there were."""
        ended = self._sessions.revoke()
        self._updates.disconnect()
        return ended

    @asynccontextmanager
    async def serving(self, handler: Handler) -> AsyncIterator[None]:
        """Serve both pages while the block runs; ``handler`` is the daemon's, which alone acts on phones."""
        with self._listen() as own, listen(0) as phones:
            self._port, self._page_port = port_of(own), port_of(phones)
            self._sessions.serve_at(self._port)
            apps = {self._port: self._page(handler), self._page_port: self._consent_page(handler)}
            async with serving(ByPort(apps), [own, phones]):
                try:
                    yield
                finally:
                    self._updates.close()
                    await self._phone_channel.close()

    def _listen(self) -> socket.socket:
        """The configured port, else the one of the last run, so that bookmarks and sessions go on, else any."""
        configured = self._runtime.config.console.port
        return listen(configured) if configured else listen_again(self._sessions.port)

    def _page(self, handler: Handler) -> RequestGuard:
        # Cookies know no ports: consoles of several daemons must not overwrite each other's.
        cookie, app = f"heed-{self._port}", new_app(self._wording.language)
        parts = ConsoleParts(
            runtime=self._runtime,
            handler=handler,
            pending=self._pending,
            updates=self._updates,
            sessions=self._sessions,
            screens=self._screens(),
            pictures=PlanPictures(self._runtime.stores.journal, self._of_plan),
            wording=self._wording,
            clarifications=self._clarifications,
            deletion=self._deletion,
        )
        app.include_router(page_routes(self._sessions, self._wording, cookie))
        app.include_router(guarded(parts, cookie))
        return RequestGuard(app, self._port)

    def _consent_page(self, handler: Handler) -> RequestGuard:
        app = new_app(self._wording.language)
        app.include_router(consent_routes(self._page_tokens, self._pending, self._wording, handler))
        return RequestGuard(app, self._runtime.config.console.phone_port)

    def _screens(self) -> LiveScreens:
        excluded = self._runtime.config.collectors.excluded_apps
        return LiveScreens(lambda serial: FrameTaker(self._device(serial), excluded), self._runtime.clock)

    def _asked(self, request: ConsentRequest) -> Device:
        """The phone that a question is about; another one at its address is not asked."""
        timeout = self._runtime.config.bridge.command_timeout
        return Device(self._runtime.server, request.serial, timeout=timeout, identity=request.phone)

    def _of_plan(self, plan: Plan) -> Device:
        """The phone that a plan is for, where it answers now."""
        address = self._runtime.stores.phones.address(plan.phone_id) or plan.serial
        timeout = self._runtime.config.bridge.command_timeout
        return Device(self._runtime.server, address, timeout=timeout, identity=plan.phone)

    def _device(self, serial: str) -> Device:
        return Device(self._runtime.server, serial, timeout=self._runtime.config.bridge.command_timeout)
