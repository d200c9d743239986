"""Records what the owner does in one app: each touch with the view that it reached, and what was typed into fields.

The target of a touch is looked up in the views that were read before it. A touch on a screen that was not read since
it changed ends the recording: a view is never guessed. Nothing is read of protected windows, of excluded apps and while
the phone is locked, and no text of a password field is kept.
"""

import asyncio
import contextlib
import math
from collections.abc import Callable, Container
from contextlib import aclosing
from typing import NamedTuple

from agent.teaching.recording import TaskRecording, TeachingError, TouchKind, TouchMoment, TypedField
from android_bridge.device import Device
from android_bridge.events.touch import Gesture, gestures
from android_bridge.facts.hierarchy import Hierarchy, Node
from android_bridge.ui import Direction
from collectors.trajectory.gestures import LONG_S, MOVED
from collectors.trajectory.screen_observer import HiddenReason, ScreenObservation, ScreenObserver
from collectors.trajectory.target import fields
from collectors.trajectory.views import Views
from executors.steps.find import contains, topmost
from executors.steps.last_buttons import is_secret
from heed.errors import DeviceError
from heed.messages import Text, msg

LOOK_AGAIN_S = 0.4
"""Seconds between two readings of the screen."""
_STILL_S, _LONGEST_CHANGE_S = 0.5, 8.0
"""Seconds between two equal readings of a screen that stands still, and after which it is taken in any case."""
_MARGIN_S = 0.15
"""A touch is reported so much later than the finger is lifted, at most; seconds."""
_EDGE = 0.03
"""A swipe that begins so near to the left or right edge, as a share of the width, is the gesture for Back."""
_SYSTEM_UI = "com.android.systemui"
_Key = tuple[str, int]

Told = Callable[[TouchMoment | None], None]
"""Called when the screen was read and the next touch may come: with the touch before, or with text that was typed (a
moment without a kind); None at the beginning."""


class _Look(NamedTuple):
    """The views on the screen, and when they had been read."""

    screen: Hierarchy
    keyboard: str
    taken: float


class _EndedError(Exception):
    """The recording ended by itself, with the last touch where it led out of the app."""

    def __init__(self, why: Text, moment: TouchMoment | None = None) -> None:
        super().__init__(why)
        self.why, self.moment = why, moment


