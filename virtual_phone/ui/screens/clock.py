"""The clock app: alarms, the form for one, timers, the stopwatch."""

from collections.abc import Callable, Mapping

from virtual_phone.state import PhoneState
from virtual_phone.state.alarms import WEEKDAYS, StoredAlarm, Timer, Weekday
from virtual_phone.state.apps import RunningActivity
from virtual_phone.ui.page import MARGIN, WIDTH, ScreenPage, Tool, center_note, choose, go, number_of
from virtual_phone.ui.screens.stopwatch import stopwatch
from virtual_phone.ui.tree import Action, Box, ViewNode, ViewStyle
from virtual_phone.ui.words import listed, short_day, word

_CARD = 312
_EDITOR = "com.android.deskclock.alarms.AlarmEditActivity"
_MINUTES = (1, 3, 5, 10, 15, 30)


def clock(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """Alarms, timers and the stopwatch, a tab each."""
    page = ScreenPage(state, activity)
    first = "timers" if activity.intent.action == "android.intent.action.SHOW_TIMERS" else "alarms"
    names = {"alarms": "clock", "timers": "hourglass", "stopwatch": "timer"}
    labels = [word(state, "alarm"), word(state, "timer"), word(state, "stopwatch")]
    _TABS[page.tabs(names, labels, first)](page)
    return page.finish()


def _alarms(page: ScreenPage) -> None:
    """A card per alarm with its switch; a tap on it edits."""
    state = page.state
    page.bar(word(state, "alarm"), back=False)
    for alarm in sorted(state.alarms.alarms, key=lambda alarm: (alarm.hour, alarm.minute)):
        _card(page, alarm)
    page.gap(200)
    if not state.alarms.alarms:
        center_note(page, word(state, "no_alarms"))
    page.floating("plus", word(state, "new_alarm"), go(_EDITOR))


def _timers(page: ScreenPage) -> None:
    """Buttons for common durations, and the existing timers."""
    state = page.state
    page.bar(word(state, "timer"), back=False)
    width = (WIDTH - 2 * MARGIN - 48) // 3
    for number, minutes in enumerate(_MINUTES):
        left = MARGIN + number % 3 * (width + 24)
        top = page.y + number // 3 * 210
        style = ViewStyle(fill="accent", ink="on_accent", radius=60, size=45, align="center")
        box = Box(left, top, left + width, top + 180)
        page.put(ViewNode("button", box, text=word(state, "minutes", minutes), style=style, tap=_start(minutes)))
    page.gap(210 * (len(_MINUTES) // 3) + 30)
    for timer in state.alarms.timers:
        _timer(page, timer)


def _start(minutes: int) -> Action:
    return lambda state: state.alarms.set_timer(minutes * 60)


def _timer(page: ScreenPage, timer: Timer) -> None:
    state = page.state
    length = f"{timer.seconds // 60}:{timer.seconds % 60:02d}"
    if timer.ends is not None:
        status = word(state, "rings_at", state.identity.clock_text(timer.ends))
    else:
        status = word(state, "paused" if timer.left else "rang")
    held = timer.ends is None
    tools = [Tool("trash", word(state, "delete"), lambda state: state.alarms.remove_timer(timer))]
    if timer.ends or timer.left:
        label = word(state, "resume" if held else "pause")
        tools.insert(0, Tool("play" if held else "pause", label, lambda state: state.alarms.pause(timer)))
    page.row(timer.label or length, f"{length} · {status}", glyph="timer", resource="timer", tools=tools)


def _card(page: ScreenPage, alarm: StoredAlarm) -> None:
    state, top = page.state, page.y + 12
    card = ViewNode(
        "group",
        Box(MARGIN - 18, top, WIDTH - MARGIN + 18, top + _CARD),
        resource="alarm_card",
        style=ViewStyle(fill="card" if alarm.enabled else "surface", radius=54),
        tap=go(_EDITOR, alarm=str(alarm.identifier)),
    )
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
            card.children.append(ViewNode("text", box, text=text, style=ViewStyle(size=size, ink=color)))
    switch = Box(WIDTH - MARGIN - 168, top + 108, WIDTH - MARGIN - 30, top + 192)
    card.children.append(
        ViewNode("switch", switch, resource="onoff", checked=alarm.enabled, tap=_toggle(alarm), description=alarm.label)
    )
    page.put(card)
    page.y += _CARD + 36


def _toggle(alarm: StoredAlarm) -> Action:
    return lambda state: state.alarms.enable(alarm, not alarm.enabled)


def repeats(state: PhoneState, alarm: StoredAlarm) -> str:
    """The days on which an alarm rings, or the date of a one-off."""
    if alarm.skipped is not None:
        return word(state, "skipped")
    if alarm.days:
        if len(alarm.days) == 7:
            return word(state, "every_day")
        if set(alarm.days) == set(WEEKDAYS[:5]):
            return word(state, "weekdays")
        return listed(state, (short_day(state, WEEKDAYS.index(day)) for day in WEEKDAYS if day in alarm.days))
    now = state.clock.wall()
    due = alarm.next_time(now)
    if due is None:
        return word(state, "once")
    days = (due.date() - now.date()).days
    return word(state, "today") if days == 0 else word(state, "tomorrow") if days == 1 else f"{due:%b} {due.day}"


_TABS: Mapping[str, Callable[[ScreenPage], None]] = {"alarms": _alarms, "timers": _timers, "stopwatch": stopwatch}


def alarm_editor(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """An alarm being made or changed: hour, minute, days, label; Save stores it."""
    known = state.alarms.find(number_of(activity, "alarm"))
    chosen = _Chosen(activity, known, state.clock.wall().hour)
    page = ScreenPage(state, activity)
    tools = [Tool("trash", word(state, "delete"), _remove(known))] if known else []
    page.bar(word(state, "edit_alarm" if known else "new_alarm"), tools=tools)
    page.gap(30)
    _wheel(page, Box(180, page.y, 504, page.y + 540), "hour", chosen.hour, 24)
    _wheel(page, Box(576, page.y, 900, page.y + 540), "minute", chosen.minute, 60)
    colon = Box(504, page.y + 150, 576, page.y + 390)
    page.put(ViewNode("text", colon, text=":", style=ViewStyle(size=150, align="center")))
    page.gap(600)
    _days(page, chosen.days)
    page.field("label", word(state, "label"), known.label if known else "")
    page.button(word(state, "save"), _save(known, chosen), resource="save")
    return page.finish()


class _Chosen:
    """The values set so far; untouched ones are the alarm's."""

    def __init__(self, activity: RunningActivity, known: StoredAlarm | None, hour: int) -> None:
        fields = activity.fields
        self.hour = int(fields.get("hour", known.hour if known else (hour + 1) % 24))
        self.minute = int(fields.get("minute", known.minute if known else 0))
        days = fields.get("days", ",".join(known.days) if known else "").split(",")
        self.days = [day for day in WEEKDAYS if day in days]
        self.label = fields.get("label", known.label if known else "")


def _wheel(page: ScreenPage, box: Box, field: str, value: int, count: int) -> None:
    """A number with an arrow above and one below."""
    frame = Box(box.left, box.top + 150, box.right, box.bottom - 150)
    style = ViewStyle(fill="accent", ink="on_accent", radius=54, size=138, align="center")
    page.put(ViewNode("text", frame, text=f"{value:02d}", resource=field, style=style))
    steps = (("up", "later", 1, box.top), ("down", "earlier", -1, frame.bottom))
    for glyph, name, step, top in steps:
        arrow = Box(box.left, top, box.right, top + 150)
        label = f"{word(page.state, field)}: {word(page.state, name)}"
        tap = choose(field, str((value + step) % count))
        page.put(
            ViewNode("button", arrow, description=label, style=ViewStyle(glyph=glyph, size=84, ink="primary"), tap=tap)
        )


def _days(page: ScreenPage, days: list[Weekday]) -> None:
    """A round button for each day of the week."""
    for number, day in enumerate(WEEKDAYS):
        left, on = MARGIN + number * 140, day in days
        rest = [other for other in days if other != day]
        name = short_day(page.state, number)
        style = ViewStyle(fill="primary" if on else "surface", ink="on_primary" if on else "ink", radius=60, size=42)
        style.align = "center"
        page.put(
            ViewNode(
                "checkbox",
                Box(left, page.y, left + 120, page.y + 120),
                text=name[0],
                description=name,
                style=style,
                checked=on,
                tap=choose("days", ",".join(rest if on else [*days, day])),
            )
        )
    page.gap(168)


def _save(known: StoredAlarm | None, chosen: _Chosen) -> Action:
    def save(state: PhoneState) -> None:
        if known is None:
            state.alarms.add(chosen.hour, chosen.minute, chosen.days, chosen.label)
        else:
            state.alarms.change(known, chosen.hour, chosen.minute, chosen.days, chosen.label)
        state.apps.back()

    return save


def _remove(known: StoredAlarm | None) -> Action:
    def remove(state: PhoneState) -> None:
        if known is not None:
            state.alarms.remove(known)
        state.apps.back()

    return remove
