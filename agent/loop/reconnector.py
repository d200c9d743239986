"""Connects to paired phones again when they announce themselves at another address."""

import asyncio
import logging
from collections.abc import Callable

from agent.journal import Stores
from agent.journal.phones import KnownPhone
from android_bridge.adb import AdbServer
from android_bridge.pairing import CONNECT_SERVICE, AnnouncedService, announced, connect_service, service_serial
from heed.errors import PersonError

log = logging.getLogger(__name__)

LOOK_EVERY = 15.0
"""Seconds between two looks while a paired phone is away; the adb server tells of no change."""


class Reconnector:
    """Brings back the paired phones that are away, for as long as ``run`` runs."""

    def __init__(self, server: AdbServer, stores: Stores, moved: Callable[[], None] = lambda: None) -> None:
        """``moved`` is called when a phone is reached at another address."""
        self._server, self._phones, self._moved = server, stores.phones, moved

    async def run(self) -> None:
        """Look for phones that are away until cancelled."""
        while True:
            try:
                await self.look()
            except PersonError as error:
                log.info("paired phones could not be looked for: %s", error)
            await asyncio.sleep(LOOK_EVERY)

    async def look(self) -> None:
        """Connect to each paired phone that is away and announces itself."""
        paired = [phone for phone in self._phones.entries() if phone.guid]
        if not paired:
            return
        listed = {entry.serial for entry in await self._server.devices() if entry.state != "offline"}
        away = {phone.guid: phone for phone in paired if phone.address not in listed}
        for phone in list(away.values()):
            if service_serial(phone.guid) in listed:  # adb has connected to it by itself
                self._note(away.pop(phone.guid), service_serial(phone.guid))
        services = await announced(self._server) if away else []
        for service in services:
            if service.kind == CONNECT_SERVICE and service.instance in away:
                await self._connect(away[service.instance], service)

    async def _connect(self, phone: KnownPhone, service: AnnouncedService) -> None:
        try:
            serial = await connect_service(self._server, service)
        except PersonError as error:
            log.info("%s: %s", phone.name, error)
            return
        self._note(phone, serial)

    def _note(self, phone: KnownPhone, serial: str) -> None:
        log.info("%s is back as %s", phone.name, serial)
        self._phones.moved(phone.id, serial)
        self._moved()