class TaskRecorder:
    """Records one app on one phone."""

    def __init__(self, device: Device, app: str, excluded: frozenset[str], views: Views, told: Told) -> None:
        """Args: ``views`` reads the screen and is closed by whoever made it."""
        self._device, self._app, self._told = device, app, told
        self._observer = ScreenObserver(device, excluded, views)
        self._touches: asyncio.Queue[tuple[Gesture, float]] = asyncio.Queue()
        self._moments: list[TouchMoment] = []
        self._empty: dict[_Key, str] = {}
        self._secret: set[_Key] = set()
        """Fields that take a password or a code, as their hint says while they are empty."""
        self._typing = False

    async def record(self, language: str, stop: asyncio.Event) -> TaskRecording:
        """Records until ``stop`` is set, or the app is left.

        Raises ``TeachingError`` where it must not or cannot go on, ``DeviceError`` when the phone does not answer.
        """
        reading = asyncio.Event()
        following = asyncio.create_task(self._follow(reading))
        try:
            await _first_of(following, reading)
            look = await self._still()
            first = look.screen
            ended: Text = ""
            self._begin_page(look.screen)
            self._told(None)
            try:
                await self._moments_until(stop, look, following)
            except _EndedError as reason:
                ended = reason.why
                self._moments.extend([reason.moment] if reason.moment else [])
        finally:
            following.cancel()
            with contextlib.suppress(asyncio.CancelledError, DeviceError):
                await following
        return TaskRecording(self._app, language, first, tuple(self._moments), ended)

    async def _follow(self, reading: asyncio.Event) -> None:
        async with aclosing(gestures(self._device, reading)) as stream:
            async for gesture in stream:
                self._touches.put_nowait((gesture, _now()))

    async def _moments_until(self, stop: asyncio.Event, look: _Look, following: "asyncio.Task[None]") -> None:
        fresh = look
        while not stop.is_set():
            if following.done():
                following.result()
            touch = await self._next_touch(stop)
            if touch is None:
                fresh = await self._again(fresh)
                continue
            gesture, reported = touch
            if self._is_key(gesture, fresh):
                self._typing = True
                continue
            if self._typing or fresh.taken > reported - _MARGIN_S:
                raise TeachingError(
                    msg("You touched the screen before heed had read it, so what you touched is not certain."),
                    msg("Begin again, and wait after each touch until its line appears."),
                )
            before = fresh.screen
            moment, fresh = await self._moment(gesture, fresh)
            if _only_typed(before, fresh.screen):  # a key of a keyboard that lies over the app and has no views
                self._told(TouchMoment(None, fresh.screen, fresh.screen, typed=self._typed(fresh.screen)))
                continue
            self._begin_page(fresh.screen)
            self._moments.append(moment)
            self._told(moment)
        self._moments.append(TouchMoment(None, fresh.screen, fresh.screen, typed=self._typed(fresh.screen)))

    async def _next_touch(self, stop: asyncio.Event) -> tuple[Gesture, float] | None:
        waiting = [asyncio.ensure_future(self._touches.get()), asyncio.ensure_future(stop.wait())]
        done, pending = await asyncio.wait(waiting, timeout=LOOK_AGAIN_S, return_when=asyncio.FIRST_COMPLETED)
        for task in pending:
            task.cancel()
        return waiting[0].result() if waiting[0] in done else None  # type: ignore[return-value]

    async def _again(self, known: _Look) -> _Look:
        """Reads the screen once more: what appears late, and what is typed. A touch meanwhile makes it void."""
        look = await self._look()
        if not self._touches.empty():
            return known
        if look is None:
            return known
        self._typing = False
        if look.screen == known.screen:
            return known
        if (typed := self._typed(look.screen)) != self._typed(known.screen):
            self._told(TouchMoment(None, look.screen, look.screen, typed=typed))
        return look

    # --- one touch --------------------------------------------------------------------------------------------------
    async def _moment(self, gesture: Gesture, look: _Look) -> tuple[TouchMoment, _Look]:
        kind, direction = _meaning(gesture, look.screen)
        point = gesture.turned(look.screen.rotation).start
        target = topmost(look.screen, point) if kind in (TouchKind.TAP, TouchKind.LONG_PRESS) else None
        if target is not None and target.package == _SYSTEM_UI and target.resource_id.endswith(":id/back"):
            kind, target = TouchKind.BACK, None
        typed, began = self._typed(look.screen), _now()
        moment = TouchMoment(kind, look.screen, look.screen, target, direction, typed=typed)
        after = await self._still(moment)
        return moment._replace(after=after.screen, seconds=_now() - began), after

    def _is_key(self, gesture: Gesture, look: _Look) -> bool:
        """Whether a touch reached the keyboard; which key it was, is told by the field alone."""
        point = gesture.turned(look.screen.rotation).start
        keyboard = [root for root in look.screen.roots if root.package == look.keyboard]
        if any(contains(root, point) for root in keyboard):
            return True
        is_typing = any(node.focused for node in fields(look.screen))
        reached = any(contains(node, point) for root in look.screen.roots for node in root.walk() if not node.children)
        return is_typing and not reached

    # --- fields -----------------------------------------------------------------------------------------------------
    def _begin_page(self, screen: Hierarchy) -> None:
        """Notes what the fields show before anything is typed."""
        self._empty = {key: field.text for key, field in _keyed(screen)}

    def _typed(self, screen: Hierarchy) -> tuple[TypedField, ...]:
        found = []
        for key, field in _keyed(screen):
            known = self._empty.get(key)
            if key in self._secret:
                if field.focused:
                    found.append(TypedField(screen, field, "", secret=True))
            elif known is not None and known != field.text:
                found.append(TypedField(screen, field, known))
        return tuple(found)

    # --- the screen -------------------------------------------------------------------------------------------------
    async def _still(self, moment: TouchMoment | None = None) -> _Look:
        """Reads the screen until it stands still; ``moment`` is the touch that may have led out of the app."""
        end, known = _now() + _LONGEST_CHANGE_S, None
        while True:
            look = await self._look(moment)
            if look is not None and known is not None and look.screen == known.screen:
                return known  # it has stood like this since then
            if look is not None and _now() >= end:
                return look
            if look is None and _now() >= end:
                raise TeachingError(msg("The screen cannot be read: it never stands still."))
            known = look or known
            await asyncio.sleep(_STILL_S)

    async def _look(self, moment: TouchMoment | None = None) -> _Look | None:
        seen = await self._observer.observe()
        _refuse_hidden(seen)
        if seen.package != self._app:
            if moment is None and not self._moments:
                return None
            left = moment._replace(left=True) if moment is not None else None
            raise _EndedError(msg("The recording ended when you left the app."), left)
        return _Look(self._without_secrets(seen.tree), seen.keyboard, _now()) if seen.tree is not None else None

    def _without_secrets(self, screen: Hierarchy) -> Hierarchy:
        """Returns the views without the texts of fields that take a password or a code."""
        known = _keyed(screen)
        self._secret |= {key for key, field in known if is_secret_field(field)}
        hidden = {id(field) for key, field in known if key in self._secret}
        return screen.model_copy(update={"roots": tuple(_masked(root, hidden) for root in screen.roots)})


