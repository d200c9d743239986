"""DocumentsUI, which Android calls *Files*: folders as a grid, the list of roots, and the page that chooses a folder.

Ids, words and what a touch does are those of AOSP's DocumentsUI (packages/apps/DocumentsUI, android-14:
``directory_app_bar.xml``, ``navigation_breadcrumb_item.xml``, ``item_dir_grid.xml``, ``item_doc_grid.xml``,
``fragment_roots.xml``, ``item_root.xml``, ``fragment_pick.xml``, ``action_mode_menu.xml``, ``FilesActivity``,
``PickActivity``, ``DirectoryFragment.java``, ``DeleteDocumentFragment.java``, ``files/ActionHandler.java``,
``picker/ActionHandler.java``). Both pages begin at *Downloads*, the ``default_root_uri``; each folder shows folders
first, then files, by name.

Left out, and not shown: recent files, search, sorting, the list view, other roots, new folders, renaming, sharing, and
opening a file. What is already where a file is moved or copied to stays.
"""

import json
import posixpath
import stat
from collections.abc import Callable, Sequence
from datetime import datetime

from virtual_phone import fonts
from virtual_phone.state import PhoneState
from virtual_phone.state.apps import RunningActivity
from virtual_phone.state.intents import Intent
from virtual_phone.ui.alert import ASKS, NEGATIVE, POSITIVE, AlertButton, AlertCard, ask, close, menu
from virtual_phone.ui.page import HEIGHT, MARGIN, STATUS_BAR, WIDTH, ScreenPage
from virtual_phone.ui.tree import Action, Box, ViewNode, ViewStyle
from virtual_phone.ui.words import ago, word

_PICKER = "com.android.documentsui.picker.PickActivity"
_STORAGE = "/storage/emulated/0"
_FOLDER, _SELECTED = "folder", "selected"
"""Fields of the activity: the folder that is shown, and the paths that are selected (JSON)."""
_PATHS, _VERB = "paths", "verb"
"""Extras of the page that chooses a folder: what is moved or copied there."""
_COLUMNS, _GAP, _CELL = 2, 24, 276


