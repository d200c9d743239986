"""The system's own windows: status bar, navigation bar, heads-up notification, shade, keyguard."""

from virtual_phone.state import PhoneState
from virtual_phone.state.notifications import Notification
from virtual_phone.state.well_known import SYSTEM_UI
from virtual_phone.ui import fonts
from virtual_phone.ui.page import HEIGHT, NAVIGATION_BAR, STATUS_BAR, WIDTH
from virtual_phone.ui.tree import Action, Box, Look, Node, Window
from virtual_phone.ui.words import ago, long_date, word

_SIDE = 30
_LINE = 1.32


def status_bar(state: PhoneState, ink: str) -> Window:
    """Clock at the left; notification icons; network and battery at the right."""
    root = Node("frame", Box(0, 0, WIDTH, STATUS_BAR), resource="status_bar")
    clock = state.identity.clock_text(state.clock.wall())
    root.children.append(
        Node("text", Box(54, 24, 280, 100), text=clock, resource="clock", look=Look(size=42, ink=ink, bold=True))
    )
    x = 54 + fonts.width(clock, 42) + 30
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
            root.children.append(Node("text", box, text=text, resource="battery_text", look=Look(size=38, ink=ink)))
        else:
            root.children.append(_icon(right, glyph, 46, ink, label))
        right -= 14
    return Window(SYSTEM_UI, root, "StatusBar", touch_modal=False)


