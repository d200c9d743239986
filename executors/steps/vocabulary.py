"""The vocabulary of screen steps: thirteen frozen models, told apart by ``do``.

Recipes are written in it, and so is whatever else operates an app's screen. A step is data: ``guards`` decides whether
it may be done on the screen that is there, ``player`` does it.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, TypeAdapter, model_validator

from android_bridge.ui import Direction
from heed.language import Language
from heed.model import Frozen

Words = Mapping[Language, str]
"""What the owner reads, in each language; may hold slots."""


class ViewRole(StrEnum):
    """The kind of a view, from its class (``find.role_of``)."""

    BUTTON = "button"
    FIELD = "field"
    SWITCH = "switch"
    IMAGE = "image"
    LIST = "list"
    TEXT = "text"
    GROUP = "group"


class Locator(Frozen):
    """Which view is meant; every condition that is given must hold, and exactly one view may fulfil them.

    Texts are compared without regard to case, width of letters and blanks at the ends.
    """

    id: str = ""
    """Resource id, with its package (``com.android.deskclock:id/fab``) or without (``fab``)."""
    text: tuple[str, ...] = ()
    """Whole texts, one of which it shows: one per language."""
    description: tuple[str, ...] = ()
    """Whole content descriptions, one of which it has."""
    contains: tuple[str, ...] = ()
    """Its text or description contains one of these."""
    inside: tuple[str, ...] = ()
    """It takes touches and holds a view that shows one of these whole texts: a row by its title."""
    beside: tuple[str, ...] = ()
    """It lies in a row of a list that shows one of these whole texts: the switch of one setting."""
    role: ViewRole | None = None
    checked: bool | None = None
    """Whether it is switched on."""
    place: tuple[int, int] | None = None
    """Number and count: it is, for example, the second of three views in its parent that fulfil the other conditions.

    With another count none is meant: the app has changed there."""
    first: bool = False
    """The first of several in reading order."""
    point: tuple[int, int] | None = None
    """The topmost view that takes a touch at this point, in pixels: for steps that were decided on from a picture."""

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        texts = (self.text, self.description, self.contains, self.inside, self.beside)
        if not (self.id or any(texts) or self.role or self.point):
            raise ValueError("a locator needs at least one condition")
        return self


Locators = tuple[Locator, ...]
_SomeLocators = Annotated[Locators, Field(min_length=1)]


class ScreenStep(Frozen):
    """What every step has."""

    shown: ClassVar[tuple[str, ...] | None] = None
    """The fields that the consent request shows; None for a step that only looks."""

    before: Locators = ()
    """What the screen must show for the step to begin, beside the step's own view."""
    after: Locators = ()
    """What the screen must show for the step to count as done."""
    seconds: float = Field(default=10.0, gt=0, le=60)
    """Deadline of the wait before the step, and again of the wait after it."""


class LaunchStep(ScreenStep):
    """Opens the recipe's app as its icon does. After it: the app is in front."""

    shown = ()
    do: Literal["launch"] = "launch"


class FindStep(ScreenStep):
    """Finds a view and touches nothing."""

    do: Literal["find"] = "find"
    view: Locator


class TapStep(ScreenStep):
    """Taps a view, once or twice."""

    shown = ("name",)
    do: Literal["tap"] = "tap"
    view: Locator
    name: Words
    """What is tapped, for the owner: ``{en: the first restaurant, zh: 第一家餐厅}``."""
    times: Literal[1, 2] = 1
    unless: Locators = ()
    """Where the screen shows all of these, nothing is tapped: the switch is on already."""
    after: _SomeLocators


class LongPressStep(ScreenStep):
    """Presses a view for 0.8 seconds."""

    shown = ("name",)
    do: Literal["long_press"] = "long_press"
    view: Locator
    name: Words
    after: _SomeLocators


class TypeStep(ScreenStep):
    """Replaces the text of a field. After it: the field shows the text."""

    shown = ("name", "text")
    do: Literal["type"] = "type"
    view: Locator
    name: Words
    text: str = Field(min_length=1)
    enter: bool = False
    """Press Enter afterwards; only in a search field, since elsewhere Enter may send."""

    @model_validator(mode="after")
    def _says_what_enter_shows(self) -> Self:
        if self.enter and not self.after:
            raise ValueError("a step that presses Enter must say what the screen shows after it")
        return self


class ScrollToStep(ScreenStep):
    """Scrolls until a view is shown."""

    shown = ()
    do: Literal["scroll_to"] = "scroll_to"
    view: Locator
    direction: Direction = Direction.DOWN
    most: int = Field(default=8, ge=1, le=30)
    """Swipes after which it counts as not there."""


class SwipeStep(ScreenStep):
    """Swipes once, by about half a screen."""

    shown = ("name",)
    do: Literal["swipe"] = "swipe"
    direction: Direction
    name: Words
    after: _SomeLocators


class BackStep(ScreenStep):
    """Presses Back."""

    shown = ()
    do: Literal["back"] = "back"
    after: _SomeLocators


class HomeStep(ScreenStep):
    """Presses Home. After it: the launcher is in front."""

    shown = ()
    do: Literal["home"] = "home"


class WaitForStep(ScreenStep):
    """Waits until the screen shows what ``after`` names."""

    do: Literal["wait_for"] = "wait_for"
    after: _SomeLocators


class ReadStep(ScreenStep):
    """Reads the text of a view into the record of the run; nothing is touched."""

    do: Literal["read"] = "read"
    view: Locator
    into: str = Field(pattern=r"^[a-z_]+$")
    """Name of the value."""


class AskStep(ScreenStep):
    """Stops and asks the owner; the rest of the run needs a consent of its own."""

    shown = ("question",)
    do: Literal["ask"] = "ask"
    question: Words


class FinishStep(ScreenStep):
    """The end of the run: what is reached, and the last button, which the owner presses."""

    shown = ("button_name",)
    do: Literal["finish"] = "finish"
    reached: Words
    """A sentence for the owner: ``{en: The order is filled in., zh: 订单已填好。}``."""
    last_button: Locator | None = None
    """The button that pays, sends or orders; None where nothing is left to press."""
    button_name: Words = Field(default_factory=dict)

    @model_validator(mode="after")
    def _names_its_button(self) -> Self:
        if (self.last_button is None) != (not self.button_name):
            raise ValueError("last_button and button_name come together")
        if self.last_button is None and not self.before:
            raise ValueError("a finish without a last button must say what the screen shows")
        return self


AnyStep = Annotated[
    LaunchStep
    | FindStep
    | TapStep
    | LongPressStep
    | TypeStep
    | ScrollToStep
    | SwipeStep
    | BackStep
    | HomeStep
    | WaitForStep
    | ReadStep
    | AskStep
    | FinishStep,
    Field(discriminator="do"),
]
STEPS: TypeAdapter[tuple[AnyStep, ...]] = TypeAdapter(tuple[AnyStep, ...])
"""Reads steps from data, such as a recipe's YAML."""


def finish_of(steps: Sequence[AnyStep]) -> FinishStep:
    """Returns the last step, which is a finish; raises ``ValueError`` for steps that end otherwise."""
    if not steps or not isinstance(steps[-1], FinishStep) or any(isinstance(one, FinishStep) for one in steps[:-1]):
        raise ValueError("the last step, and no other, is `finish`")
    return steps[-1]
