"""The notice on each monitored phone that heed is paused; it goes when the pause ends."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterable
from datetime import datetime

from agent.journal import Stores
from agent.policy.pausing import paused_text
from android_bridge.consent_notification import show_notice
from android_bridge.device import Device
from heed.clock import Clock
from heed.errors import DeviceError
from heed.language import Language
from heed.messages import translate

log = logging.getLogger(__name__)

_LONGEST_WAIT = 30.0
"""Seconds; an event loop's timers stand still while the host sleeps, and a phone's clock can be turned."""
_KIND, _TITLE = "pause", "heed"


class PauseNotice:
    """Keeps the notice on the phones as the journal's pause says, for as long as ``run`` runs."""

    def __init__(
        self, stores: Stores, language: Language, phones: Callable[[], Iterable[tuple[Device, Clock]]]
    ) -> None:
        """``phones`` are the monitored ones, each with its clock."""
        self._pauses, self._language, self._phones = stores.pauses, language, phones
        self._changed = asyncio.Event()
        self._shown: dict[str, str] = {}
        """The notice of each phone by its address; empty = none."""

    def refresh(self) -> None:
        """The pause or the phones changed: the notices are brought up to date."""
        self._changed.set()

    def forget(self, serial: str) -> None:
        """A phone was connected anew: what it shows is not known."""
        self._shown.pop(serial, None)
        self.refresh()

    async def run(self) -> None:
        """Show and hide notices until cancelled; then hide them."""
        try:
            while True:
                self._changed.clear()
                for device, clock in list(self._phones()):
                    await self._show(device, self._text(clock.wall()))
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_LONGEST_WAIT):
                        await self._changed.wait()
        finally:
            for device, _ in list(self._phones()):
                if self._shown.get(device.serial):
                    await self._show(device, "")

    def _text(self, now: datetime) -> str:
        pause = self._pauses.current(now)
        return "" if pause is None else translate(paused_text(pause, now), self._language)

    async def _show(self, device: Device, text: str) -> None:
        """Show or hide it to the end, also when cancelled: a command that is broken off may still post it."""
        if self._shown.get(device.serial) == text:
            return
        showing = asyncio.create_task(self._update(device, text))
        try:
            await asyncio.shield(showing)
        except asyncio.CancelledError:
            await showing
            raise

    async def _update(self, device: Device, text: str) -> None:
        try:
            await show_notice(device, _KIND, _TITLE, text)
            self._shown[device.serial] = text
        except DeviceError as error:
            log.info("%s: the notice of the pause was not shown: %s", device.serial, error)
