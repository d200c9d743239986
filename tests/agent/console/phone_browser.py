"""The network of the virtual phone's browser: what it opens on its own loopback goes through ``adb reverse``."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.agent.console.house import House
from virtual_phone import VirtualPhone
from virtual_phone.adbd.transport import AdbStream, StreamClosedError

SHELL = "com.android.shell"


def invitations(phone: VirtualPhone) -> list[str]:
    """The tokens of heed's notifications in the shade."""
    return [note.key for note in phone.state.notifications.visible() if (note.tag or "").startswith("heed-")]


async def invited(house: House) -> str:
    """The key of heed's notification, once the phone shows it."""
    await house.until(lambda: invitations(house.phone))
    return invitations(house.phone)[0]


async def tap(house: House) -> str:
    """Tap the notification; the address that the phone's browser then shows."""
    house.phone.state.notifications.tap(await invited(house))
    browser = house.phone.state.apps.foreground
    assert browser.package == "com.android.chrome"
    return browser.intent.data


@asynccontextmanager
async def on_the_phone(house: House) -> AsyncIterator[None]:
    """While in the block, ``127.0.0.1:PHONE_PORT`` of this machine is that of the phone."""

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        stream = await house.phone.reverses.connect(house.phone_port)
        if stream is not None:
            await asyncio.gather(_up(reader, stream), _down(stream, writer), return_exceptions=True)
        writer.close()

    async with await asyncio.start_server(relay, "127.0.0.1", house.phone_port):
        yield


async def _up(reader: asyncio.StreamReader, stream: AdbStream) -> None:
    try:
        while data := await reader.read(65536):
            await stream.write(data)
        await stream.close()
    except (StreamClosedError, ConnectionError):
        return


async def _down(stream: AdbStream, writer: asyncio.StreamWriter) -> None:
    while data := await stream.read():
        writer.write(data)
        await writer.drain()
    writer.close()
