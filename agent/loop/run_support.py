"""Pictures and the model for runs on an app's screen, as the executors expect them."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import datetime

from pydantic import JsonValue

from android_bridge.device import Device
from android_bridge.facts.clock import CLOCK
from android_bridge.facts.hierarchy import Hierarchy
from collectors.config import CollectorsConfig
from collectors.frames import Album, NoFrameError, UnsteadyError
from executors.proposals.support import RunSupport, StepQuestion
from executors.steps.pictures import ScreenPicture
from heed.messages import msg
from models.engine import JsonModel
from models.output import InvalidAnswer
from models.prompt import PromptImage

_ATTEMPTS = 4
"""Pictures that are tried of a screen that moves."""


class RunPictures:
    """Takes the pictures of runs: stored and without secrets, like every frame."""

    def __init__(self, config: CollectorsConfig) -> None:
        """``config`` says which apps are never pictured, and where pictures are kept."""
        self._config = config

    async def take(self, phone: Device, views: Callable[[], Awaitable[Hierarchy]]) -> ScreenPicture:
        """Take and store a picture; ``NoFrameError`` says why there is none."""
        if not self._config.frames.enabled:
            raise NoFrameError(msg("Pictures of the screen are switched off."))
        album = Album(phone, self._config)  # a new one knows no earlier picture, so that each is stored
        album.read_views = views
        now = await phone.read(CLOCK)
        for _ in range(_ATTEMPTS - 1):
            with suppress(UnsteadyError):
                return await _kept(album, now)
        return await _kept(album, now)


async def _kept(album: Album, now: datetime) -> ScreenPicture:
    await album.keep(await album.take(), now)
    (frame,) = album.recent(now)
    return ScreenPicture(sha256=frame.sha256, path=frame.path)


class ProposingModel:
    """A language model as it proposes screen steps."""

    def __init__(self, model: JsonModel) -> None:
        self._model = model

    async def answer(self, question: StepQuestion, *, timeout: float) -> Mapping[str, JsonValue]:
        """Its answer; empty where that is no JSON object, which is a proposal that cannot be used."""
        picture = PromptImage(path=question.picture.path, sha256=question.picture.sha256)
        try:
            return await self._model.data(
                question.system, question.text, question.schema, timeout=timeout, picture=picture
            )
        except InvalidAnswer:
            return {}


def run_support(config: CollectorsConfig, model: JsonModel | None) -> RunSupport:
    """The support of runs; ``model`` is None where the owner switched none on."""
    return RunSupport(RunPictures(config), ProposingModel(model) if model else None)
