"""Screen frames: taken only where looking is allowed, stored small and once, deleted when old.

No picture is taken while an excluded app is in front or may show a notification, a notification may show a secret, a
password is typed, the phone is locked or its screen is off, and a black picture (a screen that its app protects) is
not stored: the reason is reported instead. Before a picture is stored, the views of the screen are read, and those
that show a secret are covered; without them there is no picture.
"""

import asyncio
import hashlib
import io
import os
import re
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageChops, UnidentifiedImageError

from android_bridge.device import Device
from android_bridge.facts.activities import ACTIVITIES, Activities
from android_bridge.facts.clock import CLOCK
from android_bridge.facts.hierarchy import HIERARCHY, Bounds, Hierarchy
from android_bridge.facts.input_method import INPUT_METHOD
from android_bridge.facts.notifications import NOTIFICATIONS, Notification, Notifications
from android_bridge.facts.power import POWER
from android_bridge.facts.reader import UnreadableError
from android_bridge.frames import Screenshot
from collectors.config import CollectorsConfig, FramesConfig
from collectors.context import StoredFrame
from collectors.frame_masks import cover, fits, secret_views
from heed.clock import Clock, SystemClock
from heed.errors import DeviceError, DeviceLostError, UsageError
from heed.messages import msg
from heed.redaction import holds_secret
from heed.write_errors import write_remedy

SCREENSHOT_S = 5.0
"""Deadline of one screenshot, seconds."""
_BARS = 0.06
"""Share of the height at top and bottom that the system bars may take: they stay visible on a protected screen."""
_BLACK = 12
"""No pixel of a black screen is brighter than this (of 255)."""
RECENT = timedelta(minutes=10)
"""Frames this young belong to a context (the benchmark's traces span ten minutes)."""
_MOST = 10
"""Frames of one context, the benchmark's limit."""
_GRID = 16
"""A picture's fingerprint has this many rows and columns of bits."""
_SAME = 4
"""Fingerprints that differ in no more bits are of the same screen: a cursor blinked, a clock went on."""
_REDUCED = 4
"""Pictures are compared at a quarter of their size."""
_NOTICEABLE = 32
"""A pixel that changed by more (of 255) looks different."""
_CURSOR = 0.0002
"""Share of a picture that may change while its views are read: a cursor, less than the digits of a code."""
PEEK = timedelta(seconds=15)
"""A notification may hang over the screen for so long: Android takes it away after 5 to 10 seconds."""


class NoFrameError(DeviceError):
    """Why there is no picture of the screen now."""


class ProtectedError(NoFrameError):
    """The app protects its screen: the picture is black."""


class UnsteadyError(NoFrameError):
    """The screen changed while the picture was taken: another attempt may succeed."""


class FrameStore:
    """Stored frames in one folder: JPEG files named by their SHA-256, whose times are when they were taken."""

    def __init__(self, folder: Path, config: FramesConfig, host: Clock | None = None) -> None:
        """``host`` is this machine's clock; None = the system's."""
        self.folder, self._config, self._host = folder, config, host or SystemClock()

    def store(self, png: bytes, taken_at: datetime) -> StoredFrame:
        """Keep a screenshot; ``NoFrameError`` for a black one or one that is no picture.

        The same picture is stored once. Old frames are deleted first.
        """
        return self.keep(visible(png), taken_at)

    def keep(self, picture: Image.Image, taken_at: datetime) -> StoredFrame:
        """Keep a picture, scaled down in place."""
        picture.thumbnail((self._config.longest_side, self._config.longest_side))
        encoded = io.BytesIO()
        picture.save(encoded, "JPEG", quality=self._config.quality)
        self.prune(taken_at)
        return self._write(encoded.getvalue(), picture.size, taken_at)

    def prune(self, now: datetime) -> None:
        """Delete what is older than the limit, then the oldest until the folder is small enough.

        A file has its time from the phone's clock and its change time from this machine's: it is as old as both say
        at least, so that a wrong one alone deletes nothing.
        """
        oldest = (now - timedelta(days=self._config.max_days)).timestamp()
        stored_last = (self._host.wall() - timedelta(days=self._config.max_days)).timestamp()
        budget = self._config.max_megabytes * 1e6
        for path, status in self._newest_first():
            budget -= status.st_size
            if budget < 0 or (status.st_mtime < oldest and status.st_ctime < stored_last):
                path.unlink(missing_ok=True)

    def _newest_first(self) -> Iterable[tuple[Path, os.stat_result]]:
        found = [(path, path.stat()) for path in self.folder.glob("*.jpg")]
        return sorted(found, key=lambda pair: pair[1].st_mtime, reverse=True)

    def _write(self, data: bytes, size: tuple[int, int], taken_at: datetime) -> StoredFrame:
        digest = hashlib.sha256(data).hexdigest()
        path = self.folder / f"{digest}.jpg"
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            partial = path.with_suffix(f".{os.getpid()}.part")
            partial.write_bytes(data)
            os.utime(partial, (taken_at.timestamp(), taken_at.timestamp()))
            partial.replace(path)
        except OSError as error:
            raise UsageError(
                msg(
                    "Cannot store a screen frame in {folder}: {strerror}.", folder=self.folder, strerror=error.strerror
                ),
                write_remedy(error),
            ) from error
        return StoredFrame(sha256=digest, path=str(path), width=size[0], height=size[1], taken_at=taken_at)


