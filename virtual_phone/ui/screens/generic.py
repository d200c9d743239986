"""Landing pages that show what they received, signing in, and the camera."""

from urllib.parse import parse_qsl, unquote

from virtual_phone.state import PhoneState
from virtual_phone.state.apps import RunningActivity
from virtual_phone.state.intents import split_uri
from virtual_phone.state.well_known import PHOTOS_APP
from virtual_phone.ui.page import HEIGHT, WIDTH, ScreenPage
from virtual_phone.ui.pictures import seed_of
from virtual_phone.ui.tree import Box, ViewNode, ViewStyle
from virtual_phone.ui.words import word


def received(activity: RunningActivity) -> list[tuple[str, str]]:
    """The parameters of the intent: parts and query of its URI, then its extras."""
    intent = activity.intent
    rows: list[tuple[str, str]] = []
    if intent.data:
        scheme, _, rest = intent.data.partition(":")
        authority, path = split_uri(intent.data)
        rows.append(("scheme", scheme))
        if authority:
            rows.append(("host", authority))
        rest = rest if not authority else path
        rows.extend([("path", unquote(rest.partition("?")[0]))] if rest.strip("/") else [])
        rows.extend(parse_qsl(intent.data.partition("?")[2].partition("#")[0], keep_blank_values=True))
    if intent.mime:
        rows.append(("type", intent.mime))
    rows.extend((name.rpartition(".")[2], str(value)) for name, value in intent.extras.items())
    return rows


def landing(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """An app's page: its name, and the parameters it was opened with."""
    app = state.apps.find(activity.package)
    page = ScreenPage(state, activity)
    page.bar(state.apps.label(activity.package), back=True)
    color, glyph = (app.color, app.glyph or "app") if app else ("accent", "app")
    box = Box(WIDTH // 2 - 120, page.y + 60, WIDTH // 2 + 120, page.y + 300)
    page.put(ViewNode("icon", box, style=ViewStyle(fill=color, ink="#ffffff", radius=72, glyph=glyph, size=132)))
    page.y += 360
    if received(activity):
        show_received(page)
    else:
        page.text(word(state, "plain_app"), ink="faint").style.align = "center"
    return page.finish()


def show_received(page: ScreenPage) -> None:
    """The parameters that the page's activity was opened with."""
    rows = received(page.activity)
    if rows:
        page.heading(word(page.state, "received"))
    for name, value in rows:
        page.text(name, size=34, ink="faint")
        page.text(value, size=45, resource="parameter")
        page.gap(12)


def search(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """An app with a search field, and the parameters it was opened with."""
    page = ScreenPage(state, activity)
    page.bar(state.apps.label(activity.package), back=True)
    page.field("search", word(state, "search"))
    show_received(page)
    return page.finish()


def sign_in(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """A sign-in form whose button does nothing."""
    page = ScreenPage(state, activity)
    page.bar(state.apps.label(activity.package), back=True)
    page.field("user_name", word(state, "user_name"))
    page.field("password", word(state, "password"), password=True)
    page.button(word(state, "sign_in"), lambda phone: None, resource="sign_in")
    return page.finish()


_VIDEO = "android.media.action.VIDEO_CAMERA"
_RECORDING = "recording"
"""The field that holds when a recording began."""


def camera(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """A viewfinder, the shutter, and the last picture, which opens the gallery."""
    root = ViewNode("frame", Box(0, 0, WIDTH, HEIGHT), style=ViewStyle(fill="#000000"))
    root.children.append(ViewNode("picture", Box(0, 240, WIDTH, 1680), style=ViewStyle(glyph="viewfinder")))
    style = ViewStyle(fill="#ffffff", radius=105)
    root.children.append(
        ViewNode(
            "button",
            Box(WIDTH // 2 - 105, 1900, WIDTH // 2 + 105, 2110),
            description="Shutter",
            resource="shutter_button",
            style=style,
            tap=_shoot,
        )
    )
    latest = max((item for item in state.media.items if item.kind == "images" and not item.trashed),
                 key=lambda item: item.added, default=None)  # fmt: skip
    if latest is not None:
        root.children.append(
            ViewNode(
                "picture",
                Box(150, 1930, 300, 2080),
                description=word(state, "gallery"),
                resource="thumbnail",
                style=ViewStyle(glyph=seed_of(latest)),
                tap=lambda state: state.apps.open(PHOTOS_APP),
            )
        )
    return root


def _shoot(state: PhoneState) -> None:
    """The shutter: takes a photo; in video mode it begins a recording, and the next touch ends and stores it."""
    activity = state.apps.foreground
    if activity.intent.action != _VIDEO:
        _store(state, "images", "IMG", ".jpg", 3_200_000)
    elif _RECORDING not in activity.fields:
        state.apps.set_field(_RECORDING, str(state.clock.milliseconds()))
    else:
        activity.fields = {name: text for name, text in activity.fields.items() if name != _RECORDING}
        _store(state, "video", "VID", ".mp4", 12_000_000)


def _store(state: PhoneState, kind: str, prefix: str, ending: str, size: int) -> None:
    app = state.apps.find(state.apps.foreground.package)
    folder = (app.saves if app else {}).get(kind, "DCIM/Camera")
    now = state.clock.wall()
    state.media.add(folder, f"{prefix}_{now:%Y%m%d_%H%M%S}{ending}", now, size)
