"""Scenario events of the owner's use of the screen."""

from typing import Self

from pydantic import ConfigDict, Field, RootModel, model_validator

from heed.errors import UsageError
from heed.model import Frozen
from virtual_phone.state import PhoneState
from virtual_phone.ui import touch
from virtual_phone.ui.screen import Screen


class TapEvent(Frozen):
    """The owner taps what shows this text (or description), or a point."""

    text: str = ""
    x: int | None = None
    y: int | None = None
    seconds: float = Field(default=0.08, gt=0, le=10)
    """How long the finger stays; from 0.4 on it is a long press."""

    @model_validator(mode="after")
    def _somewhere(self) -> Self:
        if bool(self.text) == (self.x is not None and self.y is not None):
            raise ValueError("a tap needs either text or both x and y")
        return self

    def apply(self, state: PhoneState) -> None:
        screen = Screen(state)
        place = screen.find(self.text) if self.text else (self.x or 0, self.y or 0)
        if place is None:
            raise UsageError(f"Nothing on the phone's screen says {self.text!r}.", "Correct the scenario.")
        state.touchscreen.touch(place, seconds=self.seconds)
        touch.tap(screen, state, *place, seconds=self.seconds)


class TypeEvent(RootModel[str]):
    """The owner types into the focused field, in any script."""

    model_config = ConfigDict(frozen=True)

    def apply(self, state: PhoneState) -> None:
        if not touch.type_text(state, self.root):
            raise UsageError("No text field is in focus on the phone.", "Tap one first in the scenario.")


class KeyEvent(RootModel[str]):
    """The owner presses a key, by Android's name without KEYCODE_."""

    model_config = ConfigDict(frozen=True)

    def apply(self, state: PhoneState) -> None:
        if not touch.press(state, self.root):
            raise UsageError(f"There is no key {self.root!r}.", "Correct the scenario.")


class SwipeEvent(Frozen):
    """The owner swipes from one point to another."""

    start: tuple[int, int]
    """x and y in pixels."""
    end: tuple[int, int]
    """x and y in pixels."""

    def apply(self, state: PhoneState) -> None:
        state.touchscreen.touch(self.start, self.end, seconds=0.3)
        touch.swipe(Screen(state), state, self.start, self.end)


class OpenAppEvent(Frozen):
    """The owner opens an app, by package name."""

    app: str
    """Package name; the launcher's opens the home screen."""

    def apply(self, state: PhoneState) -> None:
        state.open_app(self.app)