def folder_of(root: Path, serial: str) -> Path:
    """The folder for one phone's frames: phones have clocks and limits of their own."""
    return root / re.sub(r"[^\w-]", "_", serial)


def visible(png: bytes) -> Image.Image:
    """A screenshot's pixels; ``ProtectedError`` for a black one, ``NoFrameError`` for one that is no picture."""
    picture = _decode(png)
    if _is_black(picture):
        raise ProtectedError(msg("The screen is black: its app protects it."))
    return picture


def fingerprint(picture: Image.Image) -> int:
    """A perceptual hash (difference hash) of what is between the system bars: where it gets brighter to the right."""
    small = _middle(picture).convert("L").resize((_GRID + 1, _GRID), Image.Resampling.BILINEAR)
    rows = [small.tobytes()[start : start + _GRID + 1] for start in range(0, (_GRID + 1) * _GRID, _GRID + 1)]
    bits = (row[column] < row[column + 1] for row in rows for column in range(_GRID))
    return sum(bit << place for place, bit in enumerate(bits))


def _decode(png: bytes) -> Image.Image:
    try:
        with Image.open(io.BytesIO(png)) as picture:
            return picture.convert("RGB")
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        raise NoFrameError(msg("The phone's screenshot is not an image.")) from error


def _is_black(picture: Image.Image) -> bool:
    _, brightest = _middle(picture).convert("L").getextrema()
    return isinstance(brightest, int | float) and brightest <= _BLACK


def _held_still(before: Image.Image, after: Image.Image) -> bool:
    """Whether both show the same between the system bars, but for a cursor that blinked."""
    if before.size != after.size:
        return False
    small = [_middle(picture).convert("L").reduce(_REDUCED) for picture in (before, after)]
    changes = ImageChops.difference(*small).point(lambda level: level > _NOTICEABLE and 255)
    return changes.histogram()[255] <= _CURSOR * small[0].width * small[0].height


def _middle(picture: Image.Image) -> Image.Image:
    bar = round(picture.height * _BARS)
    return picture.crop((0, bar, picture.width, picture.height - bar))


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
            raise NoFrameError(msg("The app in front changed while the picture was taken."))
        return picture

    async def _allowed(self) -> str:
        """The package in front, when a picture of it may be taken."""
        readers = (ACTIVITIES, POWER, INPUT_METHOD, CLOCK, NOTIFICATIONS)
        activities, power, keyboard, clock, posted = await self._device.read_many(readers, timeout=SCREENSHOT_S)
        # Where the phone does not tell about its keyboard, an app's own dots must do.
        for needed in (activities, power, *((clock, posted) if self._excluded else ())):
            if isinstance(needed, UnreadableError):
                raise NoFrameError(msg("It is not known what is on the screen.")) from needed
        if not power.awake:
            raise NoFrameError(msg("The screen is off."))
        if not isinstance(keyboard, UnreadableError) and keyboard.password:
            raise NoFrameError(msg("A password is being typed."))
        package = self._package(activities)
        known = not isinstance(posted, UnreadableError) and not isinstance(clock, UnreadableError)
        if known and self._may_show(posted, clock, shade=activities.focus == _SHADE):
            raise NoFrameError(msg("A notification that nobody else should see may be on the screen."))
        return package

    def _package(self, activities: Activities) -> str:
        if activities.locked:
            raise NoFrameError(msg("The phone is locked."))
        if activities.foreground is None:
            raise NoFrameError(msg("It is not known which app is in front."))
        if activities.foreground.package in self._excluded:
            raise NoFrameError(msg("The app in front is excluded."))
        return activities.foreground.package

    def _may_show(self, posted: Notifications, now: datetime, *, shade: bool) -> bool:
        """Whether the screen may show what an excluded app posted, or a one-time code and the like."""
        private = [one for one in posted.items if one.package in self._excluded or _holds_secret(one)]
        # A record that was not understood may be anybody's.
        unknown = shade and posted.unread > 0 and bool(self._excluded)
        return unknown or any(shade or _peeks(one, now) for one in private)


