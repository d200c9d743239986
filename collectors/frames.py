"""Screen frames: taken only where looking is allowed, stored small, deleted when old.

No picture is taken while an excluded app is in front, the phone is locked or its screen is off, and a black
picture (a screen that its app protects) is not stored: the reason is reported instead.
"""

import hashlib
import io
import os
import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from android_bridge.device import Device
from android_bridge.facts.activities import ACTIVITIES, Activities
from android_bridge.facts.power import POWER
from android_bridge.facts.reader import UnreadableError
from android_bridge.frames import Screenshot
from collectors.config import FramesConfig
from collectors.context import Frame
from heed.errors import DeviceError, UsageError

SCREENSHOT_S = 5.0
"""Deadline of one screenshot, seconds."""
_BARS = 0.06
"""Share of the height at top and bottom that the system bars may take: they stay visible on a protected screen."""
_BLACK = 12
"""No pixel of a black screen is brighter than this (of 255)."""


class NoFrameError(DeviceError):
    """Why there is no picture of the screen now."""


class FrameStore:
    """Stored frames in one folder: JPEG files named by their SHA-256, whose times are when they were taken."""

    def __init__(self, folder: Path, config: FramesConfig) -> None:
        self.folder, self._config = folder, config

    def store(self, png: bytes, taken_at: datetime) -> Frame:
        """Keep a screenshot; ``NoFrameError`` for a black one or one that is no picture.

        The same picture is stored once. Old frames are deleted first.
        """
        picture = _decode(png)
        if _is_black(picture):
            raise NoFrameError("The screen is black: its app protects it.")
        picture.thumbnail((self._config.longest_side, self._config.longest_side))
        encoded = io.BytesIO()
        picture.save(encoded, "JPEG", quality=self._config.quality)
        self.prune(taken_at)
        return self._write(encoded.getvalue(), picture.size, taken_at)

    def prune(self, now: datetime) -> None:
        """Delete what is older than the limit, then the oldest until the folder is small enough."""
        oldest = (now - timedelta(days=self._config.max_days)).timestamp()
        budget = self._config.max_megabytes * 1e6
        for path, status in self._newest_first():
            budget -= status.st_size
            if budget < 0 or status.st_mtime < oldest:
                path.unlink(missing_ok=True)

    def _newest_first(self) -> Iterable[tuple[Path, os.stat_result]]:
        found = [(path, path.stat()) for path in self.folder.glob("*.jpg")]
        return sorted(found, key=lambda pair: pair[1].st_mtime, reverse=True)

    def _write(self, data: bytes, size: tuple[int, int], taken_at: datetime) -> Frame:
        digest = hashlib.sha256(data).hexdigest()
        path = self.folder / f"{digest}.jpg"
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            partial = path.with_suffix(f".{os.getpid()}.part")
            partial.write_bytes(data)
            os.utime(partial, (taken_at.timestamp(), taken_at.timestamp()))
            partial.replace(path)
        except OSError as error:
            raise UsageError(f"Cannot store a screen frame in {self.folder}: {error.strerror}.") from error
        return Frame(sha256=digest, path=str(path), width=size[0], height=size[1], taken_at=taken_at)


def folder_of(root: Path, serial: str) -> Path:
    """The folder for one phone's frames: phones have clocks and limits of their own."""
    return root / re.sub(r"[^\w-]", "_", serial)


def _decode(png: bytes) -> Image.Image:
    try:
        with Image.open(io.BytesIO(png)) as picture:
            return picture.convert("RGB")
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        raise NoFrameError("The phone's screenshot is no picture.") from error


def _is_black(picture: Image.Image) -> bool:
    bar = round(picture.height * _BARS)
    middle = picture.crop((0, bar, picture.width, picture.height - bar))
    _, brightest = middle.convert("L").getextrema()
    return isinstance(brightest, int | float) and brightest <= _BLACK


class FrameTaker:
    """Takes pictures of one phone's screen."""

    def __init__(self, device: Device, excluded: frozenset[str]) -> None:
        self._device, self._excluded = device, excluded

    async def take(self) -> Screenshot:
        """A picture of what is on the screen now; ``NoFrameError`` says why there is none.

        The app in front is asked before and after: a picture that another app may have slipped into is dropped.
        """
        before = await self._allowed()
        picture = await self._device.screenshot(timeout=SCREENSHOT_S)
        if await self._allowed() != before:
            raise NoFrameError("The app in front changed while the picture was taken.")
        return picture

    async def _allowed(self) -> str:
        """The package in front, when a picture of it may be taken."""
        activities, power = await self._device.read_many([ACTIVITIES, POWER], timeout=SCREENSHOT_S)
        for found in (activities, power):
            if isinstance(found, UnreadableError):
                raise NoFrameError("It is not known what is on the screen.") from found
        if not power.awake:
            raise NoFrameError("The screen is off.")
        return self._package(activities)

    def _package(self, activities: Activities) -> str:
        if activities.locked:
            raise NoFrameError("The phone is locked.")
        if activities.foreground is None:
            raise NoFrameError("It is not known which app is in front.")
        if activities.foreground.package in self._excluded:
            raise NoFrameError("The app in front is never looked at.")
        return activities.foreground.package
