"""A person who teaches on the virtual phone: touches it when heed has read the screen, as one does who reads along."""

import asyncio
from collections.abc import Sequence

from agent.teaching.recording import TaskRecording, TouchMoment
from agent.teaching.session import record_task
from android_bridge.device import Device
from virtual_phone import VirtualPhone
from virtual_phone.scenario.touch_events import KeyEvent, SwipeEvent, TapEvent, TypeEvent
from virtual_phone.ui.screen import Screen
from virtual_phone.ui.tree import ViewNode

DEADLINE_S, DEED_S = 12.0, 3.0
"""Deadline of a recording, and what it has beyond that for each deed."""
REACTION_S = 0.3
"""Nobody touches faster what has just appeared."""
Deed = tuple[str, ...]
"""``tap WORDS``, ``hold WORDS`` (a long press), ``tap_in ROW WORDS_OR_ID`` (a view in a row),
``type TEXT``, ``secret TEXT``, ``key NAME``, ``scroll``, ``back``, ``home``."""


class Person:
    """Does deeds on a phone, one for each time that heed tells it is ready."""

    def __init__(self, phone: VirtualPhone, deeds: Sequence[Deed]) -> None:
        self.phone, self.deeds, self.stop = phone, list(deeds), asyncio.Event()
        self._told: asyncio.Queue[TouchMoment | None] = asyncio.Queue()

    async def teach(self, device: Device, app: str) -> TaskRecording:
        """The recording of all deeds."""
        recording = asyncio.create_task(record_task(device, app, stop=self.stop, told=self._told.put_nowait))
        acting = asyncio.create_task(self._act())
        try:
            async with asyncio.timeout(DEADLINE_S + DEED_S * len(self.deeds)):
                await asyncio.wait([acting, recording], return_when=asyncio.FIRST_COMPLETED)
                if acting.done():
                    await acting
                return await recording
        finally:
            acting.cancel()
            recording.cancel()

    async def _act(self) -> None:
        await self._told.get()
        await self.phone.state.touchscreen.followed()
        for kind, *words in self.deeds:
            await asyncio.sleep(REACTION_S)
            self.do(kind, *words)
            if kind == "secret":
                continue  # heed tells nothing of it
            if kind == "type":
                while not (moment := await self._told.get()) or not any(
                    one.field.text.endswith(words[0]) or one.field.password for one in moment.typed
                ):
                    pass
            else:
                await self._told.get()
        self.stop.set()

    def do(self, kind: str, *words: str) -> None:
        """One deed."""
        state = self.phone.state
        match kind:
            case "tap":
                TapEvent(text=words[0]).apply(state)
            case "hold":
                TapEvent(text=words[0], seconds=0.8).apply(state)
            case "tap_in":
                x, y = self.place_in(*words)
                TapEvent(x=x, y=y).apply(state)
            case "type" | "secret":
                TypeEvent(words[0]).apply(state)
            case "key":
                KeyEvent(words[0]).apply(state)
            case "scroll":
                width, height = state.display.width, state.display.height
                SwipeEvent(start=(width // 2, height * 3 // 4), end=(width // 2, height // 4)).apply(state)
            case "home":
                width, height = state.display.width, state.display.height
                SwipeEvent(start=(width // 2, height - 1), end=(width // 2, height // 2)).apply(state)
            case "back":
                SwipeEvent(start=(4, 1000), end=(500, 1000)).apply(state)

    def place_in(self, row: str, what: str) -> tuple[int, int]:
        """The middle of what a row holds: by its resource id or its description; an empty row: anywhere."""
        for window in reversed(Screen(self.phone.state).windows()):
            for node in window.root.walk():
                if node.tap is not None and (not row or _shows(node, row)):
                    inner = [one for one in node.walk() if what in (one.resource, one.description, one.text)]
                    if inner:
                        return inner[0].box.center
        raise AssertionError(f"{what} is not in {row}")


def _shows(node: ViewNode, text: str) -> bool:
    return any(text in (one.text, one.description) for one in node.walk())
