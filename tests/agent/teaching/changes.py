"""What may change in an app and on a phone between teaching a task and doing it again."""

from collections.abc import Callable, Mapping

import pytest

from tests.executors.acting import WatchedPhone
from virtual_phone.shell.call import Program, ProgramCall
from virtual_phone.state.intents import Intent
from virtual_phone.state.touchscreen import TouchscreenState
from virtual_phone.ui import words
from virtual_phone.ui.page import ScreenPage
from virtual_phone.ui.tree import ViewNode

Change = Callable[[WatchedPhone, pytest.MonkeyPatch], None]


def _other_texts(phone: WatchedPhone, patch: pytest.MonkeyPatch) -> None:
    """An update of the apps: every word on their screens reads otherwise."""
    for key, (english, chinese) in list(words.table().items()):
        patch.setitem(words.table(), key, [f"{english} (new)", f"{chinese}（新）"])


def _dialogue(phone: WatchedPhone, patch: pytest.MonkeyPatch) -> None:
    """A question of the system lies over the app as soon as it is open."""

    async def asked(call: ProgramCall, program: Program) -> int:
        status = await program(call)
        phone.state.apps.start(Intent(action="android.intent.action.DELETE", data="package:com.whatsapp"))
        return status

    phone.on("am start", asked)


def _other_size(phone: WatchedPhone, patch: pytest.MonkeyPatch) -> None:
    """A smaller phone with another shape."""
    display = phone.state.display
    display.width, display.height = 720, 1280
    phone.state.touchscreen = TouchscreenState(phone.state.clock, display.width, display.height)


def _other_language(phone: WatchedPhone, patch: pytest.MonkeyPatch) -> None:
    phone.state.identity.language = "zh"


def _other_order(phone: WatchedPhone, patch: pytest.MonkeyPatch) -> None:
    """What a page lists from top to bottom comes from bottom to top."""
    finish = ScreenPage.finish

    def upside_down(page: ScreenPage, *, at_end: bool = False) -> ViewNode:
        edges = page._list_top + page.y
        for node in page._list:
            node.moved(edges - node.box.top - node.box.bottom)
        return finish(page, at_end=at_end)

    patch.setattr(ScreenPage, "finish", upside_down)


CHANGES: Mapping[str, Change] = {
    "texts": _other_texts,
    "dialogue": _dialogue,
    "size": _other_size,
    "language": _other_language,
    "order": _other_order,
}
