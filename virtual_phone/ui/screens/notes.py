"""The notes app: cards in two columns, and one note being written."""

from virtual_phone import fonts
from virtual_phone.state import PhoneState
from virtual_phone.state.apps import RunningActivity
from virtual_phone.state.notes import Note
from virtual_phone.ui.page import MARGIN, WIDTH, ScreenPage, Tool, center_note, go, number_of
from virtual_phone.ui.tree import Action, Box, ViewNode, ViewStyle
from virtual_phone.ui.words import word

_EDITOR = ".activities.EditorActivity"
_GAP, _PAD = 24, 36
_COLUMN = (WIDTH - 2 * MARGIN - _GAP) // 2
_EXTRA = "android.intent.extra."


def notes(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """Every note as a card as high as its text, the latest first."""
    page = ScreenPage(state, activity)
    page.bar(state.apps.label(activity.package), back=False)
    tops = [page.y, page.y]
    for note in sorted(state.notes.written, key=lambda note: (-note.changed, -note.identifier)):
        column = 0 if tops[0] <= tops[1] else 1
        tops[column] = _card(page, note, MARGIN + column * (_COLUMN + _GAP), tops[column])
    page.y = max(tops) + 200
    if not state.notes.written:
        center_note(page, word(state, "no_notes"))
    page.floating("plus", word(state, "new_note"), go(_EDITOR))
    return page.finish()


def _card(page: ScreenPage, note: Note, left: int, top: int) -> int:
    """Draw one card; returns the top of the next one below it."""
    texts = [(note.title, 45, True, 2), (note.body, 39, False, 8)]
    y, children = top + _PAD, []
    for text, size, bold, most in texts:
        lines = fonts.wrap(text, size, _COLUMN - 2 * _PAD, most) if text else ()
        height = round(len(lines) * size * 1.32)
        if lines:
            box = Box(left + _PAD, y, left + _COLUMN - _PAD, y + height)
            children.append(ViewNode("text", box, text=text, style=ViewStyle(size=size, bold=bold)))
            y += height + 12
    box = Box(left, top, left + _COLUMN, y + _PAD - 12)
    card = ViewNode(
        "group",
        box,
        resource="note",
        description=note.title,
        style=ViewStyle(fill="card", radius=42),
        tap=go(_EDITOR, note=str(note.identifier)),
        children=children,
    )
    page.put(card)
    return card.box.bottom + _GAP


def note_editor(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The form for a note, empty or with shared text; the tick saves it."""
    known = state.notes.find(number_of(activity, "note"))
    extras = activity.intent.extras
    title = str(extras.get(f"{_EXTRA}SUBJECT") or extras.get("name") or (known.title if known else ""))
    body = str(extras.get(f"{_EXTRA}TEXT") or (known.body if known else ""))
    page = ScreenPage(state, activity)
    written = (activity.fields.get("title", title), activity.fields.get("body", body))
    tools = [Tool("check", word(state, "done"), _save(known, *written))]
    if known is not None:
        tools.insert(0, Tool("trash", word(state, "delete"), _remove(known)))
    page.bar("", tools=tools)
    page.field("title", word(state, "title"), title)
    page.field("body", word(state, "note"), body, lines=14)
    return page.finish()


def _save(known: Note | None, title: str, body: str) -> Action:
    def save(state: PhoneState) -> None:
        if known is not None:
            state.notes.change(known, title, body)
        elif title or body:
            state.notes.write(title, body)
        state.apps.back()

    return save


def _remove(known: Note) -> Action:
    def remove(state: PhoneState) -> None:
        state.notes.remove(known)
        state.apps.back()

    return remove
