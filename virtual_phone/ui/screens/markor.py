"""Markor 2.10.9 (versionCode 146): the file browser with its dialogues, and the editor.

Ids, words and what a touch does are those of its source (github.com/gsantner/markor at v2.10.9):
``main__activity.xml``, ``opoc_filesystem_item.xml``, ``filesystem__menu.xml``, ``new_file_dialog.xml``,
``rename__dialog.xml``, ``opoc_filesystem_dialog.xml``, ``document__fragment__edit.xml``, ``MainActivity.java``,
``GsFileBrowserFragment.java``, ``GsFileBrowserListAdapter.java``, ``GsFileBrowserDialog.java``,
``NewFileDialog.java``, ``WrRenameDialog.java``, ``WrConfirmDialog.java``, ``DocumentEditAndViewFragment.java``. The
introduction is over and the storage permission given. An editor stores its text when it is left (``onPause``;
``ActivitySpec.writes``).

Left out, and not shown: sorting, *Go to*, search, To-Do, QuickNote, settings, sharing, view mode, undo, templates,
folders above shared storage. A file that exists already at the place where one is moved or copied to stays.
"""

import json
import posixpath
import stat
from collections.abc import Callable, Sequence
from datetime import datetime

from virtual_phone.state import PhoneState
from virtual_phone.state.apps import RunningActivity
from virtual_phone.state.files import FileError
from virtual_phone.state.intents import Intent
from virtual_phone.ui.alert import ASKS, NEGATIVE, NEUTRAL, POSITIVE, AlertButton, AlertCard, ask, close, menu
from virtual_phone.ui.page import MARGIN, STATUS_BAR, WIDTH, ScreenPage
from virtual_phone.ui.tree import Action, Box, ViewNode, ViewStyle
from virtual_phone.ui.words import word

_DOCUMENT = ".activity.DocumentActivity"
_EDITOR = "document__fragment__edit__highlighting_editor"
_STORAGE = "/storage/emulated/0"
_FOLDER, _SELECTED, _TARGET, _TYPE = "folder", "selected", "target", "type"
"""Fields of the activity: the folder that is shown, the paths that are selected (JSON), the folder that a dialogue
shows, and the number of the type in the dialogue for a new file."""
_NAME, _EXTENSION, _NEW_NAME = "new_file_dialog__name", "new_file_dialog__ext", "new_name"
_TYPES = (("Markdown", ".md"), ("Plain Text", ".txt"), ("todo.txt", ".todo.txt"), ("Wikitext", ".txt"),
          ("AsciiDoc", ".adoc"), ("CSV", ".csv"), ("None", ""))  # fmt: skip
"""``arrays.xml``: ``new_file_types`` and their extensions."""
_DISALLOWED = '<|[\\?*:"\n\r\t\0]/>`$%;=&#@'
"""``GsFileUtils.getFilteredFilenameWithoutDisallowedChars``."""
_ROW = 204


