"""The telephone: recent calls, the keypad, a call."""

from virtual_phone.state import PhoneState
from virtual_phone.state.apps import RunningActivity
from virtual_phone.state.intents import Intent
from virtual_phone.state.people import CALL_SCREEN
from virtual_phone.ui.page import HEIGHT, MARGIN, WIDTH, ScreenPage, Tool, center_note, choose
from virtual_phone.ui.tree import Action, Box, ViewNode, ViewStyle
from virtual_phone.ui.words import ago, word

_KIND_WORDS = {1: "incoming", 2: "outgoing", 3: "missed", 5: "rejected"}
_KEYS = "123456789*0#"
_KEY = (300, 216)
_GREEN, _RED = "#1e8e3e", "#d93025"


def place_call(number: str) -> Action:
    """A tap that calls a number and shows the call."""

    def action(state: PhoneState) -> None:
        if number:
            state.calls.dial(number)
            state.apps.start(Intent(component=CALL_SCREEN, data=f"tel:{number}"))

    return action


def dialer(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """Recent calls and the keypad, a tab each; with a number given, the keypad."""
    page = ScreenPage(state, activity)
    labels = [word(state, "recent_calls"), word(state, "keypad")]
    first = "keypad" if activity.intent.data else "recents"
    if page.tabs({"recents": "clock", "keypad": "keypad"}, labels, first) == "keypad":
        _keypad(page)
    else:
        _recents(page)
    return page.finish()


def _recents(page: ScreenPage) -> None:
    state = page.state
    page.bar(word(state, "phone"), back=False)
    for call in reversed(state.calls.log):
        title = state.contacts.name_of(call.number) or call.number
        kind = word(state, _KIND_WORDS[call.kind])
        missed = call.kind == 3
        page.row(title, f"{kind} · {call.number}", glyph="phone", trailing=ago(state, call.date), bold=missed,
                 tap=place_call(call.number), resource="call_log_entry")  # fmt: skip
    if not state.calls.log:
        center_note(page, word(state, "no_calls"))


def _keypad(page: ScreenPage) -> None:
    """The number, its contact, twelve keys and the call button."""
    state, given = page.state, page.activity.intent.data.removeprefix("tel:")
    number = page.activity.fields.get("digits", given)
    top = page.footer_top - 4 * _KEY[1] - 300
    box = Box(MARGIN, top - 220, WIDTH - 180, top - 60)
    page.fix(
        ViewNode(
            "field",
            box,
            text=number,
            hint=word(state, "phone"),
            resource="digits",
            style=ViewStyle(size=84, align="center"),
            focused=page.activity.focus == "digits",
            tap=lambda state: state.apps.focus("digits", given),
        )
    )
    erase = Box(WIDTH - 174, top - 200, WIDTH - 54, top - 80)
    style = ViewStyle(glyph="back", size=66, ink="faint")
    page.fix(ViewNode("icon", erase, description=word(state, "erase"), style=style, tap=choose("digits", number[:-1])))
    name = Box(MARGIN, top - 300, WIDTH - MARGIN, top - 225)
    style = ViewStyle(size=42, ink="faint", align="center")
    page.fix(ViewNode("text", name, text=state.contacts.name_of(number), resource="who", style=style))
    left = (WIDTH - 3 * _KEY[0]) // 2
    for index, key in enumerate(_KEYS):
        x, y = left + index % 3 * _KEY[0], top + index // 3 * _KEY[1]
        key_box = Box(x + 12, y + 9, x + _KEY[0] - 12, y + _KEY[1] - 9)
        style = ViewStyle(fill="surface", radius=99, size=78, align="center")
        page.fix(
            ViewNode(
                "button", key_box, text=key, resource=f"key_{index}", style=style, tap=choose("digits", number + key)
            )
        )
    call = Box(WIDTH // 2 - 240, page.footer_top - 252, WIDTH // 2 + 240, page.footer_top - 84)
    style = ViewStyle(fill=_GREEN, ink="#ffffff", radius=84, glyph="phone", size=84)
    page.fix(
        ViewNode(
            "button",
            call,
            description=word(state, "call"),
            resource="dialpad_voice_call_button",
            style=style,
            tap=place_call(number),
        )
    )


def blocked_numbers(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The blocked numbers, to add and to remove."""
    page = ScreenPage(state, activity)
    page.bar(word(state, "blocked"))
    number = activity.fields.get("number", "")
    page.field("number", word(state, "phone"))
    page.button(word(state, "block"), _block(number.strip()), resource="block")
    for blocked in state.calls.blocked:
        tool = Tool("close", f"{word(state, 'unblock')} {blocked}", _unblock(blocked))
        page.row(blocked, state.contacts.name_of(blocked), glyph="minus_circle", tools=[tool], resource="blocked")
    return page.finish()


def _block(number: str) -> Action:
    def block(state: PhoneState) -> None:
        if number:
            state.calls.block(number)
            state.apps.set_field("number", "")

    return block


def _unblock(number: str) -> Action:
    return lambda state: state.calls.block(number, False)


def call(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """A call that is ringing, active, or has just ended."""
    current = state.calls.current
    number = current.number if current else activity.intent.data.removeprefix("tel:")
    ringing = current is not None and current.state == "ringing"
    page = ScreenPage(state, activity)
    page.gap(240)
    name = state.contacts.name_of(number) or number
    avatar = Box(WIDTH // 2 - 210, page.y, WIDTH // 2 + 210, page.y + 420)
    style = ViewStyle(fill="accent", ink="on_accent", radius=210, glyph="person", size=240)
    page.put(ViewNode("icon", avatar, style=style))
    page.y = avatar.bottom + 60
    status = "call_ended" if current is None else "incoming_call" if ringing else "calling"
    texts = (
        (name, 78, "ink", "call_name"),
        (number, 45, "faint", "call_number"),
        (word(state, status), 45, "primary", ""),
    )
    for text, size, ink, resource in texts:
        if text:
            page.text(text, size=size, ink=ink, resource=resource).style.align = "center"
    if ringing:
        _round(page, WIDTH // 4, _GREEN, "answer", lambda state: state.calls.answer(), "incall_answer")
    if current is not None:
        x = WIDTH * 3 // 4 if ringing else WIDTH // 2
        _round(page, x, _RED, "decline" if ringing else "hang_up", _hang_up, "incall_end_call")
    return page.finish()


def _round(page: ScreenPage, x: int, color: str, label: str, tap: Action, resource: str) -> None:
    box = Box(x - 114, HEIGHT - 560, x + 114, HEIGHT - 332)
    style = ViewStyle(fill=color, ink="#ffffff", radius=114, glyph="phone", size=102)
    page.fix(ViewNode("button", box, description=word(page.state, label), resource=resource, style=style, tap=tap))


def _hang_up(state: PhoneState) -> None:
    state.calls.hang_up()
    state.apps.back()
