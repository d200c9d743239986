"""Copies files to and from a phone with adbutils, in one thread per phone.

adbutils blocks and cannot be cancelled, so its sockets have deadlines of their own: a thread always returns, and the
next transfer of the same phone begins only when the last one has ended.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import adbutils

from heed.errors import DeviceError, UsageError
from heed.messages import msg

T = TypeVar("T")


class FileTransfer:
    """Push and pull for one phone; its thread starts with the first transfer."""

    def __init__(self, host: str, port: int, serial: str) -> None:
        self._address, self._serial = (host, port), serial
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"heed-files-{serial}")

    async def push(self, local: Path | bytes, remote: str, timeout: float) -> None:
        """Copy a file or bytes; ``UsageError`` when the file cannot be read."""

        def work(phone: Any) -> None:
            if isinstance(local, Path) and not local.is_file():
                raise UsageError(msg("There is no file {local}.", local=local))
            try:
                phone.sync.push(local, remote, check=True)
            except adbutils.AdbError as error:
                # adbutils does not read the phone's reason.
                if str(error) != "FAIL":
                    raise
                raise DeviceError(
                    msg("{serial} refuses {remote}.", serial=self._serial, remote=remote),
                    msg("Is its storage full, or the folder not writable?"),
                ) from error

        await self._run("copy to", timeout, work)

    async def pull(self, remote: str, timeout: float) -> bytes:
        """The file's contents."""
        return await self._run("copy from", timeout, lambda phone: bytes(phone.sync.read_bytes(remote)))

    async def _run(self, what: str, timeout: float, work: Callable[[Any], T]) -> T:
        def blocking() -> T:
            client = adbutils.AdbClient(*self._address, socket_timeout=timeout)
            return work(client.device(self._serial))

        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(timeout):
                return await loop.run_in_executor(self._thread, blocking)
        except (TimeoutError, adbutils.AdbTimeout) as error:
            raise DeviceError(
                msg(
                    "To {what} {serial} took longer than {timeout:g} s.",
                    what=what,
                    serial=self._serial,
                    timeout=timeout,
                ),
                msg("Is it frozen?"),
            ) from error
        except (adbutils.AdbError, OSError) as error:
            raise DeviceError(
                msg("heed could not {what} {serial} ({error}).", what=what, serial=self._serial, error=error),
                msg("Is it connected?"),
            ) from error
