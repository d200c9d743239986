"""The browser: the address bar, a start page, and a plain page about any address; this phone has no internet."""

from urllib.parse import quote

from virtual_phone.state import PhoneState
from virtual_phone.state.apps import RunningActivity
from virtual_phone.state.intents import Intent, split_uri
from virtual_phone.ui.page import MARGIN, STATUS_BAR, WIDTH, ScreenPage
from virtual_phone.ui.screens.generic import received
from virtual_phone.ui.theme import color_of
from virtual_phone.ui.tree import Action, Box, ViewNode, ViewStyle
from virtual_phone.ui.words import word

_BAR = "url_bar"
_SHORTCUTS = (
    ("weather_page", "https://weather.example.org/", "sun"), ("news", "https://news.example.org/", "lines"),
    ("dictionary", "https://dictionary.example.org/", "book"), ("shopping", "https://shop.example.org/", "bag"),
)  # fmt: skip
_SEARCH = "https://search.example.org/?q="


def browser(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The start page without an address, else the address's page; typed text is offered first."""
    page = ScreenPage(state, activity)
    address = activity.intent.data
    typed = _address_bar(page, address)
    if typed and typed != address:
        page.row(typed, word(state, "go_to"), glyph="globe", tap=submit, resource="suggestion")
    if split_uri(address)[0]:
        _page(page)
    else:
        _start_page(page)
    return page.finish()


def _address_bar(page: ScreenPage, address: str) -> str:
    """The address field, and the button to the start page."""
    right = WIDTH - (180 if address else MARGIN - 18)
    style = ViewStyle(fill="surface", radius=60, size=42, glyph="lock" if address.startswith("https:") else "search")
    typed = page.search_bar(_BAR, word(page.state, "get_started"), address, right=right, style=style)
    if address:
        home = Box(WIDTH - 162, STATUS_BAR + 18, WIDTH - 42, STATUS_BAR + 138)
        page.fix(
            ViewNode(
                "icon",
                home,
                description=word(page.state, "start_page"),
                style=ViewStyle(glyph="home", size=66),
                tap=_open(""),
            )
        )
    return typed


def _start_page(page: ScreenPage) -> None:
    """Shortcuts and history."""
    state, width = page.state, (WIDTH - 2 * MARGIN) // len(_SHORTCUTS)
    for number, (name, address, glyph) in enumerate(_SHORTCUTS):
        left, top = MARGIN + number * width, page.y + 60
        middle, text = left + width // 2, word(state, name)
        tile = ViewNode("group", Box(left, top, left + width, top + 240), description=text, tap=_open(address))
        style = ViewStyle(fill=color_of(address), ink="#ffffff", radius=72, glyph=glyph, size=75)
        label = Box(left, top + 162, left + width, top + 222)
        tile.children = [
            ViewNode("icon", Box(middle - 72, top, middle + 72, top + 144), style=style),
            ViewNode("text", label, text=text, style=ViewStyle(size=36, align="center")),
        ]
        page.put(tile)
    page.gap(330)
    if state.browsing.visited:
        page.heading(word(state, "visited"))
    for address in state.browsing.visited:
        host = split_uri(address)[0]
        page.row(host or address, address, glyph="globe", tap=_open(address), resource="visited")


def _page(page: ScreenPage) -> None:
    """A page without internet: the parts of its address."""
    activity = page.activity
    page.gap(24)
    page.text(split_uri(activity.intent.data)[0], size=66, bold=True)
    for name, value in received(activity):
        if name not in ("scheme", "host"):
            page.text(name, size=34, ink="faint")
            page.text(value, size=45, resource="parameter")
    page.gap(36)
    page.text(word(page.state, "no_internet"), ink="faint")


def _open(address: str) -> Action:
    def action(state: PhoneState) -> None:
        if address:
            state.browsing.visit(address)
        front = state.apps.foreground
        state.apps.start(Intent(component=front.component, action="android.intent.action.VIEW", data=address))

    return action


def submit(state: PhoneState) -> None:
    """Open the typed address, or search for the typed words."""
    typed = state.apps.foreground.fields.get(_BAR, "").strip()
    if typed.startswith(("http://", "https://")):
        _open(typed)(state)
    elif "." in typed and " " not in typed:
        _open(f"https://{typed}")(state)
    elif typed:
        _open(_SEARCH + quote(typed))(state)
