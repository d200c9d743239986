"""What runs on an app's screen get from outside: pictures, and a model where the owner switched one on."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from pydantic import JsonValue

from executors.steps.pictures import PictureTaker, ScreenPicture


class StepQuestion(NamedTuple):
    """One question to the model."""

    system: str
    """Instructions, equal in every question."""
    text: str
    """The goal, what was done so far, and the views on the screen."""
    picture: ScreenPicture
    schema: Mapping[str, JsonValue]
    """JSON schema of the answer."""


class ScreenModel(Protocol):
    """A model that sees a screen."""

    async def answer(self, question: StepQuestion, *, timeout: float) -> Mapping[str, JsonValue]:
        """Returns its answer, held to the schema where the model can be; empty where it is no JSON object.

        Raises ``PersonError`` where it cannot be used or does not answer within ``timeout`` seconds.
        """


class RunSupport(NamedTuple):
    """The support of all runs."""

    pictures: PictureTaker
    model: ScreenModel | None = None
