"""Records the owner's steps on one phone from events, touches and the views on the screen.

Nothing is polled: the views are read once after a change, when the screen is still. Only while a text field has the
focus they are read repeatedly for a limited time, because typing causes no event. The target of a touch is looked up
in the views that were on the screen before it; a step without a certain target has none.

Nothing is recorded while the phone is locked, where its PIN is entered, in excluded apps and on protected screens,
except that there was such a screen.
"""

import asyncio
import logging
from contextlib import aclosing
from datetime import datetime, timedelta

from android_bridge.device import Device
from android_bridge.events import AppForeground, PhoneEvent, ScreenChanged, ScreenState
from android_bridge.events.touch import Gesture, gestures
from android_bridge.facts.activities import ACTIVITIES
from android_bridge.facts.clock import CLOCK
from android_bridge.facts.power import POWER
from android_bridge.facts.reader import UnreadableError
from collectors.behaviour_log import BehaviourLog
from collectors.config import CollectorsConfig
from collectors.frames import RECENT, Album, NoFrameError, ProtectedError
from collectors.limits import clean_text
from collectors.trajectory.current_place import CurrentPlace
from collectors.trajectory.gestures import interpret_gesture
from collectors.trajectory.screen_observer import HiddenReason, ScreenObservation, ScreenObserver
from collectors.trajectory.steps import StepKind, TrajectoryStep
from collectors.trajectory.typing import TypedText, Typing
from collectors.trajectory.views import Views
from collectors.trajectory.visits import Visit
from heed.clock import PhoneClock
from heed.errors import DeviceError, DeviceLostError, PersonError

log = logging.getLogger(__name__)

MOST_STEPS = 200
"""Maximum number of steps kept; ten busy minutes have fewer."""
SETTLE_S, LONGEST_CHANGE_S = 0.6, 5.0
"""Seconds without a change after which the screen counts as still, and after which it is read in any case."""
TYPING_LOOK_S, TYPING_S = 2.0, 60.0
"""While a text field has the focus: seconds between readings of the screen, and for how many seconds."""
BEFORE_SWITCH_S = 0.3
"""A touch that ends this soon (seconds) after a switch of apps belongs to the previous app."""
SAME_TIME = timedelta(seconds=30)
"""Maximum difference between the phone's clock and the host's copy of it."""
OPENED_S = 5.0
"""An app that comes to the foreground this soon (seconds) after a touch was opened by the owner."""


