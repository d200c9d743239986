"""Events of an owner who keeps them in a calendar app with a database of its own (``executors.calendar_app``).

No other program can read or write that database. A new event is the app's own form, filled in through Android's intent
(``CalendarContract``: beginTime, endTime, title, eventLocation, description), and the owner saves it. Events are read
from the app's screen, a day at a time; the ids are those of Simple Calendar (``calendar_day.py``).
"""

from datetime import datetime, timedelta

from pydantic import JsonValue

from android_bridge.commands import am_start
from android_bridge.device import Device
from android_bridge.facts.clock import CLOCK
from executors.calendar_day import ANY_DAY, DAY_TYPE, day_address, days_read
from executors.calendar_rows import FoundEvent, default_end, found_effect, local, milliseconds
from executors.capability import Requirement
from executors.executor import Executor, Receipt, RefusedError
from executors.observation import observe
from executors.plan import Effect, Outcome, OutcomeKind, Preparation, Step
from executors.screen import HandOverExecutor, app_for, by_hand, hand_over, handler, require_screen
from function_pool.call import FunctionCall
from heed.messages import Message, msg

_INSERT, _VIEW = "android.intent.action.INSERT", "android.intent.action.VIEW"
_EVENT = "vnd.android.cursor.item/event"
_EXTRAS = {"title": "title", "location": "eventLocation", "description": "description"}
_LEFT = ("reminder_minutes", "recurrence")
"""Arguments that the intent does not carry."""
_MOST_DAYS = 31
_MOST = 20
"""Events that one answer lists."""


def _opened_by(package: str, action: str, mime_type: str, data: str = "") -> Requirement:
    """Returns the requirement that the calendar app opens an intent."""
    reader = handler(action, mime_type, data=data, package=package)
    return Requirement(reader, msg("{app} is not on this phone.", app=package), lambda app: app == package)


class EventForm(HandOverExecutor):
    """Opens the app's form for a new event, filled in."""

    function = "create_calendar_event"

    def all_requirements(self) -> tuple[Requirement, ...]:
        return (_opened_by(self.config.calendar_app, _INSERT, _EVENT),)

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        front = await require_screen(phone)
        (now,) = await observe(phone, CLOCK)
        app = await app_for(phone, _INSERT, _EVENT, package=self.config.calendar_app)
        start = local(str(call.parameters["start_time"]), now)
        end = local(str(call.parameters["end_time"]), now) if "end_time" in call.parameters else default_end(start)
        given = {extra: str(call.parameters[name]) for name, extra in _EXTRAS.items() if name in call.parameters}
        command = am_start(
            action=_INSERT,
            mime_type=_EVENT,
            package=app,
            extras={"beginTime": milliseconds(start), "endTime": milliseconds(end), **given},
        )
        detail = {"title": call.parameters["title"], "app": app, "at": start.isoformat(), "until": end.isoformat()}
        left = {name: call.parameters[name] for name in _LEFT if call.parameters.get(name, "none") != "none"}
        return hand_over(command, app, Effect(kind="event_form", detail=detail), *by_hand(left), before=front)


class EventPages(Executor):
    """Reads the events of a time span from the app's pages of days."""

    function = "query_calendar_events"

    def all_requirements(self) -> tuple[Requirement, ...]:
        return (_opened_by(self.config.calendar_app, _VIEW, DAY_TYPE, ANY_DAY),)

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        await require_screen(phone)
        (now,) = await observe(phone, CLOCK)
        start, end = (local(str(call.parameters[name]), now) for name in ("start_time", "end_time"))
        count = (end.date() - start.date()).days + 1
        if count > _MOST_DAYS:
            raise RefusedError(msg("The calendar app is read for at most {most} days at once.", most=_MOST_DAYS))
        days = [start + timedelta(days=number) for number in range(count)]
        app = await app_for(phone, _VIEW, DAY_TYPE, data=day_address(start), package=self.config.calendar_app)
        detail: dict[str, JsonValue] = {"at": start.isoformat(), "until": end.isoformat(), "app": app}
        return Preparation(
            commands=tuple(
                am_start(action=_VIEW, data=day_address(day), mime_type=DAY_TYPE, package=app) for day in days
            ),
            effects=(Effect(kind="events_read_in_app", detail={**detail}),),
            before={**detail, "days": [day.date().isoformat() for day in days]},
        )

    async def perform(self, phone: Device, step: Step) -> Receipt:
        zone = datetime.fromisoformat(str(step.before["at"])).tzinfo
        dates = step.before["days"]
        days = (
            [datetime.fromisoformat(str(day)).replace(tzinfo=zone) for day in dates] if isinstance(dates, list) else []
        )
        pages = list(zip(days, step.commands, strict=True))
        keyword = str(step.call.parameters.get("keyword", ""))
        found = await days_read(phone, str(step.before["app"]), pages, step.risk, keyword)
        if isinstance(found, Message | str):
            return {"halted": found if isinstance(found, str) else found.model_dump(mode="json")}
        start, end = (datetime.fromisoformat(str(step.before[name])) for name in ("at", "until"))
        wanted = [
            event for event in found if event.overlaps(start, end) and keyword.casefold() in event.title.casefold()
        ]
        return {"events": [event.model_dump(mode="json") for event in wanted]}

    async def verify(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        stored = receipt.get("events")
        if not isinstance(stored, list):
            halted = receipt.get("halted")
            message = Message.model_validate(halted) if isinstance(halted, dict) else str(halted or "")
            return Outcome(kind=OutcomeKind.FAILED, message=message or msg("The pages were not read to the end."))
        told = [found_effect([FoundEvent.model_validate(item) for item in stored[:_MOST]])]
        missed = len(stored[_MOST:])
        told += [Effect(kind="events_unread", detail={"count": missed})] if missed else []
        return Outcome(kind=OutcomeKind.VERIFIED, told=tuple(told))
