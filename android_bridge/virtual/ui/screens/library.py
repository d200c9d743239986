"""Photos, files and music."""

from datetime import datetime

from android_bridge.virtual.state import PhoneState
from android_bridge.virtual.state.apps import Activity
from android_bridge.virtual.state.intents import Intent
from android_bridge.virtual.state.media import MediaItem
from android_bridge.virtual.ui.page import WIDTH, Page, center_note
from android_bridge.virtual.ui.tree import Action, Box, Look, Node
from android_bridge.virtual.ui.words import ago, month, word

_COLUMNS, _GAP = 3, 9


def gallery(state: PhoneState, activity: Activity) -> Node:
    """Pictures, the newest first, by month; the trash at the end."""
    page = Page(state, activity)
    page.bar(word(state, "gallery"), back=False)
    pictures = sorted((item for item in state.media.items if item.kind == "images"), key=lambda item: -item.added)
    shown = [item for item in pictures if not item.trashed]
    for title in dict.fromkeys(_month(state, item) for item in shown):
        page.heading(title)
        _grid(page, [item for item in shown if _month(state, item) == title])
    trashed = [item for item in pictures if item.trashed]
    if trashed:
        page.row(f"{word(state, 'trash')} ({len(trashed)})", glyph="trash")
    if not shown:
        center_note(page, word(state, "no_photos"))
    return page.finish()


def _month(state: PhoneState, item: MediaItem) -> str:
    moment = datetime.fromtimestamp(item.added, state.clock.wall().tzinfo)
    return month(state, moment)


def _grid(page: Page, items: list[MediaItem]) -> None:
    side = (WIDTH - (_COLUMNS - 1) * _GAP) // _COLUMNS
    for index, item in enumerate(items):
        left = index % _COLUMNS * (side + _GAP)
        top = page.y + index // _COLUMNS * (side + _GAP)
        seed = ("screenshot-" if "Screenshot" in item.folder else "photo-") + item.name
        box = Box(left, top, left + side, top + side)
        look = Look(glyph=seed)
        page.put(Node("picture", box, description=item.name, resource="photo", look=look, tap=_open(item)))
    page.y += -(-len(items) // _COLUMNS) * (side + _GAP)


def _open(item: MediaItem) -> Action:
    uri = f"content://media/external/images/media/{item.identifier}"
    intent = Intent(action="android.intent.action.VIEW", data=uri, mime=item.mime)
    return lambda state: state.apps.start(intent)


def files(state: PhoneState, activity: Activity) -> Node:
    """Every file that the media store knows, by folder."""
    page = Page(state, activity)
    page.bar(word(state, "files"), back=False)
    items = sorted((item for item in state.media.items if not item.trashed), key=lambda item: (item.folder, item.name))
    for folder in dict.fromkeys(item.folder for item in items):
        page.heading(folder)
        for item in items:
            if item.folder == folder:
                detail = f"{item.size / 1e6:.1f} MB · {ago(state, item.added * 1000)}"
                page.row(item.name, detail, glyph="picture" if item.kind == "images" else "lines")
    if not items:
        center_note(page, word(state, "no_files"))
    return page.finish()


def music(state: PhoneState, activity: Activity) -> Node:
    """What plays, with its controls."""
    page = Page(state, activity)
    page.bar(word(state, "music"), back=False)
    session = state.audio.session
    if session is None or session.package != activity.package:
        center_note(page, word(state, "no_music"))
        return page.finish()
    side = 760
    left = (WIDTH - side) // 2
    page.put(Node("picture", Box(left, page.y + 60, left + side, page.y + 60 + side), look=Look(glyph=session.title)))
    page.y += side + 150
    page.text(session.title, size=57, bold=True)
    page.text(session.artist, ink="faint")
    page.gap(40)
    box = Box(WIDTH // 2 - 105, page.y, WIDTH // 2 + 105, page.y + 210)
    look = Look(fill="primary", ink="on_primary", radius=105, glyph="pause" if session.playing else "play", size=96)
    page.put(
        Node("button", box, description="Pause" if session.playing else "Play", resource="play_pause", look=look,
             tap=lambda state: state.audio.dispatch("play-pause"))
    )  # fmt: skip
    return page.finish()
