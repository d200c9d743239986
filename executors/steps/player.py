"""Plays screen steps on one phone: waits until each may be done, does it, and waits until the screen shows it.

A run ends at the first step that may not be done: it says where and why, and leaves the phone as it is, or goes back to
the window it began in. Nothing is repeated, and a run that was killed is not resumed.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from enum import StrEnum
from typing import Protocol

from pydantic import Field

from android_bridge.device import Device
from android_bridge.facts.activities import ACTIVITIES
from android_bridge.facts.hierarchy import Node
from android_bridge.facts.power import POWER
from android_bridge.facts.reader import UnreadableError
from android_bridge.facts.windows import SECURE_WINDOWS
from android_bridge.ui import Key
from executors.apps import Installed, launch
from executors.executor import run
from executors.observation import observe
from executors.plan import Effect
from executors.screen import window_title
from executors.steps.drivers import ScreenDriver
from executors.steps.find import matching
from executors.steps.guards import (
    PASSING,
    Halt,
    HaltReason,
    Permit,
    VisibleScreen,
    check_screen,
    judge,
    shown,
    wording,
)
from executors.steps.pictures import ScreenPicture
from executors.steps.press import LastView, judge_press
from executors.steps.vocabulary import (
    AnyStep,
    AskStep,
    BackStep,
    HomeStep,
    LaunchStep,
    LongPressStep,
    ReadStep,
    ScrollToStep,
    SwipeStep,
    TapStep,
    TypeStep,
)
from function_pool.risk import Risk
from heed.errors import DeviceError, DeviceLostError
from heed.messages import Text, message_of, msg
from heed.model import Frozen

_LOOK_AGAIN_S = 0.25
"""Pause between two looks at a screen that is not ready yet, seconds."""
_MOST_LOOKS = 8
"""Looks at a screen until it counts as one that never stands still."""
_SETTLE_S = 0.4
"""Pause after a swipe until the list stands still, seconds."""


class Leave(StrEnum):
    """How a run that stops leaves the phone."""

    STAY = "stay"
    """As it is."""
    BACK = "back"
    """Back in the window where the run began, with the Back key; not where the owner or another app has the screen."""


class DoneStep(Frozen):
    """One step that a model proposed, as the journal keeps it."""

    effect: Effect
    """What was done or proposed, in words."""
    picture: ScreenPicture
    """The screen that it was proposed on."""
    halt: Halt | None = None
    """Why it was not done."""


class Progress(Frozen):
    """How far a run got."""

    step: int = Field(ge=1)
    """The step that is being done or at which the run ended, from 1."""
    of: int = Field(ge=1)
    ended: bool = False
    """False while the step is being done: a record that says so was interrupted there."""
    halt: Halt | None = None
    """Why it ended before its last step."""
    values: Mapping[str, str] = Field(default_factory=dict)
    """What read steps have read."""
    did: tuple[DoneStep, ...] = ()
    """Of a run by a model: every step that it proposed, in order."""
    asked: LastView | None = None
    """The last button that the owner was asked about."""
    pressing: bool = False
    """Whether the owner allowed it, so that it is being pressed or, where the run ended without a halt, was."""


class TouchWatch(Protocol):
    """Whether the owner has touched the screen (``owner_touch.OwnerTouch``)."""

    touched: bool
    unwatched: Text


ProgressRecorder = Callable[[Progress], None]
"""Called before each step; returns when the progress is stored."""


class Player:
    """Plays the steps of one run."""

    def __init__(
        self,
        device: Device,
        driver: ScreenDriver,
        touch: TouchWatch,
        note: ProgressRecorder,
        *,
        app: str,
        risk: Risk,
        leave: Leave = Leave.STAY,
    ) -> None:
        """Does nothing yet.

        Args:
            device: the phone.
            driver: reads and operates its screen.
            touch: whether the owner touches it.
            note: stores the progress before each step.
            app: the package that is operated.
            risk: the class of the call that the steps carry out.
            leave: what happens where the run stops.
        """
        self._device, self._driver, self._touch, self._note = device, driver, touch, note
        self._app, self._risk, self._leave = app, risk, leave
        self._values: dict[str, str] = {}

    async def play(self, steps: Sequence[AnyStep]) -> Progress:
        """Does the steps in order and returns how far it got.

        Raises ``DeviceLostError`` when the phone goes away: whether the step noted last was done is then unknown.
        """
        began = (await self.look()).front if self._leave is Leave.BACK else ""
        touches = 0
        for number, step in enumerate(steps, 1):
            progress = Progress(step=number, of=len(steps), values=dict(self._values))
            self._note(progress)
            halt = await self.do(step)
            if halt is not None:
                if self._leave is Leave.BACK:
                    await self._go_back(began, touches, halt)
                return progress.model_copy(update={"ended": True, "halt": halt})
            touches += isinstance(step, TapStep | LongPressStep)
        return Progress(step=len(steps), of=len(steps), ended=True, values=dict(self._values))

    async def settled(self, seconds: float) -> VisibleScreen | Halt:
        """Returns the screen once it stands still and the app may be operated on it, or why it may not by the deadline.

        A screen that never stands still is returned as it is. Raises ``DeviceLostError`` when the phone goes away.
        """
        seen: list[VisibleScreen] = []

        async def ready() -> Halt | None:
            seen.append(await self.look())
            return check_screen(seen[-1], self._app)

        try:
            halt = await self._until(seconds, ready)
            for _ in range(_MOST_LOOKS):
                halt = halt or await self._until(seconds, ready) or self._by_owner()
                if halt is not None or seen[-1] == seen[-2]:
                    break
                await asyncio.sleep(_LOOK_AGAIN_S)
            return halt or seen[-1]
        except DeviceLostError:
            raise
        except DeviceError as error:
            return Halt(reason=HaltReason.REFUSED, message=message_of(error))

    async def press(self, asked: LastView) -> Halt | None:
        """Presses a last button that the owner has just allowed, where the screen is still the same.

        Returns why it was not pressed; raises ``DeviceLostError`` when the phone goes away.
        """
        try:
            permit = judge_press(await self.look(), asked, self._risk)
            halt = permit if isinstance(permit, Halt) else self._by_owner()
            if halt is None:
                await self._driver.tap(asked.bounds.center)
            return halt
        except DeviceLostError:
            raise
        except DeviceError as error:
            return Halt(reason=HaltReason.REFUSED, message=message_of(error))

    async def do(self, step: AnyStep) -> Halt | None:
        """Does one step and returns why it was not done; raises ``DeviceLostError`` when the phone goes away."""
        try:
            if isinstance(step, LaunchStep):
                return await self._launch(step)
            already = await self._already(step) if isinstance(step, TapStep) and step.unless else False
            if already:
                return already if isinstance(already, Halt) else None
            permit = await self._permitted(step)
            if isinstance(permit, Halt):
                return permit
            if isinstance(step, ScrollToStep):
                return await self._scroll_to(step)
            await self._act(step, permit)
            return await self._until(step.seconds, lambda: self._confirmed(step))
        except DeviceLostError:
            raise
        except DeviceError as error:
            return Halt(reason=HaltReason.REFUSED, message=message_of(error))

    async def _already(self, step: TapStep) -> bool | Halt:
        """Returns whether the screen shows already what the tap would bring; waits until that or its view is there."""
        already = False

        async def seen() -> Halt | None:
            nonlocal already
            screen = await self.look()
            halt = check_screen(screen, self._app)
            if halt is not None:
                return halt
            already = all(matching(screen.hierarchy, locator, self._app) for locator in step.unless)
            permit = judge(screen, step, self._app, self._risk)
            return permit if isinstance(permit, Halt) and not already else None

        return await self._until(step.seconds, seen) or already

    # --- before ---------------------------------------------------------------------------------------------------
    async def _permitted(self, step: AnyStep) -> Permit | Halt:
        """Returns the permit as soon as the screen allows the step, or why it does not by the step's deadline."""
        permit = Permit()

        async def ready() -> Halt | None:
            nonlocal permit
            judged = judge(await self.look(), step, self._app, self._risk)
            if isinstance(judged, Halt):
                return judged
            permit = judged
            return None

        return await self._until(step.seconds, ready) or self._by_owner() or permit

    async def _until(self, seconds: float, check: Callable[[], Awaitable[Halt | None]]) -> Halt | None:
        """Returns None as soon as ``check`` does; its halt at once where it cannot pass, else at the deadline."""
        clock = asyncio.get_running_loop().time
        end = clock() + seconds
        while True:
            try:
                halt = self._by_owner() or await check()
            except UnreadableError as error:  # while a window is being changed, the screen has no views
                halt = Halt(reason=HaltReason.MISSING, message=message_of(error))
            if halt is None or halt.reason not in {*PASSING, HaltReason.NOT_SHOWN} or clock() >= end:
                return halt
            await asyncio.sleep(_LOOK_AGAIN_S)

    def _by_owner(self) -> Halt | None:
        if self._touch.unwatched:
            message = msg("Whether you touch the screen cannot be read: {reason}", reason=self._touch.unwatched)
            return Halt(reason=HaltReason.UNWATCHED, message=message)
        if self._touch.touched:
            return Halt(reason=HaltReason.TOUCHED, message=msg("You touched the screen."))
        return None

    async def look(self) -> VisibleScreen:
        """Returns what is on the screen now; raises ``DeviceError`` where it cannot be read."""
        return await look(self._device, self._driver)

    # --- the step itself --------------------------------------------------------------------------------------------
    async def _act(self, step: AnyStep, permit: Permit) -> None:
        match step:
            case TapStep() if permit.point:
                for _ in range(step.times):
                    await self._driver.tap(permit.point)
            case LongPressStep() if permit.point:
                await self._driver.long_press(permit.point)
            case TypeStep() if permit.node:
                await self._type(step, permit.node)
            case SwipeStep():
                await self._driver.swipe(step.direction)
            case BackStep():
                await self._driver.press(Key.BACK)
            case HomeStep():
                await self._driver.press(Key.HOME)
            case ReadStep() if permit.node:
                self._values[step.into] = permit.node.text or permit.node.description

    async def _type(self, step: TypeStep, field: Node) -> None:
        screen = await self.look()
        alone = sum(node.resource_id == field.resource_id for node in screen.hierarchy.nodes()) == 1
        await self._driver.enter(step.text, field, alone)
        if step.enter and self._by_owner() is None:
            await self._driver.press(Key.ENTER)

    async def _launch(self, step: LaunchStep) -> Halt | None:
        halt = check_screen(await self.look(), "") or self._by_owner()
        if halt is not None:
            return halt
        app = Installed(package=self._app, name=self._app, zh=self._app)
        await run(self._device, await launch(self._device, app))
        return await self._until(step.seconds, lambda: self._confirmed(step))

    async def _scroll_to(self, step: ScrollToStep) -> Halt | None:
        before = None
        for _ in range(step.most + 1):
            screen = await self.look()
            halt = check_screen(screen, self._app) or self._by_owner()
            if halt is not None:
                return halt
            if matching(screen.hierarchy, step.view, self._app):
                return None
            if screen.hierarchy == before:
                break
            before = screen.hierarchy
            await self._driver.swipe(step.direction)
            await asyncio.sleep(_SETTLE_S)
        return Halt(reason=HaltReason.MISSING, message=msg("{view} is not in the list.", view=wording(step.view)))

    # --- after ------------------------------------------------------------------------------------------------------
    async def _confirmed(self, step: AnyStep) -> Halt | None:
        """Returns what still lacks for the step to be done."""
        if isinstance(step, AskStep):
            return Halt(reason=HaltReason.ASKED, message=msg("The next step needs your answer."))
        screen = await self.look()
        if isinstance(step, HomeStep):
            away = screen.front.partition("/")[0] != self._app
            return None if away else Halt(reason=HaltReason.NOT_SHOWN, message=msg("The app is still in front."))
        return check_screen(screen, self._app) or shown(screen, step, self._app)

    async def _go_back(self, began: str, most: int, halt: Halt) -> None:
        """Presses Back until the window where the run began is in front, as long as nobody else has the screen."""
        if halt.reason in (HaltReason.TOUCHED, HaltReason.UNWATCHED, HaltReason.REFUSED):
            return
        for _ in range(most):
            screen = await self.look()
            if screen.front == began or check_screen(screen, self._app) or self._by_owner():
                return
            await self._driver.press(Key.BACK)
            await asyncio.sleep(_SETTLE_S)


async def look(device: Device, driver: ScreenDriver) -> VisibleScreen:
    """Returns what is on the screen now; raises ``DeviceError`` where it cannot be read."""
    power, activities, secure = await observe(device, POWER, ACTIVITIES, SECURE_WINDOWS)
    front = window_title(activities)
    return VisibleScreen(
        hierarchy=await driver.views(),
        front=front,
        focus=activities.focus or "",
        awake=power.awake,
        locked=bool(activities.locked),
        protected=front in secure or activities.focus in secure,
    )
