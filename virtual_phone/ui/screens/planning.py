"""The calendar: a month with its agenda, one event, the form for one."""

from datetime import date, datetime, timedelta

from virtual_phone.state import PhoneState
from virtual_phone.state.apps import RunningActivity
from virtual_phone.state.calendar import StoredEvent
from virtual_phone.state.intents import Intent
from virtual_phone.state.recurrence import RecurrenceRule
from virtual_phone.ui.page import MARGIN, WIDTH, ScreenPage, Tool, center_note, choose, go, number_of
from virtual_phone.ui.tree import Action, Box, ViewNode, ViewStyle
from virtual_phone.ui.words import long_date, month, short_day, word

_DAYS_SHOWN = 14
_CELL = (WIDTH - 2 * MARGIN) // 7
_LINE = 126
_HALF_HOUR, _HOUR = 1_800_000, 3_600_000
_DAY = 86_400_000
_EVENT = "com.android.calendar.event.EventInfoActivity"
_EDITOR = "com.android.calendar.event.LaunchInfoActivity"


def calendar(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The month of the chosen day, and the agenda from that day on."""
    page = ScreenPage(state, activity)
    today = state.clock.wall().date()
    chosen = date.fromisoformat(activity.fields.get("day", today.isoformat()))
    page.bar(month(state, _midnight(state, chosen)), back=False, tools=[
        Tool("calendar", word(state, "today"), choose("day", today.isoformat())),
        Tool("back", word(state, "previous_month"), choose("day", _other_month(chosen, -1).isoformat())),
        Tool("forward", word(state, "next_month"), choose("day", _other_month(chosen, 1).isoformat())),
    ])  # fmt: skip
    _month_grid(page, chosen, today)
    _agenda(page, chosen)
    page.gap(240)
    page.floating("plus", word(state, "new_event"), _new_event(chosen))
    return page.finish()


def _midnight(state: PhoneState, day: date) -> datetime:
    return datetime.combine(day, datetime.min.time(), state.clock.wall().tzinfo)


def _milliseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


def _other_month(day: date, step: int) -> date:
    total = day.year * 12 + day.month - 1 + step
    return date(total // 12, total % 12 + 1, 1)


def _month_grid(page: ScreenPage, chosen: date, today: date) -> None:
    """Weekdays and days: today in colour, the chosen day filled, a dot on days with events."""
    for number in range(7):
        box = Box(MARGIN + number * _CELL, page.y, MARGIN + (number + 1) * _CELL, page.y + 66)
        style = ViewStyle(size=33, ink="faint", align="center")
        page.put(ViewNode("text", box, text=short_day(page.state, number)[:1], style=style))
    page.gap(72)
    first, after = chosen.replace(day=1), _other_month(chosen, 1)
    busy = _busy_days(page.state, first, after)
    for offset in range((after - first).days):
        day = first + timedelta(days=offset)
        place = first.weekday() + offset
        left, top = MARGIN + place % 7 * _CELL, page.y + place // 7 * _LINE
        _day(page, day, Box(left, top, left + _CELL, top + _LINE), chosen=day == chosen, today=day == today,
             busy=day in busy)  # fmt: skip
    page.gap(_LINE * -(-(first.weekday() + (after - first).days) // 7) + 18)


def _busy_days(state: PhoneState, first: date, after: date) -> set[date]:
    zone = state.clock.wall().tzinfo
    begin, end = _milliseconds(_midnight(state, first)), _milliseconds(_midnight(state, after)) - 1
    return {datetime.fromtimestamp(start / 1000, zone).date() for _, start, _ in state.calendar.instances(begin, end)}


def _day(page: ScreenPage, day: date, box: Box, *, chosen: bool, today: bool, busy: bool) -> None:
    x, top = box.center[0], box.top + 9
    style = ViewStyle(fill="primary" if chosen else "", size=39, radius=45, align="center", bold=chosen or today)
    style.ink = "on_primary" if chosen else "primary" if today else "ink"
    name = long_date(page.state, _midnight(page.state, day))
    cell = ViewNode("group", box, description=name, resource="day", tap=choose("day", day.isoformat()))
    cell.children = [ViewNode("text", Box(x - 45, top, x + 45, top + 90), text=str(day.day), style=style)]
    if busy:
        dot = Box(x - 6, top + 96, x + 6, top + 108)
        cell.children.append(ViewNode("icon", dot, style=ViewStyle(fill="primary", radius=6)))
    page.put(cell)


def _agenda(page: ScreenPage, chosen: date) -> None:
    """The events from the chosen day on."""
    state = page.state
    zone, start = state.clock.wall().tzinfo, _midnight(state, chosen)
    day = ""
    begin, end = _milliseconds(start), _milliseconds(start + timedelta(days=_DAYS_SHOWN))
    for event, first, last in state.calendar.instances(begin, end):
        moment, until = (datetime.fromtimestamp(value / 1000, zone) for value in (first, last))
        if long_date(state, moment) != day:
            day = long_date(state, moment)
            page.heading(day)
        _card(page, event, f"{state.identity.clock_text(moment)} – {state.identity.clock_text(until)}", first)
    if not day:
        page.gap(90)
        page.text(word(state, "no_events"), ink="faint").style.align = "center"


def _card(page: ScreenPage, event: StoredEvent, span: str, start: int) -> None:
    box = Box(MARGIN, page.y + 6, WIDTH - MARGIN, page.y + 168)
    card = ViewNode(
        "group",
        box,
        resource="event",
        style=ViewStyle(fill="accent", radius=36),
        tap=go(_EVENT, event=str(event.identifier), start=str(start)),
    )
    left, right = box.left + 42, box.right - 36
    title = Box(left, box.top + 18, right, box.top + 84)
    detail = Box(left, box.top + 84, right, box.top + 144)
    text = f"{span} · {event.location}" if event.location else span
    card.children = [
        ViewNode("text", title, text=event.title, style=ViewStyle(size=42, ink="on_accent", bold=True)),
        ViewNode("text", detail, text=text, style=ViewStyle(size=36, ink="on_accent")),
    ]
    page.put(card)
    page.gap(180)


def _new_event(day: date) -> Action:
    """An hour on the chosen day, beginning at the next full hour."""

    def action(state: PhoneState) -> None:
        hour = (state.clock.wall().hour + 1) % 24
        begin = _milliseconds(_midnight(state, day).replace(hour=hour))
        state.apps.start(Intent(action="android.intent.action.INSERT", data="content://com.android.calendar/events",
                                extras={"beginTime": begin}))  # fmt: skip

    return action


def event(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """One event: time, place, description; edit and delete."""
    page = ScreenPage(state, activity)
    known = state.calendar.find(number_of(activity, "event"))
    if known is None:
        page.bar(word(state, "calendar"))
        center_note(page, word(state, "gone"))
        return page.finish()
    edit = go(_EDITOR, event=str(known.identifier))
    page.bar("", tools=[
        Tool("pencil", word(state, "edit"), edit), Tool("trash", word(state, "delete"), _remove(known))
    ])  # fmt: skip
    page.text(known.title, size=72, bold=True, resource="large_title")
    page.gap(24)
    start = number_of(activity, "start") or known.start
    for moment in (start, start + known.length):
        _moment_row(page, moment, "clock")
    if known.location:
        page.row(known.location, glyph="pin")
    if known.rrule:
        page.row(word(state, "repeats"), known.rrule, glyph="calendar")
    if known.description:
        page.gap(24)
        page.text(known.description)
    return page.finish()


def _moment_row(page: ScreenPage, milliseconds: int, glyph: str) -> None:
    state = page.state
    moment = datetime.fromtimestamp(milliseconds / 1000, state.clock.wall().tzinfo)
    page.row(long_date(state, moment), trailing=state.identity.clock_text(moment), glyph=glyph)


def _remove(known: StoredEvent) -> Action:
    def remove(state: PhoneState) -> None:
        state.calendar.remove({known.identifier})
        state.apps.back()

    return remove


def event_editor(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The form for a new event (from the intent) or an existing one; Save stores it."""
    extras, fields = activity.intent.extras, activity.fields
    known = state.calendar.find(number_of(activity, "event"))
    soon = _milliseconds(state.clock.wall() + timedelta(hours=1))
    given = number_of(activity, "beginTime"), number_of(activity, "endTime")
    begin = int(fields.get("start") or (known.start if known else given[0]) or soon)
    length = known.length if known else (given[1] or begin + _HOUR) - begin
    end = int(fields.get("end") or begin + length)
    page = ScreenPage(state, activity)
    page.bar(word(state, "edit" if known else "new_event"))
    title = str(extras.get("title") or (known.title if known else ""))
    place = str(extras.get("eventLocation") or (known.location if known else ""))
    page.field("title", word(state, "title"), title)
    page.field("location", word(state, "place"), place)
    _when(page, "start", begin)
    _when(page, "end", end)
    rrule = _valid(str(extras.get("rrule") or "")) or (known.rrule if known else None)
    if rrule:
        page.text(rrule, ink="faint")
    values: dict[str, object] = {
        "title": fields.get("title", title),
        "location": fields.get("location", place),
        "description": str(extras.get("description") or (known.description if known else "")),
        "start": begin,
        "end": max(begin, end),
        "rrule": rrule,
    }
    page.button(word(state, "save"), _save(known, values), resource="save")
    return page.finish()


def _valid(rule: str) -> str | None:
    """The rule if the calendar supports it, else None."""
    try:
        RecurrenceRule.parse(rule)
    except ValueError:
        return None
    return rule


def _when(page: ScreenPage, field: str, milliseconds: int) -> None:
    """A date and a time, each with arrows: a day, half an hour."""
    state = page.state
    moment = datetime.fromtimestamp(milliseconds / 1000, state.clock.wall().tzinfo)
    page.heading(word(state, field))
    rows = (("calendar", long_date(state, moment), "day", _DAY),
            ("clock", state.identity.clock_text(moment), "time", _HALF_HOUR))  # fmt: skip
    for glyph, text, unit, step in rows:
        name = f"{word(state, field)}, {word(state, unit)}"
        page.row(text, glyph=glyph, tools=[
            Tool("minus", f"{name}: {word(state, 'earlier')}", choose(field, str(milliseconds - step))),
            Tool("plus", f"{name}: {word(state, 'later')}", choose(field, str(milliseconds + step))),
        ])  # fmt: skip


def _save(known: StoredEvent | None, values: dict[str, object]) -> Action:
    def save(state: PhoneState) -> None:
        if known is None:
            state.calendar.insert(values)
        else:
            state.calendar.change(known, {**values, "duration": None})
        state.apps.back()

    return save