_SHADE = "NotificationShade"


def _peeks(one: Notification, now: datetime) -> bool:
    """Whether it may hang over the screen; a call does until it is answered."""
    return one.category == "call" or one.posted is None or abs(now - one.posted) <= PEEK


def _holds_secret(one: Notification) -> bool:
    texts = (one.title, one.text, one.big_text, one.sub_text, *one.lines, *(message.text for message in one.messages))
    return holds_secret([text for text in texts if text])


class _Kept(NamedTuple):
    frame: StoredFrame
    fingerprint: int


class Album:
    """The frames of one phone: at most ten of the last ten minutes, no two in a row of the same screen."""

    def __init__(self, device: Device, config: CollectorsConfig) -> None:
        self.enabled = config.frames.enabled
        self.withheld = ""
        """Why no picture may be taken now; who looks at the views of the screen sets it. Empty = nothing known."""
        self.read_views: Callable[[], Awaitable[Hierarchy]] = lambda: device.read(HIERARCHY, timeout=SCREENSHOT_S)
        """Reads the views of the screen; who has a cheaper way than the phone's dump sets it."""
        self._count = config.frames.per_context
        self._taker = FrameTaker(device, config.excluded_apps)
        self._store = FrameStore(folder_of(config.frames_folder, device.serial), config.frames)
        self._kept: deque[_Kept] = deque(maxlen=_MOST)
        self._turn = asyncio.Lock()

    async def take(self) -> Screenshot:
        """A picture of what is on the screen now; ``NoFrameError`` says why there is none."""
        if self.withheld:
            raise NoFrameError(self.withheld)
        return await self._taker.take()

    async def keep(self, picture: Screenshot, taken_at: datetime) -> None:
        """Store a picture without secrets, unless the last one shows the same; ``NoFrameError`` says why there is none.

        The screen is pictured once more after its views were read: they are those of the picture only if it held still.
        """
        async with self._turn:
            pixels = await asyncio.to_thread(visible, picture.png)
            looks = fingerprint(pixels)
            if self._is_known(looks, taken_at):
                return
            secrets = secret_views(await self._views())
            after = await asyncio.to_thread(visible, (await self.take()).png)
            frame = await asyncio.to_thread(self._store_covered, pixels, after, secrets, taken_at)
            self._kept.append(_Kept(frame, looks))

    def recent(self, now: datetime) -> tuple[StoredFrame, ...]:
        """The latest frames of the last ten minutes, oldest first, as many as a context holds.

        A frame may seem to come from the future: the recorder's times run on between readings of the phone's clock.
        """
        recent = [kept.frame for kept in self._kept if abs(now - kept.frame.taken_at) <= RECENT]
        return tuple(recent[-self._count :])

    def _is_known(self, looks: int, taken_at: datetime) -> bool:
        last = self._kept[-1] if self._kept else None
        return last is not None and (
            (last.fingerprint ^ looks).bit_count() <= _SAME and taken_at - last.frame.taken_at <= RECENT
        )

    async def _views(self) -> Hierarchy:
        try:
            return await self.read_views()
        except DeviceLostError:
            raise
        except DeviceError as error:
            raise NoFrameError(msg("It is not known what is written on the screen.")) from error

    def _store_covered(
        self, picture: Image.Image, after: Image.Image, secrets: Sequence[Bounds], taken_at: datetime
    ) -> StoredFrame:
        if not _held_still(picture, after) or not fits(picture, secrets):
            raise UnsteadyError(msg("The screen changed while the picture was taken."))
        cover(picture, secrets)
        return self._store.keep(picture, taken_at)
