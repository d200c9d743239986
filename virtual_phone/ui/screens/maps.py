"""The map: search, a place, navigation. The streets are generated; the internet is not used."""

from datetime import timedelta
from typing import NamedTuple
from urllib.parse import parse_qsl

from virtual_phone import fonts
from virtual_phone.state import PhoneState
from virtual_phone.state.apps import RunningActivity
from virtual_phone.state.intents import Intent
from virtual_phone.ui.page import HEIGHT, MARGIN, STATUS_BAR, WIDTH, ScreenPage, choose, go
from virtual_phone.ui.tree import Action, Box, ViewNode, ViewStyle
from virtual_phone.ui.words import word

_WAY_KEYS = ("destination", "daddr", "dname")
_QUERY_KEYS = ("q", "query", "keywords", "keyword", *_WAY_KEYS)
_TAG = "navigation"
_FINE = "android.permission.ACCESS_FINE_LOCATION"
_PLACE, _NAVIGATION = ".place.PlaceActivity", ".navigation.NavigationActivity"


class Place(NamedTuple):
    """A place on the map: its names, its kind, its distance by car."""

    name: dict[str, str]
    kind: str
    glyph: str
    color: str
    kilometres: float
    minutes: int


_PLACES = tuple(
    Place({"en": english, "zh": chinese}, kind, glyph, color, kilometres, minutes)
    for english, chinese, kind, glyph, color, kilometres, minutes in (
        ("Corner Coffee", "街角咖啡", "cafe", "cup", "#8d6e00", 0.4, 3),
        ("Morning Tea Bar", "晨间茶饮", "cafe", "cup", "#00796b", 0.9, 5),
        ("Noodle House", "老街面馆", "restaurant", "bowl", "#b3541e", 0.6, 4),
        ("Stone Oven Pizza", "石窑披萨", "restaurant", "pizza", "#c62828", 1.8, 9),
        ("Riverside Park", "滨河公园", "park", "leaf", "#2e7d32", 2.2, 11),
        ("Central Station", "中央车站", "station", "pin", "#1f5fbf", 3.5, 14),
        ("City Library", "市图书馆", "library", "book", "#5e35b1", 1.2, 7),
    )
)
_KINDS = {
    "cafe": ("coffee", "cafés", "咖啡"), "restaurant": ("restaurants", "food", "餐厅"), "park": ("parks", "公园"),
    "station": ("stations", "车站"), "library": ("libraries", "图书馆"),
}  # fmt: skip
"""Other words for each kind in a search."""
_CHIPS = ("cafe", "restaurant", "park", "station")


def _asked(activity: RunningActivity) -> tuple[str, bool]:
    """The query of the link that opened the app (``geo:0,0?q=…``, a web address); True when it asks for directions."""
    data = activity.intent.data
    query = data.partition("?")[2] if "?" in data else data.partition(":")[2]
    values = dict(parse_qsl(query))
    key = next((key for key in _QUERY_KEYS if key in values), "")
    return values.get(key, ""), key in _WAY_KEYS or activity.intent.scheme == "google.navigation"


