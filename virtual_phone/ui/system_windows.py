"""The system's own windows: status bar, navigation bar, heads-up notification, shade, keyguard."""

from virtual_phone import fonts
from virtual_phone.state import PhoneState
from virtual_phone.state.notifications import PostedNotification
from virtual_phone.state.well_known import SYSTEM_UI
from virtual_phone.ui.page import HEIGHT, NAVIGATION_BAR, STATUS_BAR, WIDTH
from virtual_phone.ui.tree import Action, Box, ScreenWindow, ViewNode, ViewStyle
from virtual_phone.ui.words import ago, long_date, word

_SIDE = 30
_LINE = 1.32
HEADS_UP_MS = 5000
"""A notification hangs over the screen for so long: ``heads_up_notification_decay`` of SystemUI (AOSP
``packages/SystemUI/res/values/config.xml``)."""


def status_bar(state: PhoneState, ink: str) -> ScreenWindow:
    """Clock at the left; notification icons; network and battery at the right."""
    root = ViewNode("frame", Box(0, 0, WIDTH, STATUS_BAR), resource="status_bar")
    clock = state.identity.clock_text(state.clock.wall())
    root.children.append(
        ViewNode(
            "text", Box(54, 24, 280, 100), text=clock, resource="clock", style=ViewStyle(size=42, ink=ink, bold=True)
        )
    )
    x = 54 + fonts.width(clock, 42, bold=True) + 30
    for package in list(dict.fromkeys(note.package for note in state.notifications.visible()))[:4]:
        app = state.apps.find(package)
        glyph = (app.glyph if app else "") or "bell"
        root.children.append(_icon(x, glyph, 42, ink, f"{state.apps.label(package)} notification"))
        x += 60
    right = WIDTH - 54
    for glyph, label in _indicators(state):
        text = label if glyph == "" else ""
        size = fonts.width(text, 38) if text else 46
        right -= size
        if text:
            box = Box(right, 24, right + size + 4, 100)
            root.children.append(
                ViewNode("text", box, text=text, resource="battery_text", style=ViewStyle(size=38, ink=ink))
            )
        else:
            root.children.append(_icon(right, glyph, 46, ink, label))
        right -= 14
    return ScreenWindow(SYSTEM_UI, root, "StatusBar", touch_modal=False)


