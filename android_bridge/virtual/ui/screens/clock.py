"""The clock app's alarms."""

from android_bridge.virtual.state import PhoneState
from android_bridge.virtual.state.alarms import WEEKDAYS, Alarm
from android_bridge.virtual.state.apps import Activity
from android_bridge.virtual.ui.page import MARGIN, WIDTH, Page, center_note
from android_bridge.virtual.ui.tree import Action, Box, Look, Node
from android_bridge.virtual.ui.words import short_day, word

_CARD = 312


def alarms(state: PhoneState, activity: Activity) -> Node:
    """A card per alarm with its switch, and the running timers."""
    page = Page(state, activity)
    page.bar(word(state, "alarm"), back=False)
    for alarm in sorted(state.alarms.alarms, key=lambda alarm: (alarm.hour, alarm.minute)):
        _card(page, alarm)
    for timer in state.alarms.timers:
        page.row(timer.label or f"{timer.seconds // 60}:{timer.seconds % 60:02d}", glyph="clock")
    if not state.alarms.alarms:
        center_note(page, word(state, "no_alarms"))
    return page.finish()


def _card(page: Page, alarm: Alarm) -> None:
    state, top = page.state, page.y + 12
    card = Node("group", Box(MARGIN - 18, top, WIDTH - MARGIN + 18, top + _CARD), resource="alarm_card",
                look=Look(fill="card" if alarm.enabled else "surface", radius=54))  # fmt: skip
    ink = "ink" if alarm.enabled else "faint"
    moment = state.clock.wall().replace(hour=alarm.hour, minute=alarm.minute)
    texts = (
        (24, 60, alarm.label, 36, "faint"),
        (84, 132, state.identity.clock_text(moment), 90, ink),
        (222, 54, repeats(state, alarm), 36, ink),
    )
    for offset, height, text, size, color in texts:
        if text:
            box = Box(MARGIN + 24, top + offset, WIDTH - 300, top + offset + height)
            card.children.append(Node("text", box, text=text, look=Look(size=size, ink=color)))
    switch = Box(WIDTH - MARGIN - 168, top + 108, WIDTH - MARGIN - 30, top + 192)
    card.children.append(
        Node("switch", switch, resource="onoff", checked=alarm.enabled, tap=_toggle(alarm), description=alarm.label)
    )
    page.put(card)
    page.y += _CARD + 36


def _toggle(alarm: Alarm) -> Action:
    return lambda state: state.alarms.enable(alarm, not alarm.enabled)


def repeats(state: PhoneState, alarm: Alarm) -> str:
    """On which days it rings, or when it rings once."""
    if alarm.skipped is not None:
        return word(state, "skipped")
    if alarm.days:
        if len(alarm.days) == 7:
            return word(state, "every_day")
        if set(alarm.days) == set(WEEKDAYS[:5]):
            return word(state, "weekdays")
        return ", ".join(short_day(state, WEEKDAYS.index(day)) for day in WEEKDAYS if day in alarm.days)
    now = state.clock.wall()
    due = alarm.next_time(now)
    if due is None:
        return word(state, "once")
    days = (due.date() - now.date()).days
    return word(state, "today") if days == 0 else word(state, "tomorrow") if days == 1 else f"{due:%b} {due.day}"
