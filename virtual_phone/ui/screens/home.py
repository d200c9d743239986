"""The launcher."""

from virtual_phone.state import PhoneState
from virtual_phone.state.apps import RunningActivity
from virtual_phone.state.packages import InstalledPackage
from virtual_phone.ui.page import HEIGHT, WIDTH, ScreenPage
from virtual_phone.ui.tree import Box, ViewNode, ViewStyle
from virtual_phone.ui.words import long_date, word

_COLUMNS, _FIRST_TOP, _CELL = 4, 620, (252, 288)
_ICON = 156
_DOCK = (
    "com.google.android.dialer", "com.google.android.apps.messaging", "com.android.chrome",
    "com.google.android.GoogleCamera",
)  # fmt: skip
_DOCK_TOP = 2010
_FIND = "find_app"


def launcher(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """Wallpaper, date, app grid, dock and search bar; or the drawer with every app."""
    if activity.fields:
        return _drawer(state, activity)
    picture = "wallpaper-dark" if state.display.dark else "wallpaper"
    root = ViewNode("frame", Box(0, 0, WIDTH, HEIGHT), resource="launcher")
    root.children.append(ViewNode("picture", Box(0, 0, WIDTH, HEIGHT), style=ViewStyle(glyph=picture)))
    now = state.clock.wall()
    root.children.append(_white(Box(60, 210, 1020, 330), state.identity.clock_text(now), 108))
    root.children.append(_white(Box(60, 336, 1020, 410), f"{long_date(state, now)} · {word(state, 'weather')} 8°", 45))
    apps = [app for app in state.apps.packages if app.launcher and app.enabled]
    dock = [app for name in _DOCK for app in apps if app.package == name]
    grid = [app for app in apps if app not in dock][: _COLUMNS * 4]
    for index, app in enumerate(grid):
        column, line = index % _COLUMNS, index // _COLUMNS
        root.children.append(_icon(state, app, 36 + column * _CELL[0], _FIRST_TOP + line * (_CELL[1] + 30), label=True))
    for index, app in enumerate(dock):
        root.children.append(_icon(state, app, 36 + index * _CELL[0], _DOCK_TOP, label=False))
    handle = ViewStyle(glyph="up", size=60, ink="#ffffff")
    root.children.append(
        ViewNode("icon", Box(480, 1900, 600, 1990), description=word(state, "all_apps"), style=handle, tap=open_drawer)
    )
    root.children.append(_search(state))
    return root


def open_drawer(state: PhoneState) -> None:
    """Open the app drawer."""
    state.apps.set_field(_FIND, "")


def _drawer(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """All apps by name, or those whose name contains the typed text."""
    page = ScreenPage(state, activity)
    wanted = page.search_bar(_FIND, word(state, "search"))
    language = state.identity.language
    apps = [app for app in state.apps.packages if app.launcher and app.enabled]
    found = [app for app in apps if wanted.casefold() in app.label[language].casefold()]
    for index, app in enumerate(sorted(found, key=lambda app: app.label[language].casefold())):
        left, top = 36 + index % _COLUMNS * _CELL[0], page.y + 30 + index // _COLUMNS * _CELL[1]
        page.put(_icon(state, app, left, top, label=True, ink="ink"))
    page.gap(60 + -(-len(found) // _COLUMNS) * _CELL[1])
    return page.finish()


def _white(box: Box, text: str, size: int) -> ViewNode:
    return ViewNode("text", box, text=text, style=ViewStyle(ink="#ffffff", size=size))


def _icon(
    state: PhoneState, app: InstalledPackage, left: int, top: int, *, label: bool, ink: str = "#ffffff"
) -> ViewNode:
    name = app.label[state.identity.language]
    cell = ViewNode(
        "group",
        Box(left, top, left + _CELL[0], top + _CELL[1] - 24),
        description=name,
        tap=lambda state: state.apps.open(app.package),
    )
    x = left + (_CELL[0] - _ICON) // 2
    style = ViewStyle(fill=app.color, ink="#ffffff", radius=_ICON // 2, glyph=app.glyph or "app", size=84)
    if app.suspended:
        style.fill = "#9aa0a6"
    cell.children.append(ViewNode("icon", Box(x, top, x + _ICON, top + _ICON), style=style))
    if label:
        box = Box(left + 6, top + _ICON + 12, left + _CELL[0] - 6, top + _ICON + 66)
        cell.children.append(ViewNode("text", box, text=name, style=ViewStyle(ink=ink, size=36, align="center")))
    return cell


def _search(state: PhoneState) -> ViewNode:
    box = Box(60, 2206, 1020, 2320)
    bar = ViewNode("group", box, resource="search_container", style=ViewStyle(fill="card", radius=57), tap=_open_search)
    bar.children.append(
        ViewNode("icon", Box(90, 2226, 164, 2300), style=ViewStyle(glyph="search", size=60, ink="faint"))
    )
    bar.children.append(
        ViewNode("text", Box(186, 2206, 900, 2320), text=word(state, "search"), style=ViewStyle(ink="faint", size=42))
    )
    return bar


def _open_search(state: PhoneState) -> None:
    state.apps.open("com.google.android.googlequicksearchbox")