# --- the files ------------------------------------------------------------------------------------------------------
def documents(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """A folder, or what lies over it: the roots, a menu, the question before files are deleted."""
    over = {"roots": _roots, "menu": _more, "delete": _delete}.get(activity.fields.get(ASKS, ""))
    if over is not None:
        return over(state, activity)
    page = ScreenPage(state, activity)
    selected = _selected(activity)
    if selected:
        page.bar(word(state, "selected_count", len(selected)), back=False)
        _tool(page, 0, "dots", "", "more_options", ask("menu"))
        _tool(page, 1, "trash", "action_menu_delete", "delete", ask("delete"))
    else:
        _title(page)
    folder = _folder(activity)
    _grid(page, _listed(state, folder), _toggle if selected else _open, hold=_toggle, selected=selected)
    root = page.finish(resource="dir_list")
    root.back = _clear if selected else _up if folder not in _tops() else None
    return root


def _title(page: ScreenPage) -> None:
    page.bar("", back=False)
    title = Box(162, STATUS_BAR, WIDTH - MARGIN, STATUS_BAR + 144)
    shown = _called(page.state, _folder(page.activity))
    page.fix(ViewNode("text", title, text=shown, style=ViewStyle(size=57, bold=True)))
    box = Box(18, STATUS_BAR + 12, 138, STATUS_BAR + 132)
    style = ViewStyle(glyph="lines", size=66)
    label = word(page.state, "show_roots")
    page.fix(ViewNode("button", box, description=label, style=style, tap=ask("roots")))
    _breadcrumb(page)


def _breadcrumb(page: ScreenPage) -> None:
    """The folders from the root to the one that is shown (``navigation_breadcrumb_item.xml``)."""
    folders = [_folder(page.activity)]
    while folders[0] not in _tops():
        folders.insert(0, posixpath.dirname(folders[0]))
    top, left = STATUS_BAR + 144, MARGIN
    line = ViewNode("list", Box(0, top, WIDTH, top + 96), resource="horizontal_breadcrumb")
    for folder in folders:
        text = _called(page.state, folder)
        box = Box(left, top, left + fonts.width(text, 39) + 12, top + 96)
        item = ViewNode("text", box, text=text, resource="breadcrumb_text", style=ViewStyle(size=39), tap=_show(folder))
        line.children.append(item)
        left = box.right + 36
    page.header(line)


def _tool(page: ScreenPage, number: int, glyph: str, resource: str, label: str, tap: Action) -> None:
    box = Box(WIDTH - 138 - 120 * number, STATUS_BAR + 12, WIDTH - 18 - 120 * number, STATUS_BAR + 132)
    style = ViewStyle(glyph=glyph, size=66)
    description = word(page.state, label)
    page.fix(ViewNode("button", box, resource=resource, description=description, style=style, tap=tap))


def _grid(
    page: ScreenPage,
    paths: Sequence[str],
    tap: Callable[[str], Action],
    *,
    hold: Callable[[str], Action] | None = None,
    selected: Sequence[str] = (),
) -> None:
    width = (WIDTH - 2 * MARGIN - _GAP) // _COLUMNS
    for number, path in enumerate(paths):
        left = MARGIN + number % _COLUMNS * (width + _GAP)
        top = page.y + number // _COLUMNS * (_CELL + _GAP)
        page.put(_item(page.state, path, Box(left, top, left + width, top + _CELL), tap, hold, path in selected))
    page.gap(-(-len(paths) // _COLUMNS) * (_CELL + _GAP))


def _item(
    state: PhoneState,
    path: str,
    box: Box,
    tap: Callable[[str], Action],
    hold: Callable[[str], Action] | None,
    chosen: bool,
) -> ViewNode:
    style = ViewStyle(fill="accent" if chosen else "card", radius=24)
    item = ViewNode("group", box, resource="item_root", style=style, selected=chosen, tap=tap(path))
    item.hold = hold(path) if hold else None
    icon = Box(box.left + 24, box.top + 24, box.left + 120, box.top + 120)
    glyph = "check" if chosen else "folder" if _is_folder(state, path) else "lines"
    texts = [("android:id/title", posixpath.basename(path), 42, 132)]
    if not _is_folder(state, path):
        texts.append(("details", _about(state, path), 33, 204))
    item.children = [ViewNode("icon", icon, resource="icon", style=ViewStyle(glyph=glyph, size=78))]
    for resource, text, size, offset in texts:
        place = Box(box.left + 24, box.top + offset, box.right - 24, box.top + offset + 66)
        item.children.append(ViewNode("text", place, text=text, resource=resource, style=ViewStyle(size=size)))
    return item


def _roots(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The drawer: *Downloads*, and the phone's storage under its name (``ExternalStorageProvider``)."""
    box = Box(0, 0, WIDTH * 3 // 4, HEIGHT)
    listing = ViewNode("menu", box, resource="roots_list", style=ViewStyle(fill="surface"))
    for number, root in enumerate(_tops()):
        place = Box(0, STATUS_BAR + 120 + number * 168, box.right, STATUS_BAR + 288 + number * 168)
        row = ViewNode("group", place, tap=_show(root))
        icon = Box(MARGIN, place.top + 42, MARGIN + 84, place.top + 126)
        title = Box(MARGIN + 132, place.top, place.right - 24, place.bottom)
        row.children = [
            ViewNode("icon", icon, resource="android:id/icon", style=ViewStyle(glyph="folder", size=72)),
            ViewNode("text", title, text=_called(state, root), resource="android:id/title", style=ViewStyle(size=45)),
        ]
        listing.children.append(row)
    outside = ViewNode("frame", Box(box.right, 0, WIDTH, HEIGHT), tap=close)
    return ViewNode("frame", Box(0, 0, WIDTH, HEIGHT), children=[listing, outside], back=close)


# --- what lies in a folder ------------------------------------------------------------------------------------------
def _tops() -> tuple[str, str]:
    return f"{_STORAGE}/Download", _STORAGE


def _called(state: PhoneState, folder: str) -> str:
    downloads, storage = _tops()
    if folder == storage:
        return state.settings.get("global", "device_name") or state.identity.model
    return word(state, "downloads") if folder == downloads else posixpath.basename(folder)


def _folder(activity: RunningActivity) -> str:
    return activity.fields.get(_FOLDER, _tops()[0])


def _is_folder(state: PhoneState, path: str) -> bool:
    status = state.files.stat(path)
    return status is not None and stat.S_ISDIR(status.mode)


def _listed(state: PhoneState, folder: str) -> list[str]:
    if not _is_folder(state, folder):
        return []
    inside = [f"{folder}/{name}" for name in state.files.names(folder) if not name.startswith(".")]
    return sorted(inside, key=lambda path: (not _is_folder(state, path), posixpath.basename(path).casefold()))


def _about(state: PhoneState, path: str) -> str:
    status = state.files.stat(path)
    if status is None:
        return ""
    moment = datetime.fromtimestamp(status.modified, state.clock.wall().tzinfo)
    size = f"{status.size / 1e6:.2f} MB" if status.size >= 1e6 else f"{status.size / 1e3:.2f} kB"
    return f"{ago(state, round(moment.timestamp() * 1000))}, {size if status.size >= 1000 else f'{status.size} B'}"


def _selected(activity: RunningActivity) -> list[str]:
    return list(json.loads(activity.fields.get(_SELECTED, "[]")))


def _select(state: PhoneState, paths: Sequence[str]) -> None:
    state.apps.set_field(_SELECTED, json.dumps(paths))


def _clear(state: PhoneState) -> None:
    _select(state, [])


def _toggle(path: str) -> Action:
    def action(state: PhoneState) -> None:
        chosen = _selected(state.apps.foreground)
        _select(state, [one for one in chosen if one != path] if path in chosen else [*chosen, path])

    return action


def _show(folder: str) -> Action:
    def action(state: PhoneState) -> None:
        close(state)
        state.apps.set_field(_FOLDER, folder)
        _clear(state)
        state.apps.foreground.scroll = 0

    return action


def _open(path: str) -> Action:
    """A folder is shown; a file is left as it is."""

    def action(state: PhoneState) -> None:
        if _is_folder(state, path):
            _show(path)(state)

    return action


def _up(state: PhoneState) -> None:
    _show(posixpath.dirname(_folder(state.apps.foreground)))(state)


# --- what is done with a selection ----------------------------------------------------------------------------------
def _more(state: PhoneState, activity: RunningActivity) -> ViewNode:
    def everything(state: PhoneState) -> None:
        _select(state, _listed(state, _folder(state.apps.foreground)))

    return menu(
        [
            (word(state, "select_all"), everything),
            (word(state, "copy_file_to"), _choose_target("copy")),
            (word(state, "move_file_to"), _choose_target("move")),
        ]
    )


def _delete(state: PhoneState, activity: RunningActivity) -> ViewNode:
    paths = _selected(activity)
    card = AlertCard(state, activity)
    one = word(state, "delete_file", posixpath.basename(paths[0]) if paths else "")
    card.text(one if len(paths) == 1 else word(state, "delete_files", len(paths)), resource="android:id/message")

    def delete(state: PhoneState) -> None:
        for path in paths:
            if state.files.stat(path) is not None:
                state.files.remove(path, recursive=True)
        close(state)
        _clear(state)

    return card.finish(
        [AlertButton(POSITIVE, word(state, "ok"), delete), AlertButton(NEGATIVE, word(state, "cancel"), close)]
    )


def _choose_target(verb: str) -> Action:
    def action(state: PhoneState) -> None:
        front = state.apps.foreground
        extras = {_PATHS: front.fields.get(_SELECTED, "[]"), _VERB: verb}
        _clear(state)
        state.apps.start(Intent(component=f"{front.package}/{_PICKER}", extras=extras))

    return action


def document_picker(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The page that chooses where files are moved or copied to; only folders take a touch."""
    if activity.fields.get(ASKS) == "roots":
        return _roots(state, activity)
    page = ScreenPage(state, activity)
    _title(page)
    verb = str(activity.intent.extras.get(_VERB, "move"))
    strip = page.footer(168)
    cancel = ViewNode("button", Box(MARGIN, strip.top, WIDTH // 2 - 24, strip.bottom), tap=_leave)
    cancel.text, cancel.resource = word(state, "cancel"), NEGATIVE
    done = ViewNode("button", Box(WIDTH // 2 + 24, strip.top, WIDTH - MARGIN, strip.bottom), tap=_relocate(verb))
    done.text, done.resource = word(state, verb), POSITIVE
    for button in (cancel, done):
        button.style = ViewStyle(size=42, bold=True, align="center", ink="primary")
        page.fix(button)
    _grid(page, _listed(state, _folder(activity)), _open)
    root = page.finish(resource="dir_list")
    root.back = _up if _folder(activity) not in _tops() else None
    return root


def _leave(state: PhoneState) -> None:
    state.apps.back()


def _relocate(verb: str) -> Action:
    def action(state: PhoneState) -> None:
        front = state.apps.foreground
        folder = _folder(front)
        for path in json.loads(str(front.intent.extras.get(_PATHS, "[]"))):
            target = f"{folder}/{posixpath.basename(path)}"
            if state.files.stat(path) is None or state.files.stat(target) or f"{folder}/".startswith(f"{path}/"):
                continue
            (state.files.rename if verb == "move" else state.files.copy)(path, target)
        state.apps.back()

    return action