def _icon(left: int, glyph: str, size: int, ink: str, label: str) -> Node:
    return Node("icon", Box(left, 62 - size // 2, left + size, 62 - size // 2 + size), description=label,
                look=Look(glyph=glyph, size=size, ink=ink))  # fmt: skip


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
    if state.dnd.mode != "off":
        shown.append(("minus_circle", "Do Not Disturb."))
    if any(device.connected for device in state.bluetooth.devices):
        shown.append(("bluetooth", "Bluetooth connected."))
    if state.alarms.next_time() is not None:
        shown.append(("clock", "Alarm set."))
    return shown


def navigation_bar(ink: str) -> Window:
    """The gesture handle."""
    handle = Box(WIDTH // 2 - 190, HEIGHT - 34, WIDTH // 2 + 190, HEIGHT - 24)
    pill = Node("icon", handle, resource="home_handle", look=Look(fill=ink, radius=5))
    root = Node("frame", Box(0, HEIGHT - NAVIGATION_BAR, WIDTH, HEIGHT), resource="navigation_bar", children=[pill])
    return Window(SYSTEM_UI, root, "NavigationBar0", touch_modal=False)


def _card(state: PhoneState, note: Notification, top: int, *, lines: int) -> Node:
    """One notification as a card; its height fits its text."""
    body = note.big_text if note.big_text and lines > 2 else note.text
    rows = fonts.wrap(body, 38, WIDTH - 2 * _SIDE - 210, lines)
    height = 150 + round(len(rows) * 38 * _LINE) + (96 if note.actions else 24)
    box = Box(_SIDE, top, WIDTH - _SIDE, top + height)
    card = Node("group", box, resource="expandableNotificationRow", look=Look(fill="card", radius=66),
                tap=_tap(note.key))  # fmt: skip
    app = state.apps.find(note.package)
    icon = Box(box.left + 42, top + 42, box.left + 120, top + 120)
    look = Look(
        fill=app.color if app else "#5f6368", ink="#ffffff", radius=39, glyph=(app.glyph if app else "") or "bell"
    )
    look.size = 42
    card.children.append(Node("icon", icon, resource="icon", look=look))
    left, right = box.left + 156, box.right - 48
    header = f"{state.apps.label(note.package)} · {ago(state, note.when)}"
    texts = (
        (Box(left, top + 24, right, top + 72), header, "app_name_text", Look(size=32, ink="faint")),
        (Box(left, top + 72, right, top + 132), note.title, "title", Look(size=42, bold=True)),
        (
            Box(left, top + 132, right, top + 138 + round(len(rows) * 38 * _LINE)),
            body,
            "text",
            Look(size=38, ink="faint"),
        ),
    )
    for place, text, resource, look in texts:
        card.children.append(Node("text", place, text=text, resource=resource, look=look))
    x = left
    for title in note.actions:
        size = fonts.width(title, 38)
        place = Box(x, box.bottom - 90, x + size + 12, box.bottom - 24)
        card.children.append(
            Node("button", place, text=title, resource="action0", look=Look(size=38, ink="primary", bold=True),
                 tap=_act(note.key, title))
        )  # fmt: skip
        x += size + 72
    return card


def _tap(key: str) -> Action:
    return lambda state: state.notifications.tap(key)


def _act(key: str, title: str) -> Action:
    return lambda state: state.notifications.act(key, title)


def heads_up(state: PhoneState) -> Window | None:
    """The notification that peeks over the screen."""
    note = state.notifications.find(state.notifications.heads_up or "")
    if note is None:
        return None
    card = _card(state, note, STATUS_BAR + 12, lines=2)
    card.look.border = "line"
    return Window(SYSTEM_UI, Node("frame", card.box, children=[card]), "HeadsUp", touch_modal=False)


def shade(state: PhoneState) -> Window:
    """Quick settings and every notification."""
    root = Node("frame", Box(0, 0, WIDTH, HEIGHT), resource="notification_panel", look=Look(fill="surface"))
    now = state.clock.wall()
    root.children.append(Node("text", Box(60, 140, 600, 240), text=state.identity.clock_text(now), look=Look(size=84)))
    root.children.append(
        Node("text", Box(60, 246, 1020, 300), text=long_date(state, now), look=Look(size=39, ink="faint"))
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
        look = Look(size=42, ink="faint", align="center")
        root.children.append(Node("text", box, text=word(state, "no_notifications"), look=look))
    elif any(not note.ongoing for note in notes):
        box = Box(WIDTH // 2 - 180, HEIGHT - 220, WIDTH // 2 + 180, HEIGHT - 110)
        look = Look(fill="card", ink="primary", radius=55, size=39, align="center")
        root.children.append(
            Node("button", box, text=word(state, "clear_all"), resource="dismiss_text", look=look,
                 tap=lambda state: state.notifications.cancel_all())
        )  # fmt: skip
    return Window(SYSTEM_UI, root, "NotificationShade")


def _tiles(state: PhoneState, root: Node, top: int) -> int:
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
        tile = Node("group", Box(left, y, left + 486, y + 168), description=label, checked=on,
                    look=Look(fill="primary" if on else "card", radius=60), tap=tap)  # fmt: skip
        icon = Box(left + 42, y + 48, left + 114, y + 120)
        tile.children.append(Node("icon", icon, look=Look(glyph=glyph, size=66, ink=ink)))
        text = Box(left + 138, y, left + 470, y + 168)
        tile.children.append(Node("text", text, text=label, look=Look(size=39, ink=ink)))
        root.children.append(tile)
    return top + 2 * 192 + 30


def keyguard(state: PhoneState) -> Window:
    """The lock screen: clock, date and the notifications."""
    picture = "wallpaper-dark" if state.display.dark else "wallpaper"
    root = Node("frame", Box(0, 0, WIDTH, HEIGHT), resource="keyguard")
    root.children.append(Node("picture", Box(0, 0, WIDTH, HEIGHT), look=Look(glyph=picture)))
    now = state.clock.wall()
    white = Look(size=180, ink="#ffffff", align="center")
    root.children.append(Node("text", Box(60, 320, 1020, 560), text=state.identity.clock_text(now), look=white))
    look = Look(size=48, ink="#ffffff", align="center")
    root.children.append(Node("text", Box(60, 570, 1020, 640), text=long_date(state, now), look=look))
    y = 760
    for note in state.notifications.visible()[:4]:
        card = _card(state, note, y, lines=2)
        card.tap = None
        root.children.append(card)
        y = card.box.bottom + 12
    hint = Box(60, HEIGHT - 190, 1020, HEIGHT - 120)
    root.children.append(Node("text", hint, text=word(state, "swipe_to_unlock"), look=look))
    root.children.append(Node("icon", Box(500, HEIGHT - 290, 580, HEIGHT - 210), description="Locked",
                              look=Look(glyph="lock", size=66, ink="#ffffff")))  # fmt: skip
    return Window(SYSTEM_UI, root, "NotificationShade")