class Recorder:
    """Records the trajectory of one phone: call ``handle`` with each event, and keep ``run`` running.

    Args:
        device: the phone.
        clock: of the phone; set by ``run``.
        config: the collectors' configuration.
        album: stores the pictures of the screen; shared with the phone's snapshotter.
    """

    def __init__(self, device: Device, clock: PhoneClock, config: CollectorsConfig, *, album: Album) -> None:
        self._device, self._clock, self._config, self._album = device, clock, config, album
        self._views = Views(device, uses_helper=config.trajectory.helper)
        album.read_views = self._views.read
        self._observer = ScreenObserver(device, config.excluded_apps, self._views)
        self._log = BehaviourLog(config.behaviour_log)
        self._place = CurrentPlace(device, clock, config)
        self._typing = Typing()
        self._steps: list[TrajectoryStep] = []
        self._ended: list[Visit] = []
        """Visits that are not yet in the log."""
        self._package = ""
        self._visit: Visit | None = None
        """The visit to the app in the foreground; None while nothing is recorded."""
        self._look: ScreenObservation | None = None
        """The last reading of the screen, while it is still valid."""
        self._before: tuple[Visit | None, ScreenObservation | None] = (None, None)
        """Visit and reading before the last switch of apps."""
        self._sees_touches = False
        self._touched_at = self._switched_at = self._focused_at = float("-inf")
        self._changed, self._rested = asyncio.Event(), asyncio.Event()

    # --- public methods ---------------------------------------------------------------------------------------------
    def steps(self, now: datetime) -> tuple[TrajectoryStep, ...]:
        """The steps of the last ten minutes, oldest first."""
        # Steps from before the clock was set back lie in its future.
        return tuple(step for step in self._steps if now - RECENT <= step.at <= now + SAME_TIME)

    def handle(self, event: PhoneEvent) -> None:
        """Process one event of the phone's stream."""
        match event:
            case AppForeground():
                self._switch(event.package, event.at)
            case ScreenChanged():
                self._turn(event.state, event.at)

    async def idle(self) -> None:
        """Wait until all events and touches so far are recorded."""
        await self._rested.wait()

    async def run(self) -> None:
        """Record until cancelled; ``DeviceError`` when the phone goes away."""
        await self._begin()
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._follow_touches())
                tasks.create_task(self._look_after_changes())
        except* DeviceError as lost:
            raise lost.exceptions[0] from lost
        finally:
            self._album.withheld = ""
            self._end_visit()
            self._write("")
            await self._views.close()

    async def _begin(self) -> None:
        clock, power, activities = await self._device.read_many([CLOCK, POWER, ACTIVITIES])
        if not isinstance(clock, UnreadableError):
            self._clock.set(clock)
        if isinstance(power, UnreadableError) or isinstance(activities, UnreadableError):
            return
        if power.awake and not activities.locked and activities.foreground and self._visit is None:
            self._package = activities.foreground.package
            self._begin_visit(self._clock.wall())
        self._change()

    # --- apps and the screen ----------------------------------------------------------------------------------------
    def _switch(self, package: str, at: datetime) -> None:
        if package == self._package and self._visit is not None:
            return
        now = _now()
        self._type(self._typing.interrupted())
        self._before, self._switched_at = (self._visit, self._look), now
        self._end_visit()
        self._package = package
        if package in self._config.excluded_apps:
            self._add(TrajectoryStep(at=at, kind=StepKind.PRIVATE))
        else:
            by_person = not self._sees_touches or now - self._touched_at <= OPENED_S
            self._add(TrajectoryStep(at=at, kind=StepKind.OPEN if by_person else StepKind.APPEAR, package=package))
            self._begin_visit(at).by_person = by_person
        self._change()

    def _turn(self, state: ScreenState, at: datetime) -> None:
        self._type(self._typing.interrupted())
        self._end_visit()
        self._add(TrajectoryStep(at=at, kind=StepKind.SCREEN, target=str(state)))
        if state is ScreenState.UNLOCKED and self._package and self._package not in self._config.excluded_apps:
            # The previous app is in the foreground again, and there is no event of it.
            self._begin_visit(at)
        self._change()

    def _begin_visit(self, at: datetime) -> Visit:
        self._visit = Visit(self._package, at)
        return self._visit

    def _end_visit(self) -> None:
        if self._visit is not None:
            self._ended.append(self._visit)
        self._visit = self._look = None
        self._typing.forget()

    # --- touches ----------------------------------------------------------------------------------------------------
    async def _follow_touches(self) -> None:
        try:
            async with aclosing(gestures(self._device)) as stream:
                self._sees_touches = True
                async for gesture in stream:
                    self._touch(gesture)
        except UnreadableError as error:
            log.warning("%s: touches are not recorded: %s", self._device.serial, error)
        finally:
            self._sees_touches = False

    def _touch(self, gesture: Gesture) -> None:
        self._touched_at = _now()
        if self._touched_at - self._switched_at <= BEFORE_SWITCH_S:
            self._touch_before_switch(gesture)
        elif self._visit is not None:
            step = self._touched(gesture, self._visit, self._look)
            if step is None:
                self._typing.key()
            else:
                self._type(self._typing.interrupted())
                self._add(step)
                self._look = None
        self._change()

    def _touch_before_switch(self, gesture: Gesture) -> None:
        visit, look = self._before
        opened = self._steps.pop() if self._steps else None
        if visit is not None and (step := self._touched(gesture, visit, look)):
            self._add(step.model_copy(update={"at": min(step.at, opened.at)}) if opened else step)
        if opened is not None:
            # This touch opened the app.
            kind = StepKind.OPEN if opened.kind is StepKind.APPEAR else opened.kind
            self._steps.append(opened.model_copy(update={"kind": kind}))
        if self._visit is not None:
            self._visit.by_person = True

    def _touched(self, gesture: Gesture, visit: Visit, look: ScreenObservation | None) -> TrajectoryStep | None:
        """The step of a gesture; None for a pressed key, and where nothing may be recorded."""
        if look is not None and look.hidden is not HiddenReason.NO:
            return None
        what = interpret_gesture(gesture, look.tree if look else None, look.keyboard if look else "")
        if what.key:
            return None
        step = TrajectoryStep(
            at=self._moment(),
            kind=what.kind,
            package=visit.package,
            target=clean_text(what.target),
            direction=what.direction,
        )
        visit.steps.append(step)
        return step

    # --- reading the screen -----------------------------------------------------------------------------------------
    def _change(self) -> None:
        self._rested.clear()
        self._changed.set()

    async def _look_after_changes(self) -> None:
        while True:
            await self._until_changed()
            await self._until_still()
            await self._see()
            if not self._changed.is_set():
                self._rested.set()

    async def _until_changed(self) -> None:
        is_typing = self._typing.going_on and _now() - self._focused_at <= TYPING_S
        try:
            async with asyncio.timeout(TYPING_LOOK_S if is_typing else None):
                await self._changed.wait()
        except TimeoutError:
            return

    async def _until_still(self) -> None:
        latest = _now() + LONGEST_CHANGE_S
        while self._changed.is_set() and _now() < latest:
            self._changed.clear()
            try:
                async with asyncio.timeout(SETTLE_S):
                    await self._changed.wait()
            except TimeoutError:
                return

    async def _see(self) -> None:
        self._changed.clear()
        try:
            look = await self._observer.observe()
            if not self._changed.is_set():
                self._take_in(look)
                await self._picture(look)
            await self._log_visits()
        except DeviceLostError:
            raise
        except PersonError as error:
            log.warning("%s: not recorded: %s", self._device.serial, error)

    def _take_in(self, look: ScreenObservation) -> None:
        self._album.withheld = look.withheld
        if look.hidden is HiddenReason.ASLEEP:
            self._end_visit()
            return
        if look.package and look.package != self._package:  # without an event
            self._switch(look.package, self._moment())
            self._changed.clear()
        self._look = look
        if look.hidden is HiddenReason.PROTECTED:
            self._protect()
        if look.tree is not None:
            was_typing = self._typing.going_on
            for typed in self._typing.see(look.tree):
                self._type(typed)
            if self._typing.going_on and not was_typing:
                self._focused_at = _now()

    async def _picture(self, look: ScreenObservation) -> None:
        if not self._album.enabled or look.withheld:
            return
        try:
            picture = await self._album.take()
            # After a touch the picture may show a page whose views were not read, with a password on it.
            if not self._changed.is_set():
                await self._album.keep(picture, self._clock.wall())
        except ProtectedError:
            self._protect()
        except NoFrameError:
            return

    def _moment(self) -> datetime:
        """The current time of the phone in milliseconds, the precision of its events."""
        now = self._clock.wall()
        return now.replace(microsecond=now.microsecond // 1000 * 1000)

    # --- storing steps and visits -----------------------------------------------------------------------------------
    def _add(self, step: TrajectoryStep) -> None:
        self._steps.append(step)
        del self._steps[:-MOST_STEPS]

    def _protect(self) -> None:
        if self._visit is not None and not self._visit.protected:
            self._visit.protected = True
            self._add(TrajectoryStep(at=self._moment(), kind=StepKind.PROTECTED, package=self._visit.package))

    def _type(self, typed: TypedText | None) -> None:
        """Store typed text; further text in the same field extends the last step."""
        if typed is None or self._visit is None:
            return
        kind = StepKind.PASSWORD if typed.password else StepKind.TYPE
        text = clean_text(typed.text) if self._config.trajectory.typed_text else ""
        step = TrajectoryStep(at=self._moment(), kind=kind, package=self._visit.package, target=typed.field, text=text)
        last = self._steps[-1] if self._steps else None
        if last and (last.kind, last.package, last.target) == (step.kind, step.package, step.target):
            self._steps[-1] = last.model_copy(update={"text": step.text or last.text})
            return
        self._add(step)
        self._visit.steps.append(step)
        self._focused_at = _now()

    async def _log_visits(self) -> None:
        if self._ended:
            place = await self._place.place()
            await asyncio.to_thread(self._write, place)

    def _write(self, place: str) -> None:
        ended, self._ended = self._ended, []
        entries = [entry for visit in ended if (entry := visit.entry(place, self._config.language))]
        if entries and self._config.trajectory.log:
            self._log.extend(entries)


def _now() -> float:
    return asyncio.get_running_loop().time()
