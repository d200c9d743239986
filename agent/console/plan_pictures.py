"""Small copies of the pictures that a plan is about, read from the phone for an open page; none is stored."""

import asyncio
import io
from collections.abc import Callable

from PIL import Image, UnidentifiedImageError

from agent.journal import Journal
from android_bridge.commands import quote
from android_bridge.device import Device
from collectors.frames import NoFrameError
from executors.plan import Plan
from heed.messages import msg

MOST = 12
"""Pictures that are shown of one plan."""
_IMAGES = "content://media/external/images/media"
_SIDE = 240
"""Pixels of a small copy's longer side."""
_MOST_BYTES = 30_000_000
_READ_S = 15.0
_AT_ONCE = 2


def pictures_of(plan: Plan) -> tuple[int, ...]:
    """The numbers, in the phone's media store, of the pictures that a plan is about."""
    found = [step.before.get("ids") for step in plan.steps if step.before.get("uri") == _IMAGES]
    return tuple(one for ids in found if isinstance(ids, list) for one in ids if isinstance(one, int))[:MOST]


class PlanPictures:
    """Reads the pictures of recorded plans."""

    def __init__(self, journal: Journal, device: Callable[[Plan], Device]) -> None:
        """``device`` gives the phone that a plan is for."""
        self._journal, self._device = journal, device
        self._turn = asyncio.Semaphore(_AT_ONCE)

    async def small(self, plan_id: int, picture: int) -> bytes:
        """A small copy as JPEG; ``NoFrameError`` where the plan is not about it or the phone gives no picture.

        ``content read`` writes a file of a provider (AOSP ``Content.java``).
        """
        plan = self._journal.plan(plan_id).plan
        if picture not in pictures_of(plan):
            raise NoFrameError(msg("There is no such picture."))
        line = f"content read --uri {quote(f'{_IMAGES}/{picture}')} | head -c {_MOST_BYTES}"
        async with self._turn:
            data = await self._device(plan).exec_out(line, timeout=_READ_S)
            return await asyncio.to_thread(_small, data)


def _small(data: bytes) -> bytes:
    try:
        with Image.open(io.BytesIO(data)) as picture:
            picture.draft("RGB", (_SIDE, _SIDE))
            small = picture.convert("RGB")
    except (UnidentifiedImageError, Image.DecompressionBombError, OSError, SyntaxError, ValueError) as error:
        raise NoFrameError(msg("The file is no picture.")) from error
    small.thumbnail((_SIDE, _SIDE))
    encoded = io.BytesIO()
    small.save(encoded, "JPEG", quality=80)
    return encoded.getvalue()
