"""The stopwatch of the clock app, kept where DeskClock keeps it: in its preferences.

Ids, words, keys and what a touch does are those of AOSP's DeskClock (packages/apps/DeskClock, android-14:
``stopwatch_fragment.xml``, ``stopwatch_time.xml``, ``desk_clock.xml``, ``StopwatchFragment.java``,
``StopwatchDAO.java``, ``StopwatchTextController.java``). Sharing is left out: its button takes no touch.
"""

import re
from collections.abc import Mapping

from virtual_phone.state import PhoneState
from virtual_phone.state.files import FileError
from virtual_phone.state.packages import protected_folder
from virtual_phone.ui.page import MARGIN, WIDTH, ScreenPage
from virtual_phone.ui.tree import Action, Box, ViewNode, ViewStyle
from virtual_phone.ui.words import word

_RUNNING, _PAUSED = 1, 2
"""``Stopwatch.State``; 0, or no value, is reset."""
_STATE, _STARTED, _WALL, _BEFORE = "sw_state", "sw_start_time", "sw_wall_clock_time", "sw_accum_time"
_ENTRY = re.compile(r'name="(\w+)" value="(\d{1,18})"', re.ASCII)
_LAPS, _LAP = "sw_lap_num", "sw_lap_time_"
Preferences = Mapping[str, int]


def stopwatch(page: ScreenPage) -> None:
    """The time, the laps, and the buttons below them."""
    state, kept = page.state, _kept(page.state, page.activity.package)
    page.bar(word(state, "stopwatch"), back=False)
    total = _total(state, kept)
    seconds, hundredths = divmod(total // 10, 100)
    minutes, hours = seconds // 60 % 60, seconds // 3600
    rest = f"{minutes}:{seconds % 60:02d}" if minutes else f"{seconds % 60}"
    time = f"{hours}:{minutes:02d}:{seconds % 60:02d}" if hours else rest
    box = Box(MARGIN, page.y + 120, WIDTH // 2 + 120, page.y + 330)
    style = ViewStyle(size=168, align="right")
    page.put(ViewNode("text", box, text=time, resource="stopwatch_time_text", style=style))
    small = Box(WIDTH // 2 + 140, page.y + 220, WIDTH - MARGIN, page.y + 330)
    resource = "stopwatch_hundredths_text"
    page.put(ViewNode("text", small, text=f"{hundredths:02d}", resource=resource, style=ViewStyle(size=78)))
    page.gap(420)
    for number in range(kept.get(_LAPS, 0), 0, -1):
        page.row(f"# {number}", trailing=_written(kept[f"{_LAP}{number}"]))
    page.gap(300)
    _buttons(page, kept, total)


def _written(milliseconds: int) -> str:
    seconds, hundredths = divmod(milliseconds // 10, 100)
    return f"{seconds // 60:02d}:{seconds % 60:02d}.{hundredths:02d}"


def _total(state: PhoneState, kept: Preferences) -> int:
    """Milliseconds (``Stopwatch.getTotalTime``)."""
    running = _elapsed(state) - kept.get(_STARTED, 0) if kept.get(_STATE) == _RUNNING else 0
    return kept.get(_BEFORE, 0) + max(0, running)


def _elapsed(state: PhoneState) -> int:
    return round(state.clock.uptime().total_seconds() * 1000)


def _buttons(page: ScreenPage, kept: Preferences, total: int) -> None:
    """``onUpdateFab`` and ``onUpdateFabButtons``."""
    state, runs = page.state, kept.get(_STATE) == _RUNNING
    top = page.footer_top - 260
    start = _keep({**kept, _STATE: _RUNNING, _STARTED: _elapsed(state), _WALL: state.clock.milliseconds()})
    pause = _keep({**kept, _STATE: _PAUSED, _BEFORE: total})
    tools = [("fab", "pause" if runs else "play", "pause" if runs else "begin", pause if runs else start, WIDTH // 2)]
    if kept.get(_STATE):
        tools.append(("left_button", "close", "reset", _keep({}), WIDTH // 2 - 300))
        laps = kept.get(_LAPS, 0) + 1
        lap = _keep({**kept, _LAPS: laps, f"{_LAP}{laps}": total})
        tools.append(("right_button", "timer", "lap", lap, WIDTH // 2 + 300) if runs
                     else ("right_button", "send", "share", _keep(kept), WIDTH // 2 + 300))  # fmt: skip
    for resource, glyph, label, tap, middle in tools:
        box = Box(middle - 90, top, middle + 90, top + 180)
        style = ViewStyle(fill="accent", ink="on_accent", radius=90, glyph=glyph, size=84)
        page.fix(ViewNode("button", box, resource=resource, description=word(state, label), style=style, tap=tap))


# --- the preferences ------------------------------------------------------------------------------------------------
def _path(package: str) -> str:
    return f"{protected_folder(package)}/shared_prefs/{package}_preferences.xml"


def _kept(state: PhoneState, package: str) -> Preferences:
    try:
        text = state.files.as_root.read(_path(package)).read().decode(errors="replace")
    except FileError:
        return {}
    return {name: int(value) for name, value in _ENTRY.findall(text)}


def _keep(values: Preferences) -> Action:
    def action(state: PhoneState) -> None:
        entries = "".join(
            f'    <{"int" if name in (_STATE, _LAPS) else "long"} name="{name}" value="{value}" />\n'
            for name, value in values.items()
        )
        text = f"<?xml version='1.0' encoding='utf-8' standalone='yes' ?>\n<map>\n{entries}</map>\n"
        state.files.as_root.put(_path(state.apps.foreground.package), text.encode())

    return action