def _icon(left: int, glyph: str, size: int, ink: str, label: str) -> ViewNode:
    return ViewNode(
        "icon",
        Box(left, 62 - size // 2, left + size, 62 - size // 2 + size),
        description=label,
        style=ViewStyle(glyph=glyph, size=size, ink=ink),
    )


def _indicators(state: PhoneState) -> list[tuple[str, str]]:
    """Glyph and description from right to left; an empty glyph is text."""
    battery = state.battery
    charging = battery.plugged
    shown = [("", f"{battery.level}%"), ("bolt" if charging else "battery", f"Battery {battery.level} percent.")]
    if state.network.airplane:
        shown.append(("plane", "Airplane mode."))
    else:
        shown.append(("signal", f"Phone signal {state.network.signal} bars."))
    if state.network.wifi_connected:
        shown.append(("wifi", "Wifi signal full."))
    if state.dnd.effective != "off":
        shown.append(("minus_circle", "Do Not Disturb."))
    if any(device.connected for device in state.bluetooth.devices):
        shown.append(("bluetooth", "Bluetooth connected."))
    if state.alarms.next_time() is not None:
        shown.append(("clock", "Alarm set."))
    return shown


def navigation_bar(ink: str) -> ScreenWindow:
    """The gesture bar."""
    handle = Box(WIDTH // 2 - 190, HEIGHT - 34, WIDTH // 2 + 190, HEIGHT - 24)
    pill = ViewNode("icon", handle, resource="home_handle", style=ViewStyle(fill=ink, radius=5))
    root = ViewNode("frame", Box(0, HEIGHT - NAVIGATION_BAR, WIDTH, HEIGHT), resource="navigation_bar", children=[pill])
    return ScreenWindow(SYSTEM_UI, root, "NavigationBar0", touch_modal=False)


def _card(state: PhoneState, note: PostedNotification, top: int, *, lines: int) -> ViewNode:
    """One notification as a card; its height fits its text."""
    body = note.big_text if note.big_text and lines > 2 else note.text
    rows = fonts.wrap(body, 38, WIDTH - 2 * _SIDE - 210, lines)
    height = 150 + round(len(rows) * 38 * _LINE) + (96 if note.actions else 24)
    box = Box(_SIDE, top, WIDTH - _SIDE, top + height)
    card = ViewNode(
        "group", box, resource="expandableNotificationRow", style=ViewStyle(fill="card", radius=66), tap=_tap(note.key)
    )
    app = state.apps.find(note.package)
    icon = Box(box.left + 42, top + 42, box.left + 120, top + 120)
    style = ViewStyle(
        fill=app.color if app else "#5f6368", ink="#ffffff", radius=39, glyph=(app.glyph if app else "") or "bell"
    )
    style.size = 42
    card.children.append(ViewNode("icon", icon, resource="icon", style=style))
    left, right = box.left + 156, box.right - 48
    header = f"{state.apps.label(note.package)} · {ago(state, note.when)}"
    texts = (
        (Box(left, top + 24, right, top + 72), header, "app_name_text", ViewStyle(size=32, ink="faint")),
        (Box(left, top + 72, right, top + 132), note.title, "title", ViewStyle(size=42, bold=True)),
        (
            Box(left, top + 132, right, top + 138 + round(len(rows) * 38 * _LINE)),
            body,
            "text",
            ViewStyle(size=38, ink="faint"),
        ),
    )
    for place, text, resource, style in texts:
        card.children.append(ViewNode("text", place, text=text, resource=resource, style=style))
    x = left
    for title in note.actions:
        size = fonts.width(title, 38, bold=True)
        place = Box(x, box.bottom - 90, x + size + 12, box.bottom - 24)
        card.children.append(
            ViewNode(
                "button",
                place,
                text=title,
                resource="action0",
                style=ViewStyle(size=38, ink="primary", bold=True),
                tap=_act(note.key, title),
            )
        )
        x += size + 72
    return card


def _tap(key: str) -> Action:
    return lambda state: state.notifications.tap(key)


def _act(key: str, title: str) -> Action:
    return lambda state: state.notifications.act(key, title)


def heads_up(state: PhoneState) -> ScreenWindow | None:
    """The heads-up notification."""
    note = peeking(state)
    if note is None:
        return None
    card = _card(state, note, STATUS_BAR + 12, lines=2)
    card.style.border = "line"
    return ScreenWindow(SYSTEM_UI, ViewNode("frame", card.box, children=[card]), "HeadsUp", touch_modal=False)


def peeking(state: PhoneState) -> PostedNotification | None:
    """The notification that hangs over the screen now; a call and an alarm stay there until they are answered."""
    note = state.notifications.find(state.notifications.heads_up or "")
    if note is None or note.category in ("call", "alarm"):
        return note
    return note if state.clock.milliseconds() - note.posted <= HEADS_UP_MS else None


def shade(state: PhoneState) -> ScreenWindow:
    """Quick settings and every notification."""
    root = ViewNode("frame", Box(0, 0, WIDTH, HEIGHT), resource="notification_panel", style=ViewStyle(fill="surface"))
    now = state.clock.wall()
    root.children.append(
        ViewNode("text", Box(60, 140, 600, 240), text=state.identity.clock_text(now), style=ViewStyle(size=84))
    )
    root.children.append(
        ViewNode("text", Box(60, 246, 1020, 300), text=long_date(state, now), style=ViewStyle(size=39, ink="faint"))
    )
    y = _tiles(state, root, 340)
    notes = state.notifications.visible()
    for note in notes:
        card = _card(state, note, y, lines=6)
        if card.box.bottom > HEIGHT - 260:
            break
        root.children.append(card)
        y = card.box.bottom + 12
    if not notes:
        box = Box(60, y + 100, 1020, y + 170)
        style = ViewStyle(size=42, ink="faint", align="center")
        root.children.append(ViewNode("text", box, text=word(state, "no_notifications"), style=style))
    elif any(not note.ongoing for note in notes):
        box = Box(WIDTH // 2 - 180, HEIGHT - 220, WIDTH // 2 + 180, HEIGHT - 110)
        style = ViewStyle(fill="card", ink="primary", radius=55, size=39, align="center")
        root.children.append(
            ViewNode(
                "button",
                box,
                text=word(state, "clear_all"),
                resource="dismiss_text",
                style=style,
                tap=lambda state: state.notifications.cancel_all(),
            )
        )
    return ScreenWindow(SYSTEM_UI, root, "NotificationShade")


def _tiles(state: PhoneState, root: ViewNode, top: int) -> int:
    tiles: tuple[tuple[str, str, bool, Action], ...] = (
        ("wifi", state.network.ssid or word(state, "wifi"), state.network.wifi,
         lambda state: state.network.set_wifi(not state.network.wifi)),
        ("bluetooth", word(state, "bluetooth"), state.bluetooth.enabled,
         lambda state: state.bluetooth.set_enabled(not state.bluetooth.enabled)),
        ("minus_circle", word(state, "dnd"), state.dnd.mode != "off",
         lambda state: state.dnd.set("off" if state.dnd.mode != "off" else "priority")),
        ("bolt", word(state, "battery_saver"), state.power.saver,
         lambda state: state.power.set_saver(not state.power.saver)),
    )  # fmt: skip
    for index, (glyph, label, on, tap) in enumerate(tiles):
        left = _SIDE + 12 + index % 2 * 504
        y = top + index // 2 * 192
        ink = "on_primary" if on else "ink"
        tile = ViewNode(
            "group",
            Box(left, y, left + 486, y + 168),
            description=label,
            checked=on,
            style=ViewStyle(fill="primary" if on else "card", radius=60),
            tap=tap,
        )
        icon = Box(left + 42, y + 48, left + 114, y + 120)
        tile.children.append(ViewNode("icon", icon, style=ViewStyle(glyph=glyph, size=66, ink=ink)))
        text = Box(left + 138, y, left + 470, y + 168)
        tile.children.append(ViewNode("text", text, text=label, style=ViewStyle(size=39, ink=ink)))
        root.children.append(tile)
    return top + 2 * 192 + 30


def keyguard(state: PhoneState) -> ScreenWindow:
    """The lock screen: clock, date and the notifications."""
    picture = "wallpaper-dark" if state.display.dark else "wallpaper"
    root = ViewNode("frame", Box(0, 0, WIDTH, HEIGHT), resource="keyguard")
    root.children.append(ViewNode("picture", Box(0, 0, WIDTH, HEIGHT), style=ViewStyle(glyph=picture)))
    now = state.clock.wall()
    white = ViewStyle(size=180, ink="#ffffff", align="center")
    root.children.append(ViewNode("text", Box(60, 320, 1020, 560), text=state.identity.clock_text(now), style=white))
    style = ViewStyle(size=48, ink="#ffffff", align="center")
    root.children.append(ViewNode("text", Box(60, 570, 1020, 640), text=long_date(state, now), style=style))
    y = 760
    for note in state.notifications.visible()[:4]:
        card = _card(state, note, y, lines=2)
        card.tap = None
        root.children.append(card)
        y = card.box.bottom + 12
    hint = Box(60, HEIGHT - 190, 1020, HEIGHT - 120)
    root.children.append(ViewNode("text", hint, text=word(state, "swipe_to_unlock"), style=style))
    root.children.append(
        ViewNode(
            "icon",
            Box(500, HEIGHT - 290, 580, HEIGHT - 210),
            description="Locked",
            style=ViewStyle(glyph="lock", size=66, ink="#ffffff"),
        )
    )
    return ScreenWindow(SYSTEM_UI, root, "NotificationShade")