def _only_typed(before: Hierarchy, after: Hierarchy) -> bool:
    """Whether nothing but the text of the field with the focus is otherwise."""
    focused = [[(key, field.text) for key, field in _keyed(screen) if field.focused] for screen in (before, after)]
    if not focused[0] or focused[0] == focused[1] or [key for key, _ in focused[0]] != [key for key, _ in focused[1]]:
        return False
    shown = [
        [(node.class_name, node.resource_id, "" if node.focused else node.text) for node in screen.nodes()]
        for screen in (before, after)
    ]
    return shown[0] == shown[1]


def _refuse_hidden(seen: ScreenObservation) -> None:
    if seen.hidden is HiddenReason.NO:
        return
    why = {
        HiddenReason.ASLEEP: msg("The screen is off or locked, so the recording ended and nothing was kept."),
        HiddenReason.PRIVATE: msg("An excluded app is in front, so the recording ended and nothing was kept."),
        HiddenReason.PROTECTED: msg("A protected window is in front, so the recording ended and nothing was kept."),
    }
    raise TeachingError(why[seen.hidden])


def is_secret_field(field: Node) -> bool:
    """Whether a text field takes a password or a code, by its kind or by its words."""
    return field.password or is_secret((field.text, field.description), field.resource_id)


def _masked(node: Node, hidden: Container[int]) -> Node:
    """Returns a view without the texts of password fields and of those whose ``id()`` is in ``hidden``."""
    text = "" if node.password or id(node) in hidden else node.text
    return node.model_copy(update={"text": text, "children": tuple(_masked(one, hidden) for one in node.children)})


def _keyed(screen: Hierarchy) -> list[tuple[_Key, Node]]:
    """The fields by resource id, and number where they have none."""
    return [((field.resource_id, 0 if field.resource_id else n), field) for n, field in enumerate(fields(screen))]


def _meaning(gesture: Gesture, screen: Hierarchy) -> tuple[TouchKind, Direction]:
    if gesture.fingers > 1:
        raise TeachingError(msg("heed cannot learn touches with several fingers."), msg("Begin again without them."))
    seen = gesture.turned(screen.rotation)
    (x, y), (to_x, to_y) = seen.start, seen.end
    if math.hypot(to_x - x, to_y - y) <= MOVED * max(gesture.screen):
        return (TouchKind.LONG_PRESS if gesture.seconds >= LONG_S else TouchKind.TAP), Direction.DOWN
    width = gesture.screen[screen.rotation % 2]
    if abs(to_x - x) > abs(to_y - y):
        if min(x, width - x) <= _EDGE * width:
            return TouchKind.BACK, Direction.DOWN
        return TouchKind.SWIPE, Direction.RIGHT if to_x < x else Direction.LEFT
    return TouchKind.SCROLL, Direction.DOWN if to_y < y else Direction.UP


async def _first_of(following: "asyncio.Task[None]", reading: asyncio.Event) -> None:
    """Waits until touches are read; raises what ``following`` raised where they cannot be."""
    waiting = asyncio.ensure_future(reading.wait())
    await asyncio.wait([following, waiting], return_when=asyncio.FIRST_COMPLETED)
    if not waiting.done():
        waiting.cancel()
        following.result()


def _now() -> float:
    return asyncio.get_running_loop().time()
