"""A music player: songs, and the current one."""

from typing import NamedTuple

from virtual_phone.state import PhoneState
from virtual_phone.state.apps import RunningActivity
from virtual_phone.state.audio import PlayerSession
from virtual_phone.ui.page import MARGIN, WIDTH, ScreenPage, Tool
from virtual_phone.ui.tree import Action, Box, ViewNode, ViewStyle
from virtual_phone.ui.words import word


class Song(NamedTuple):
    """A song of the library, in both languages."""

    title: dict[str, str]
    artist: dict[str, str]


_SONGS = tuple(
    Song({"en": title, "zh": chinese}, {"en": artist, "zh": other})
    for title, chinese, artist, other in (
        ("Morning Train", "清晨列车", "The Platforms", "站台乐队"),
        ("Paper Boats", "纸船", "Lin Yu", "林雨"),
        ("Slow River", "慢河", "Nora Fields", "诺拉"),
        ("City at Four", "凌晨四点", "Night Shift", "夜班"),
        ("Two Umbrellas", "两把伞", "Lin Yu", "林雨"),
        ("Home by Eight", "八点到家", "The Platforms", "站台乐队"),
    )
)
_PLAYER = 330


def music(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The songs; at the bottom the current one with its controls."""
    page = ScreenPage(state, activity)
    page.bar(word(state, "music"), back=False)
    session = state.audio.session
    playing = session if session and session.package == activity.package else None
    if playing is not None:
        _cover(page, playing)
    language = state.identity.language
    page.heading(word(state, "songs"))
    for song in _SONGS:
        title = song.title[language]
        on = playing is not None and playing.title == title
        page.row(title, song.artist[language], glyph="volume" if on else "note", bold=on, tap=_play(song),
                 resource="song")  # fmt: skip
    if playing is not None:
        _controls(page, playing)
    return page.finish()


def _play(song: Song) -> Action:
    def play(state: PhoneState) -> None:
        language = state.identity.language
        state.audio.play(state.apps.foreground.package, song.title[language], song.artist[language])

    return play


def _cover(page: ScreenPage, session: PlayerSession) -> None:
    side = 620
    box = Box((WIDTH - side) // 2, page.y + 24, (WIDTH + side) // 2, page.y + 24 + side)
    page.put(
        ViewNode("picture", box, style=ViewStyle(glyph=session.title), description=session.title, resource="cover")
    )
    page.y = box.bottom + 24


def _controls(page: ScreenPage, session: PlayerSession) -> None:
    """Title, artist, and buttons: previous, pause or play, next."""
    state, strip = page.state, page.footer(_PLAYER)
    page.fix(ViewNode("group", Box(0, strip.top, WIDTH, strip.bottom + 62), style=ViewStyle(fill="surface")))
    title = Box(MARGIN, strip.top + 24, WIDTH - MARGIN, strip.top + 90)
    page.fix(
        ViewNode(
            "text",
            title,
            text=session.title,
            resource="now_playing",
            style=ViewStyle(size=45, bold=True, align="center"),
        )
    )
    artist = Box(MARGIN, strip.top + 90, WIDTH - MARGIN, strip.top + 144)
    page.fix(ViewNode("text", artist, text=session.artist, style=ViewStyle(size=36, ink="faint", align="center")))
    name = "pause" if session.playing else "play"
    tools = (
        Tool("previous", word(state, "previous"), _step(session, -1)),
        Tool(name, word(state, name), lambda state: state.audio.dispatch("play-pause")),
        Tool("next", word(state, "next"), _step(session, 1)),
    )
    for number, tool in enumerate(tools):
        half, x = 75 if number == 1 else 60, WIDTH // 2 + (number - 1) * 240
        middle = strip.top + 232
        box = Box(x - half, middle - half, x + half, middle + half)
        style = ViewStyle(fill="primary", ink="on_primary", radius=half) if number == 1 else ViewStyle()
        style.glyph, style.size = tool.glyph, 78
        resource = "play_pause" if number == 1 else tool.glyph
        page.fix(ViewNode("button", box, description=tool.label, resource=resource, style=style, tap=tool.tap))


def _step(session: PlayerSession, step: int) -> Action:
    """The previous or next song; a title that is not in the library is followed by the first one."""
    titles = [title for song in _SONGS for title in (song.title["en"], song.title["zh"])]
    here = titles.index(session.title) // 2 if session.title in titles else -step if step < 0 else -1
    return _play(_SONGS[(here + step) % len(_SONGS)])