# --- the file browser -----------------------------------------------------------------------------------------------
def markor(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The folder that is shown, or the dialogue that lies over it."""
    dialogue = _DIALOGUES.get(activity.fields.get(ASKS, ""))
    if dialogue is not None:
        return dialogue(state, activity)
    page = ScreenPage(state, activity)
    folder, selected = _folder(state, activity), _selected(activity)
    home = _notebook(state)
    page.bar("" if selected else "Markor" if folder == home else f"> {posixpath.basename(folder)}", back=False)
    _tools(page, selected)
    for path in _listed(state, folder):
        _item(page, path, folder, _open if not selected else _toggle, selected)
    if not _names(state, folder):
        box = Box(MARGIN, page.y + 300, WIDTH - MARGIN, page.y + 400)
        page.put(ViewNode("text", box, text="¯\\_(ツ)_/¯", resource="empty_hint", style=ViewStyle(align="center")))
    _navigation(page)
    _fab(page)
    root = page.finish(resource="ui__filesystem_dialog__list")
    root.back = _up if folder not in (home, _STORAGE) else None
    return root


def _tools(page: ScreenPage, selected: Sequence[str]) -> None:
    """The icons of ``filesystem__menu.xml`` that ``updateMenuItems`` shows."""
    state = page.state
    tools: list[tuple[str, str, str, Action]] = []
    if len(selected) == 1:
        tools.append(("pencil", "action_rename_selected_item", word(state, "rename"), _ask_rename(selected[0])))
    if selected:
        tools.append(("trash", "action_delete_selected_items", word(state, "delete"), ask("delete")))
        tools.append(("dots", "", word(state, "more_options"), ask("menu")))
    for number, (glyph, resource, label, tap) in enumerate(tools):
        left = WIDTH - 18 - 120 * (len(tools) - number)
        box = Box(left, STATUS_BAR + 12, left + 120, STATUS_BAR + 132)
        style = ViewStyle(glyph=glyph, size=66)
        page.fix(ViewNode("button", box, resource=resource, description=label, style=style, tap=tap))


def _item(page: ScreenPage, path: str, folder: str, tap: Callable[[str], Action], selected: Sequence[str]) -> None:
    """A row (``onBindViewHolder``); ``..`` leads to the folder above."""
    state, is_folder = page.state, _is_folder(page.state, path)
    up = path == posixpath.dirname(folder)
    title, about = ("..", path) if up else (posixpath.basename(path), _changed(state, path))
    kind = "selected_file" if path in selected else "folder" if is_folder else "file"
    row = ViewNode(
        "group",
        Box(0, page.y, WIDTH, page.y + _ROW),
        resource="opoc_filesystem_item__root",
        description=f"{word(state, kind)} {title} {about}",
        tap=_stay if up and selected else tap(path),
        hold=None if up else _toggle(path),
    )
    glyph = {"selected_file": "check", "folder": "folder", "file": "lines"}[kind]
    icon = Box(MARGIN, page.y + 42, MARGIN + 120, page.y + 162)
    texts = (("title", title, 45, 30), ("description", about, 36, 108))
    style = ViewStyle(glyph=glyph, size=72)
    row.children = [ViewNode("icon", icon, resource="opoc_filesystem_item__image", style=style)]
    for name, text, size, top in texts:
        box = Box(MARGIN + 150, page.y + top, WIDTH - MARGIN, page.y + top + 72)
        row.children.append(
            ViewNode("text", box, text=text, resource=f"opoc_filesystem_item__{name}", style=ViewStyle(size=size))
        )
    page.put(row)
    page.gap(_ROW)


def _navigation(page: ScreenPage) -> None:
    """The tabs at the bottom (``main__bottom_nav.xml``); only the first one is here."""
    strip = page.footer(168)
    box = Box(0, strip.top, WIDTH // 4, strip.bottom)
    label = word(page.state, "files")
    tab = ViewNode("group", box, resource="nav_notebook", description=label, selected=True, tap=lambda state: None)
    inner = Box(box.left, box.top + 108, box.right, box.bottom)
    tab.children = [
        ViewNode("icon", Box(box.left, box.top, box.right, box.top + 108), style=ViewStyle(glyph="folder", size=63)),
        ViewNode("text", inner, text=label, style=ViewStyle(size=33, align="center")),
    ]
    page.fix(tab)


def _fab(page: ScreenPage) -> None:
    box = Box(WIDTH - MARGIN - 168, page.footer_top - 222, WIDTH - MARGIN, page.footer_top - 54)
    style = ViewStyle(fill="accent", ink="on_accent", radius=48, glyph="plus", size=72)
    label = word(page.state, "new_file_or_folder")
    page.fix(ViewNode("button", box, resource="fab_add_new_item", description=label, style=style, tap=_ask_new))


# --- what lies in a folder ------------------------------------------------------------------------------------------
def _notebook(state: PhoneState) -> str:
    """``Documents/markor``, whatever the case: shared storage compares names without it."""
    folder = f"{_STORAGE}/Documents"
    found = next((name for name in _names(state, folder) if name.casefold() == "markor"), "")
    if not found:
        state.files.ensure_directory(f"{folder}/markor")
    return f"{folder}/{found or 'markor'}"


def _folder(state: PhoneState, activity: RunningActivity) -> str:
    folder = activity.fields.get(_FOLDER, "")
    return folder if folder and _is_folder(state, folder) else _notebook(state)


def _names(state: PhoneState, folder: str) -> list[str]:
    return state.files.names(folder) if _is_folder(state, folder) else []


def _is_folder(state: PhoneState, path: str) -> bool:
    status = state.files.stat(path)
    return status is not None and stat.S_ISDIR(status.mode)


def _listed(state: PhoneState, folder: str) -> list[str]:
    """The folder above, then folders, then files, each by name (the defaults of ``AppSettings``)."""
    inside = [f"{folder}/{name}" for name in _names(state, folder)]
    inside.sort(key=lambda path: (not _is_folder(state, path), posixpath.basename(path).lower()))
    return inside if folder == _STORAGE else [posixpath.dirname(folder), *inside]


def _changed(state: PhoneState, path: str) -> str:
    """When it was changed, as ``DateUtils`` writes a numeric date with the year and the time."""
    status = state.files.stat(path)
    moment = datetime.fromtimestamp(status.modified if status else 0, state.clock.wall().tzinfo)
    clock = state.identity.clock_text(moment)
    if state.identity.language == "zh":
        return f"{moment.year}/{moment.month}/{moment.day} {clock}"
    return f"{moment.month}/{moment.day}/{moment.year}, {clock}"


def _selected(activity: RunningActivity) -> list[str]:
    return list(json.loads(activity.fields.get(_SELECTED, "[]")))


def _select(state: PhoneState, paths: Sequence[str]) -> None:
    state.apps.set_field(_SELECTED, json.dumps(paths))


def _toggle(path: str) -> Action:
    def action(state: PhoneState) -> None:
        chosen = _selected(state.apps.foreground)
        _select(state, [one for one in chosen if one != path] if path in chosen else [*chosen, path])

    return action


def _stay(state: PhoneState) -> None:
    """``toggleSelection`` does nothing with the folder above."""


def _show(folder: str) -> Action:
    def action(state: PhoneState) -> None:
        state.apps.set_field(_FOLDER, folder)
        _select(state, [])
        state.apps.foreground.scroll = 0

    return action


def _up(state: PhoneState) -> None:
    _show(posixpath.dirname(_folder(state, state.apps.foreground)))(state)


def _open(path: str) -> Action:
    """``onClick``: a folder is shown, a file opened in the editor."""
    return lambda state: (_show(path) if _is_folder(state, path) else _edit(path))(state)


def _edit(path: str) -> Action:
    def action(state: PhoneState) -> None:
        component = f"{state.apps.foreground.package}/{_DOCUMENT}"
        state.apps.start(Intent(component=component, data=f"file://{path}"))

    return action


# --- dialogues ------------------------------------------------------------------------------------------------------
def _ask_new(state: PhoneState) -> None:
    """The type and extension that were used last stay; the field for the name has the focus."""
    state.apps.set_field(_NAME, "")
    ask("new")(state)
    state.apps.focus(_NAME)


def _new(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The dialogue for a new file or folder (``NewFileDialog.makeDialog``)."""
    card = AlertCard(state, activity)
    card.text(word(state, "file_name"), size=36, ink="faint")
    card.field(_NAME, word(state, "my_note"), share=(0, 0.7))
    card.field(_EXTENSION, ".md", ".md", share=(0.72, 1))
    card.text(word(state, "file_type"), size=36, ink="faint")
    card.choice("new_file_dialog__type", _TYPES[int(activity.fields.get(_TYPE, "0"))][0], ask("type"))
    card.text(word(state, "folder_without_extension"), size=36, ink="faint")
    card.text(word(state, "not_overwritten"), size=36, ink="faint")
    name, extension = activity.fields.get(_NAME, ""), activity.fields.get(_EXTENSION, ".md")
    return card.finish(
        [
            AlertButton(POSITIVE, word(state, "ok"), _create(name, extension)),
            AlertButton(NEGATIVE, word(state, "cancel"), close),
            AlertButton(NEUTRAL, word(state, "folder"), _make_folder(name)),
        ]
    )


def _types(state: PhoneState, activity: RunningActivity) -> ViewNode:
    def choose(number: int) -> Action:
        def action(state: PhoneState) -> None:
            state.apps.set_field(_TYPE, str(number))
            state.apps.set_field(_EXTENSION, _TYPES[number][1])
            ask("new")(state)

        return action

    return menu([(label, choose(number)) for number, (label, _) in enumerate(_TYPES)], back=ask("new"))


def _allowed(name: str) -> str:
    return "".join(letter for letter in name if letter not in _DISALLOWED).strip()


def _create(name: str, extension: str) -> Action:
    """OK: the file is made, unless it is there, and opened."""

    def action(state: PhoneState) -> None:
        if not name.strip():
            return
        path = f"{_folder(state, state.apps.foreground)}/{_allowed(name)}{extension.strip()}"
        close(state)
        if state.files.stat(path) is None:
            state.files.put(path, b"")
        _edit(path)(state)

    return action


def _make_folder(name: str) -> Action:
    def action(state: PhoneState) -> None:
        if not name.strip():
            return
        state.files.ensure_directory(f"{_folder(state, state.apps.foreground)}/{name.strip()}")
        close(state)

    return action


def _ask_rename(path: str) -> Action:
    def action(state: PhoneState) -> None:
        state.apps.set_field(_NEW_NAME, posixpath.basename(path))
        ask("rename")(state)
        state.apps.focus(_NEW_NAME)

    return action


def _rename(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """``WrRenameDialog``; a name that is taken is refused in the dialogue."""
    (path,) = _selected(activity) or [""]
    card = AlertCard(state, activity, word(state, "rename"))
    name = activity.fields.get(_NEW_NAME, "")
    target = f"{posixpath.dirname(path)}/{_allowed(name)}"
    clash = target != path and state.files.stat(target) is not None
    card.text(word(state, "name_taken") if clash else "", resource="dialog_message")
    card.field(_NEW_NAME, word(state, "enter_folder_name"))

    def rename(state: PhoneState) -> None:
        if target != path and not clash and _allowed(name):
            state.files.rename(path, target)
        close(state)
        _select(state, [])

    return card.finish(
        [
            AlertButton(POSITIVE, word(state, "ok"), rename, enabled=not clash),
            AlertButton(NEGATIVE, word(state, "cancel"), close),
        ]
    )


def _delete(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """``askForDeletingFilesRecursive``."""
    paths = _selected(activity)
    card = AlertCard(state, activity, word(state, "confirm_delete"))
    things = word(state, "document" if len(paths) == 1 else "documents")
    card.text("\n".join([word(state, "really_delete", things), "", "", *paths]), resource="android:id/message")

    def delete(state: PhoneState) -> None:
        for path in paths:
            if state.files.stat(path) is not None:
                state.files.remove(path, recursive=True)
        close(state)
        _select(state, [])

    return card.finish(
        [AlertButton(POSITIVE, word(state, "ok"), delete), AlertButton(NEGATIVE, word(state, "cancel"), close)]
    )


def _more(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """What *More options* lists for a selection."""
    paths = _selected(activity)
    items: list[tuple[str, Action | None]] = []
    if len(paths) == 1 and not _is_folder(state, paths[0]):
        items.append((word(state, "clipboard"), _to_clipboard(paths[0])))
    return menu([*items, *((word(state, verb), _ask_target(verb)) for verb in ("move", "copy"))])


def _to_clipboard(path: str) -> Action:
    def action(state: PhoneState) -> None:
        state.keyboard.put_on_clipboard(state.files.read(path).read().decode(errors="replace"))
        _select(state, [])

    return action


def _ask_target(verb: str) -> Action:
    def action(state: PhoneState) -> None:
        state.apps.set_field(_TARGET, _folder(state, state.apps.foreground))
        ask(verb)(state)

    return action


def _target(verb: str) -> Callable[[PhoneState, RunningActivity], ViewNode]:
    """The dialogue that chooses a folder (``GsFileBrowserDialog``): it lists folders, and selects the one it shows."""

    def build(state: PhoneState, activity: RunningActivity) -> ViewNode:
        page = ScreenPage(state, activity)
        folder, moved = activity.fields.get(_TARGET, _notebook(state)), _selected(activity)
        title = ViewNode("text", Box(0, STATUS_BAR, WIDTH, STATUS_BAR + 144), resource="ui__filesystem_dialog__title")
        title.text = f"{word(state, verb)} → {posixpath.basename(folder)}"
        page.header(title)
        home = Box(MARGIN, page.y, MARGIN + 120, page.y + 120)
        icon = ViewNode("icon", home, resource="ui__filesystem_dialog__home", tap=_choose(_notebook(state)))
        icon.style = ViewStyle(glyph="app", size=66)
        page.header(icon)
        for path in _listed(state, folder):
            if _is_folder(state, path) and path not in moved:
                _item(page, path, folder, _choose, ())
        strip = page.footer(150)
        ok = ViewNode("text", Box(WIDTH // 2, strip.top, WIDTH - MARGIN, strip.bottom), tap=_relocate(verb, folder))
        ok.text, ok.resource = word(state, "select_this_folder"), "ui__filesystem_dialog__button_ok"
        cancel = ViewNode("text", Box(MARGIN, strip.top, WIDTH // 2 - 30, strip.bottom), tap=close)
        cancel.text, cancel.resource = word(state, "cancel"), "ui__filesystem_dialog__button_cancel"
        page.fix(cancel)
        page.fix(ok)
        root = page.finish(resource="ui__filesystem_dialog__list")
        root.back = close
        return root

    return build


def _choose(folder: str) -> Action:
    return lambda state: state.apps.set_field(_TARGET, folder)


def _relocate(verb: str, folder: str) -> Action:
    """``moveOrCopySelected``: nothing where a folder would go into itself."""

    def action(state: PhoneState) -> None:
        for path in _selected(state.apps.foreground):
            target = f"{folder}/{posixpath.basename(path)}"
            if state.files.stat(target) is None and not f"{folder}/".startswith(f"{path}/"):
                (state.files.rename if verb == "move" else state.files.copy)(path, target)
        close(state)
        _select(state, [])

    return action


_DIALOGUES: dict[str, Callable[[PhoneState, RunningActivity], ViewNode]] = {
    "new": _new,
    "type": _types,
    "rename": _rename,
    "delete": _delete,
    "menu": _more,
    "move": _target("move"),
    "copy": _target("copy"),
}


# --- the editor -----------------------------------------------------------------------------------------------------
def markor_document(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """A file as text; *Save* stores it at once (``saveDocument(true)``)."""
    path = activity.intent.data.removeprefix("file://")
    page = ScreenPage(state, activity)
    page.bar("")
    title = Box(162, STATUS_BAR, WIDTH - 162, STATUS_BAR + 144)
    name = posixpath.splitext(posixpath.basename(path))[0]
    page.fix(ViewNode("text", title, text=name, resource="note__activity__text_note_title", style=ViewStyle(size=51)))
    stored = _text(state, path)
    text = activity.fields.get(_EDITOR, stored)
    box = Box(WIDTH - 138, STATUS_BAR + 12, WIDTH - 18, STATUS_BAR + 132)
    style, save = ViewStyle(glyph="check", size=66), lambda state: state.apps.store(state.apps.foreground, text)
    page.fix(ViewNode("button", box, resource="action_save", description=word(state, "save"), style=style, tap=save,
                      enabled=text != stored))  # fmt: skip
    view = Box(0, STATUS_BAR + 144, WIDTH, page.footer_top)
    page.fix(_editor(activity, text, stored, view))
    return page.finish()


def _editor(activity: RunningActivity, text: str, stored: str, view: Box) -> ViewNode:
    lines = text.count("\n") + 1 + sum(len(line) // 30 for line in text.splitlines())
    height = max(view.height, lines * 60 + 90)
    overflow = height - view.height
    box = Box(view.left, view.top, view.right, view.top + height).moved(-min(activity.scroll, overflow))
    field = ViewNode("field", box, text=text, resource=_EDITOR, style=ViewStyle(size=45, top=True))
    field.focused, field.tap = activity.focus == _EDITOR, lambda state: state.apps.focus(_EDITOR, stored)
    name = "document__fragment__edit__content_editor__scrolling_parent"
    return ViewNode("scroll", view, resource=name, scroll_range=overflow, children=[field])


def _text(state: PhoneState, path: str) -> str:
    try:
        return state.files.read(path).read().decode(errors="replace")
    except FileError:
        return ""