def maps(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The map with its search field; search results are a list over it, directions open the place's page."""
    asked, way = _asked(activity)
    if asked and way:
        return _place(state, activity, _find(asked))
    page = ScreenPage(state, activity)
    if not activity.fields.get("search", asked):
        page.fix(_map(state, Box(0, 0, WIDTH, HEIGHT), "map"))
    style = ViewStyle(fill="card", radius=60, size=45, glyph="search", border="line")
    wanted = page.search_bar("search", word(state, "search"), asked, style=style)
    if wanted:
        for place in _search(wanted):
            name = place.name[state.identity.language]
            page.row(name, _distance(state, place), glyph=place.glyph, color=place.color, tap=go(_PLACE, place=name),
                     resource="result")  # fmt: skip
    else:
        _suggestions(page)
    return page.finish()


def _suggestions(page: ScreenPage) -> None:
    """A chip per kind of place, and the button for the phone's location."""
    left, top = MARGIN - 18, page.y + 6
    for kind in _CHIPS:
        text = word(page.state, kind)
        width = fonts.width(text, 38) + 78
        style = ViewStyle(fill="card", radius=42, size=38, align="center", border="line")
        page.fix(
            ViewNode(
                "button", Box(left, top, left + width, top + 84), text=text, style=style, tap=choose("search", text)
            )
        )
        left += width + 18
    app = page.state.apps.find(page.activity.package)
    page.floating("compass", word(page.state, "my_location"), _locate)
    if page.state.location.enabled and app is not None and _FINE in app.granted:
        dot = Box(WIDTH // 2 - 33, 1300, WIDTH // 2 + 33, 1366)
        style = ViewStyle(fill="#1a73e8", radius=33, border="#ffffff")
        page.fix(ViewNode("icon", dot, description=word(page.state, "you_are_here"), style=style))


def _locate(state: PhoneState) -> None:
    """Show the phone's location; the first time, ask for the permission."""
    package = state.apps.foreground.package
    app = state.apps.find(package)
    if app is not None and _FINE not in app.granted:
        extras = {"package": package, "permission": _FINE}
        state.apps.start(Intent(action="android.content.pm.action.REQUEST_PERMISSIONS", extras=extras))


def _map(state: PhoneState, box: Box, name: str) -> ViewNode:
    return ViewNode(
        "picture", box, resource="map", style=ViewStyle(glyph=f"{name}-dark" if state.display.dark else name)
    )


def _search(wanted: str) -> list[Place]:
    """The known places of this name or kind; else one made from the name."""
    text = wanted.casefold().strip()
    found = [
        place
        for place in _PLACES
        if any(text in name.casefold() for name in place.name.values()) or text in _KINDS[place.kind]
    ]
    return found or [_find(wanted)]


def _find(name: str) -> Place:
    """The place of this name, or one made from the name."""
    known = next((place for place in _PLACES if name in place.name.values()), None)
    return known or Place({"en": name, "zh": name}, "place", "pin", "#d93025", 2.4, 12)


def _distance(state: PhoneState, place: Place) -> str:
    return f"{place.kilometres:g} km · {word(state, 'minutes', place.minutes)}"


def place(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """One place: address, distance, and Start."""
    return _place(state, activity, _find(str(activity.intent.extras.get("place", ""))))


def _place(state: PhoneState, activity: RunningActivity, known: Place) -> ViewNode:
    page = ScreenPage(state, activity)
    name = known.name[state.identity.language]
    page.fix(_map(state, Box(0, 0, WIDTH, 1500), "map-route"))
    page.fix(
        ViewNode(
            "icon",
            Box(36, 150, 156, 270),
            description="Navigate up",
            tap=lambda state: state.apps.back(),
            style=ViewStyle(fill="card", radius=60, glyph="back", size=66),
        )
    )
    page.fix(
        ViewNode(
            "group", Box(0, 1440, WIDTH, HEIGHT), resource="place_sheet", style=ViewStyle(fill="background", radius=60)
        )
    )
    page.fix(
        ViewNode("icon", Box(WIDTH // 2 - 48, 1464, WIDTH // 2 + 48, 1474), style=ViewStyle(fill="line", radius=5))
    )
    texts = (
        (Box(MARGIN, 1510, WIDTH - MARGIN, 1606), name, "place_name", ViewStyle(size=66, bold=True)),
        (Box(MARGIN, 1616, WIDTH - MARGIN, 1676), _distance(state, known), "distance", ViewStyle(size=42, ink="faint")),
        (Box(MARGIN, 1690, WIDTH - MARGIN, 1750), word(state, "by_car"), "", ViewStyle(size=42, ink="faint")),
    )
    for box, text, resource, style in texts:
        page.fix(ViewNode("text", box, text=text, resource=resource, style=style))
    style = ViewStyle(fill="primary", ink="on_primary", radius=66, size=45, bold=True, align="center")
    page.fix(
        ViewNode(
            "button",
            Box(MARGIN, 1820, WIDTH - MARGIN, 1952),
            text=word(state, "start_navigation"),
            resource="start",
            style=style,
            tap=_start(name),
        )
    )
    return page.finish()


def _start(name: str) -> Action:
    """Start navigation: its screen, and its ongoing notification."""

    def start(state: PhoneState) -> None:
        package = state.apps.foreground.package
        state.notifications.post(
            package=package, tag=_TAG, channel="navigation", title=word(state, "on_the_way", name),
            text=_distance(state, _find(name)), category="navigation", ongoing=True, importance=2,
            tap={"component": f"{package}/{_NAVIGATION}"},
        )  # fmt: skip
        go(_NAVIGATION, place=name)(state)

    return start


def navigation(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """Navigation: the next turn, the map, the time of arrival, and Exit."""
    page = ScreenPage(state, activity)
    known = _find(str(activity.intent.extras.get("place", "")))
    page.fix(_map(state, Box(0, 0, WIDTH, HEIGHT), "map-route"))
    banner = Box(24, STATUS_BAR + 6, WIDTH - 24, STATUS_BAR + 246)
    page.fix(ViewNode("group", banner, style=ViewStyle(fill="#0b6b3a", radius=54)))
    page.fix(
        ViewNode(
            "icon",
            Box(72, banner.top + 54, 204, banner.bottom - 54),
            style=ViewStyle(glyph="turn", size=132, ink="#ffffff"),
        )
    )
    lines = ((24, 96, word(state, "next_turn"), 60), (120, 84, known.name[state.identity.language], 42))
    for offset, height, text, size in lines:
        box = Box(246, banner.top + offset, banner.right - 36, banner.top + offset + height)
        page.fix(ViewNode("text", box, text=text, style=ViewStyle(size=size, ink="#ffffff", bold=size > 50)))
    strip = page.footer(228)
    page.fix(ViewNode("group", Box(0, strip.top, WIDTH, HEIGHT), style=ViewStyle(fill="background", radius=60)))
    arrival = state.clock.wall() + timedelta(minutes=known.minutes)
    when = f"{_distance(state, known)} · {state.identity.clock_text(arrival)}"
    page.fix(
        ViewNode(
            "text",
            Box(MARGIN, strip.top, WIDTH - 330, strip.bottom),
            text=when,
            resource="arrival",
            style=ViewStyle(size=45, bold=True),
        )
    )
    style = ViewStyle(fill="#d93025", ink="#ffffff", radius=66, size=45, bold=True, align="center")
    page.fix(
        ViewNode(
            "button",
            Box(WIDTH - 318, strip.top + 48, WIDTH - MARGIN, strip.top + 180),
            text=word(state, "exit"),
            resource="exit",
            style=style,
            tap=_exit,
        )
    )
    return page.finish()


def _exit(state: PhoneState) -> None:
    state.notifications.cancel_tag(state.apps.foreground.package, _TAG)
    state.apps.back()
