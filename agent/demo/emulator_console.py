"""A client of the Android emulator's console, which ``adb emu`` uses too, over one TCP connection.

The protocol follows Android's page "Send emulator console commands". Untried on a real emulator; tested with
``virtual_phone.console``.
"""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from heed.errors import DeviceError, UsageError
from heed.messages import msg

_TIMEOUT = 10.0
_MAX_LINE = 64 * 1024
_SERIAL = re.compile(r"emulator-(\d{4,5})")
_AUTHENTICATION_REQUIRED = "Authentication required"
_PING_ANSWER = "I am alive"


def console_port(serial: str) -> int:
    """Return the TCP port of an emulator's console; raises ``UsageError`` for a serial that is no emulator's."""
    match = _SERIAL.fullmatch(serial)
    if match is None:
        raise UsageError(
            msg("{serial!r} is not an emulator: events cannot be simulated on a real phone.", serial=serial),
            msg("Name one as `heed devices` does, such as emulator-5554."),
        )
    return int(match[1])


class EmulatorConsole:
    """An open connection to a console."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, serial: str) -> None:
        self._reader, self._writer, self._serial = reader, writer, serial

    async def run(self, line: str) -> str:
        """Run one command and return its answer; raises ``DeviceError`` when it is refused or not answered."""
        self._writer.write(f"{line}\n".encode())
        return await self._answer(line)

    async def authenticate(self, token: Path) -> None:
        """Read the greeting, and send the token in the file ``token`` when the console requires it."""
        if _AUTHENTICATION_REQUIRED in await self._answer("connect"):
            try:
                secret = (await asyncio.to_thread(token.read_text, "utf-8")).strip()
            except OSError as error:
                raise DeviceError(
                    msg(
                        "The token of {serial}'s console cannot be read from {token}.", serial=self._serial, token=token
                    )
                ) from error
            await self.run(f"auth {secret}")
        # Some consoles greet in one part and some in two; the answer to `ping` follows the last one.
        answer = await self.run("ping")
        while _PING_ANSWER not in answer:
            answer = await self._answer("ping")

    async def _answer(self, line: str) -> str:
        rows: list[str] = []
        try:
            async with asyncio.timeout(_TIMEOUT):
                await self._writer.drain()
                while row := await self._reader.readline():
                    text = row.decode(errors="replace").strip()
                    if text == "OK":
                        return "\n".join(rows)
                    if text.startswith("KO"):
                        raise DeviceError(
                            msg(
                                "The console of {serial} refused {line!r}: {text}",
                                serial=self._serial,
                                line=line[:60],
                                text=text[3:].strip(),
                            )
                        )
                    rows.append(text)
        except (TimeoutError, ConnectionError) as error:
            raise DeviceError(
                msg("The console of {serial} did not answer {line!r}.", serial=self._serial, line=line[:60])
            ) from error
        raise DeviceError(msg("The console of {serial} closed at {line!r}.", serial=self._serial, line=line[:60]))


@asynccontextmanager
async def emulator_console(serial: str, *, token: Path | None = None) -> AsyncIterator[EmulatorConsole]:
    """Connect to the console of the emulator ``serial`` on this machine; ``token`` is the file with its token."""
    port = console_port(serial)
    try:
        async with asyncio.timeout(_TIMEOUT):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=_MAX_LINE)
    except (TimeoutError, OSError) as error:
        raise DeviceError(
            msg("The console of {serial} cannot be reached.", serial=serial), msg("Is the emulator on this machine?")
        ) from error
    try:
        console = EmulatorConsole(reader, writer, serial)
        await console.authenticate(token or Path.home() / ".emulator_console_auth_token")
        yield console
    finally:
        writer.close()
