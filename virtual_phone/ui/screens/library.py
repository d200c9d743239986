"""Photos and files: albums, one picture, folders, one file, the trash."""

from datetime import datetime

from virtual_phone.state import PhoneState
from virtual_phone.state.apps import RunningActivity
from virtual_phone.state.intents import Intent
from virtual_phone.state.media import MediaItem
from virtual_phone.ui.page import HEIGHT, MARGIN, WIDTH, ScreenPage, Tool, center_note, go
from virtual_phone.ui.pictures import seed_of
from virtual_phone.ui.screens.generic import show_received
from virtual_phone.ui.tree import Action, Box, ViewNode, ViewStyle
from virtual_phone.ui.words import ago, month, word

_COLUMNS, _GAP = 3, 9
_ALBUM = ".album.AlbumActivity"
_TRASH = ".trash.TrashActivity"
_GLYPHS = {"images": "picture", "video": "play", "audio": "note", "file": "lines"}


def _trash_tool(state: PhoneState) -> Tool:
    return Tool("trash", word(state, "trash"), go(_TRASH))


def gallery(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """Pictures, the newest first, by month; or by album."""
    page = ScreenPage(state, activity)
    pictures = _pictures(state)
    labels = [word(state, "gallery"), word(state, "albums")]
    tab = page.tabs({"gallery": "picture", "albums": "folder"}, labels)
    page.bar(word(state, tab), back=False, tools=[_trash_tool(state)])
    if tab == "albums":
        _albums(page, pictures)
    else:
        for title in dict.fromkeys(_month(state, item) for item in pictures):
            page.heading(title)
            _grid(page, [item for item in pictures if _month(state, item) == title])
    if not pictures:
        center_note(page, word(state, "no_photos"))
    return page.finish()


def _pictures(state: PhoneState) -> list[MediaItem]:
    pictures = [item for item in state.media.items if item.kind == "images" and not item.trashed]
    return sorted(pictures, key=lambda item: -item.added)


def _albums(page: ScreenPage, pictures: list[MediaItem]) -> None:
    """A cover per folder, two in a row."""
    side = (WIDTH - 2 * MARGIN - 30) // 2
    folders = list(dict.fromkeys(item.folder for item in pictures))
    for index, folder in enumerate(folders):
        inside = [item for item in pictures if item.folder == folder]
        left, top = MARGIN + index % 2 * (side + 30), page.y + 12 + index // 2 * (side + 156)
        name = folder.rstrip("/").rpartition("/")[2]
        album = ViewNode(
            "group",
            Box(left, top, left + side, top + side + 132),
            description=name,
            resource="album",
            tap=go(_ALBUM, folder=folder),
        )
        album.children = [
            ViewNode("picture", Box(left, top, left + side, top + side), style=ViewStyle(glyph=seed_of(inside[0]))),
            ViewNode(
                "text", Box(left, top + side + 12, left + side, top + side + 72), text=name, style=ViewStyle(size=42)
            ),
            ViewNode(
                "text",
                Box(left, top + side + 72, left + side, top + side + 126),
                text=str(len(inside)),
                style=ViewStyle(size=36, ink="faint"),
            ),
        ]
        page.put(album)
    page.gap(24 + -(-len(folders) // 2) * (side + 156))


def album(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The pictures of one folder."""
    folder = str(activity.intent.extras.get("folder", ""))
    page = ScreenPage(state, activity)
    page.bar(folder.rstrip("/").rpartition("/")[2])
    _grid(page, [item for item in _pictures(state) if item.folder == folder])
    return page.finish()


def _month(state: PhoneState, item: MediaItem) -> str:
    moment = datetime.fromtimestamp(item.added, state.clock.wall().tzinfo)
    return month(state, moment)


def _grid(page: ScreenPage, items: list[MediaItem]) -> None:
    side = (WIDTH - (_COLUMNS - 1) * _GAP) // _COLUMNS
    for index, item in enumerate(items):
        left = index % _COLUMNS * (side + _GAP)
        top = page.y + index // _COLUMNS * (side + _GAP)
        box = Box(left, top, left + side, top + side)
        style = ViewStyle(glyph=seed_of(item))
        page.put(ViewNode("picture", box, description=item.name, resource="photo", style=style, tap=_open(item)))
    page.y += -(-len(items) // _COLUMNS) * (side + _GAP)


def _uri(item: MediaItem) -> str:
    return f"content://media/external/{item.kind}/media/{item.identifier}"


def _open(item: MediaItem) -> Action:
    intent = Intent(action="android.intent.action.VIEW", data=_uri(item), mime=item.mime)
    return lambda state: state.apps.start(intent)


def _shown(state: PhoneState, activity: RunningActivity) -> MediaItem | None:
    """The file that the activity was opened with; None when it is in the trash."""
    last = activity.intent.data.rpartition("/")[2]
    item = state.media.find(int(last)) if last.isascii() and last.isdecimal() else None
    return item if item and not item.trashed else None


def photo(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """One picture on black, with share and delete."""
    item = _shown(state, activity)
    if item is None:
        return _unknown(state, activity)
    root = ViewNode("frame", Box(0, 0, WIDTH, HEIGHT), style=ViewStyle(fill="#000000"))
    high = 1620 if "Screenshot" in item.folder else 810
    wide = 729 if "Screenshot" in item.folder else WIDTH
    picture = Box((WIDTH - wide) // 2, 1130 - high // 2, (WIDTH + wide) // 2, 1130 + high // 2)
    root.children = [
        ViewNode("picture", picture, description=item.name, resource="photo", style=ViewStyle(glyph=seed_of(item))),
        ViewNode(
            "icon",
            Box(18, 130, 138, 250),
            description="Navigate up",
            style=ViewStyle(glyph="back", size=66, ink="#ffffff"),
            tap=lambda state: state.apps.back(),
        ),
        ViewNode(
            "text",
            Box(162, 130, WIDTH - MARGIN, 250),
            text=item.name,
            resource="title",
            style=ViewStyle(size=42, ink="#ffffff"),
        ),
    ]
    actions: tuple[tuple[str, str, Action], ...] = (
        ("send", "share", _share(item)),
        ("trash", "delete", _throw_away(item)),
    )
    for number, (glyph, name, tap) in enumerate(actions):
        x = WIDTH * (2 * number + 1) // 4
        box = Box(x - 150, 2090, x + 150, 2270)
        button = ViewNode("group", box, description=word(state, name), resource=name, tap=tap)
        button.children = [
            ViewNode("icon", Box(x - 36, 2100, x + 36, 2172), style=ViewStyle(glyph=glyph, size=72, ink="#ffffff")),
            ViewNode(
                "text",
                Box(box.left, 2190, box.right, 2250),
                text=word(state, name),
                style=ViewStyle(size=36, ink="#ffffff", align="center"),
            ),
        ]
        root.children.append(button)
    return root


def _unknown(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """A page for a file that does not exist: shows what was requested."""
    page = ScreenPage(state, activity)
    page.bar(state.apps.label(activity.package))
    show_received(page)
    return page.finish()


def _share(item: MediaItem) -> Action:
    extras = {"android.intent.extra.STREAM": _uri(item)}
    return lambda state: state.apps.start(Intent(action="android.intent.action.SEND", mime=item.mime, extras=extras))


def _throw_away(item: MediaItem) -> Action:
    def throw_away(state: PhoneState) -> None:
        state.media.trash(item)
        state.apps.back()

    return throw_away


def files(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The folders with files, and the use of the storage."""
    page = ScreenPage(state, activity)
    page.bar(word(state, "files"), back=False, tools=[_trash_tool(state)])
    used, capacity = state.files.capacity - state.files.free, state.files.capacity
    _storage(page, used / capacity, word(state, "storage_used", f"{used / 2**30:.1f}", capacity // 2**30))
    items = [item for item in state.media.items if not item.trashed]
    for folder in sorted({item.folder for item in items}):
        inside = [item for item in items if item.folder == folder]
        detail = f"{len(inside)} · {_size(sum(item.size for item in inside))}"
        page.row(folder.rstrip("/") or "/", detail, glyph="folder", tap=go(".browse.FolderActivity", folder=folder))
    if not items:
        center_note(page, word(state, "no_files"))
    return page.finish()


def _storage(page: ScreenPage, share: float, text: str) -> None:
    card = ViewNode(
        "group",
        Box(MARGIN - 18, page.y + 6, WIDTH - MARGIN + 18, page.y + 216),
        resource="storage",
        style=ViewStyle(fill="card", radius=54),
    )
    left, right, top = card.box.left + 42, card.box.right - 42, card.box.top
    filled = left + max(18, round((right - left) * share))
    card.children = [
        ViewNode("text", Box(left, top + 30, right, top + 96), text=text, style=ViewStyle(size=42)),
        ViewNode("icon", Box(left, top + 126, right, top + 144), style=ViewStyle(fill="line", radius=9)),
        ViewNode("icon", Box(left, top + 126, filled, top + 144), style=ViewStyle(fill="primary", radius=9)),
    ]
    page.put(card)
    page.gap(246)


def _size(number: int) -> str:
    return f"{number / 1e6:.1f} MB" if number >= 100_000 else f"{number / 1e3:.1f} kB"


def folder(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The files of one folder; a tap opens one."""
    name = str(activity.intent.extras.get("folder", ""))
    page = ScreenPage(state, activity)
    page.bar(name.rstrip("/") or "/")
    inside = [item for item in state.media.items if item.folder == name and not item.trashed]
    for item in sorted(inside, key=lambda item: item.name.casefold()):
        _file_row(page, item, [Tool("trash", f"{word(state, 'delete')} {item.name}", _trash(item))], _open(item))
    if not inside:
        center_note(page, word(state, "no_files"))
    return page.finish()


def _file_row(page: ScreenPage, item: MediaItem, tools: list[Tool], tap: Action | None) -> None:
    detail = f"{_size(item.size)} · {ago(page.state, item.added * 1000)}"
    page.row(item.name, detail, glyph=_GLYPHS[item.kind], tools=tools, tap=tap, resource="file")


def _trash(item: MediaItem, trashed: bool = True) -> Action:
    return lambda state: state.media.trash(item, trashed)


def file(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The details of one file."""
    item = _shown(state, activity)
    if item is None:
        return _unknown(state, activity)
    page = ScreenPage(state, activity)
    page.bar(item.name, tools=[Tool("trash", word(state, "delete"), _throw_away(item))])
    box = Box(WIDTH // 2 - 180, page.y + 120, WIDTH // 2 + 180, page.y + 480)
    style = ViewStyle(fill="accent", ink="on_accent", radius=72, glyph=_GLYPHS[item.kind], size=192)
    page.put(ViewNode("icon", box, style=style))
    page.y = box.bottom + 72
    for text in (item.name, f"{item.folder} · {_size(item.size)}", item.mime):
        page.text(text, ink="ink" if text is item.name else "faint").style.align = "center"
    return page.finish()


def trash(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The files deleted in the last thirty days, to restore or delete for good."""
    page = ScreenPage(state, activity)
    page.bar(word(state, "trash"))
    wanted = ("images",) if "photos" in activity.package else tuple(_GLYPHS)
    thrown = [item for item in state.media.items if item.trashed and item.kind in wanted]
    for item in thrown:
        _file_row(page, item, [
            Tool("restore", f"{word(state, 'restore')} {item.name}", _trash(item, False)),
            Tool("trash", f"{word(state, 'delete')} {item.name}", _delete(item)),
        ], None)  # fmt: skip
    if not thrown:
        center_note(page, word(state, "trash_empty"))
    return page.finish()


def _delete(item: MediaItem) -> Action:
    return lambda state: state.media.delete(item)
