"""Screenshots in traces, drawn as screens of the virtual phone.

Writers of the corpus note a screenshot as a step: ``Screenshot: APP | LINE | LINE``. For a model with vision the step
becomes a picture: the app's bar and the lines above the navigation bar. There is no status bar, whose clock and battery
would contradict the moment's.
"""

import hashlib
import re
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from heed.language import Language
from training.generator.records import Record
from virtual_phone.state import PhoneState
from virtual_phone.ui import paint, system_windows
from virtual_phone.ui.page import HEIGHT, WIDTH, ScreenPage
from virtual_phone.ui.tree import ScreenWindow

_STEP = re.compile(r"(?:\d{1,2}:\d\d )?(?:Screenshot|截图) ?[:：] ?(?P<shown>.+)", re.DOTALL)
_APP = "com.example.shown"
_NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
"""A phone has a clock; no screen shows it."""


class ShownScreen(NamedTuple):
    """What a screenshot shows."""

    app: str
    lines: tuple[str, ...]
    language: Language


def shown_in(step: str, language: Language) -> ShownScreen | None:
    """The screen that a step describes; None for any other step."""
    match = _STEP.fullmatch(step)
    if match is None:
        return None
    app, *lines = [part.strip() for part in match["shown"].split("|")]
    return ShownScreen(app, tuple(lines), language)


def draw_screen(shown: ShownScreen) -> bytes:
    """The screen as a PNG file of 1080 by 2400 pixels."""
    state = PhoneState(_NOON)
    state.identity.language = shown.language.value
    state.apps.install(_APP, shown.app)
    state.apps.open(_APP)
    page = ScreenPage(state, state.apps.foreground)
    page.bar(shown.app, back=False)
    page.gap(30)
    for line in shown.lines:
        page.text(line)
    app = ScreenWindow(_APP, page.finish(), state.apps.foreground.component)
    file = BytesIO()
    paint.draw([app, system_windows.navigation_bar("ink")], (WIDTH, HEIGHT), dark=False).save(file, "PNG")
    return file.getvalue()


def with_screens(record: Record, folder: Path) -> Record:
    """The record with its screenshots as pictures in ``folder``; the record itself where it has none."""
    said, language = record["reference_information"], Language(record["benchmark_metadata"]["language"])
    trace = [_pictured(step, language, folder) for step in said["trace"]]
    if trace == said["trace"]:
        return record
    return {**record, "reference_information": {**said, "trace": trace}}


def _pictured(step: Any, language: Language, folder: Path) -> Any:
    shown = shown_in(step, language) if isinstance(step, str) else None
    if shown is None:
        return step
    name = hashlib.blake2s(repr(shown).encode(), digest_size=8).hexdigest()
    path = folder / f"{name}.png"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        path.write_bytes(draw_screen(shown))
    return {"source": "picture", "picture": str(path.resolve())}
