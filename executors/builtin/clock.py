"""New alarms and timers.

Other programs can read only the next alarm. So a new alarm that will be the next one is set silently and verified; any
other one is set with the clock app in front, where the owner sees it (AOSP DeskClock ``HandleApiCalls``).
"""

from datetime import datetime, timedelta

from android_bridge.commands import Extra, am_start
from android_bridge.device import Device
from android_bridge.facts.activities import ACTIVITIES
from android_bridge.facts.alarms import NEXT_ALARM, SETS_ALARMS
from android_bridge.facts.clock import CLOCK
from android_bridge.facts.notifications import NOTIFICATIONS, Notifications
from android_bridge.facts.power import POWER
from executors.capability import Requirement
from executors.executor import Executor, Receipt, RefusedError, run
from executors.observation import observe, proof
from executors.plan import Effect, Outcome, OutcomeKind, Preparation, Step
from executors.screen import app_for, require_screen, requires_app, verify_opened
from function_pool.call import FunctionCall
from heed.messages import msg

_EXTRA = "android.intent.extra.alarm."
_DISMISS = "android.intent.action.DISMISS_ALARM"
_SET_TIMER = "android.intent.action.SET_TIMER"
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
"""``java.util.Calendar``: Sunday is 1."""


class SetAlarm(Executor):
    """Sets an alarm; a one-time alarm that is the next one can be undone."""

    function = "set_alarm"
    requirements = (requires_app(SETS_ALARMS), Requirement(NEXT_ALARM, msg("The phone does not tell its next alarm.")))

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        now, alarm = await observe(phone, CLOCK, NEXT_ALARM)
        due, days = _next_time(str(call.parameters["time"]), now), call.parameters.get("repeat_days")
        if alarm is not None and alarm.at == due and set(call.parameters) == {"time"}:
            return Preparation(effects=(Effect(kind="alarm_there"),), already=True)
        app = await app_for(phone, SETS_ALARMS)
        seen = not days and (alarm is None or due < alarm.at)
        if not seen:
            await require_screen(phone)
        return Preparation(
            commands=(am_start(action=SETS_ALARMS, package=app, extras=_extras(call, skip_ui=seen)),),
            effects=tuple(_effects(call, due, seen=seen)),
            undo=(Effect(kind="alarm_taken_back", detail={"at": due.isoformat()}),) if seen else (),
            before={"app": app, "next": alarm.at.isoformat() if alarm else None, "due": due.isoformat()},
            hands_over=not seen,
        )

    async def verify(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        if step.hands_over:
            return await verify_opened(phone, str(step.before["app"]))
        return await _next_is(phone, str(step.before["due"]))

    async def undo(self, phone: Device, step: Step, receipt: Receipt) -> None:
        due = datetime.fromisoformat(str(step.before["due"]))
        (now, alarm) = await observe(phone, CLOCK, NEXT_ALARM)
        if now >= due or alarm is None or alarm.at != due:
            raise RefusedError(msg("That alarm has rung, or was changed since."), msg("Look at it in the clock app."))
        # DeskClock deletes an alarm that SET_ALARM made silently and that does not repeat when it is dismissed.
        await require_screen(phone)
        extras = {f"{_EXTRA}SEARCH_MODE": "android.next"}
        await run(phone, am_start(action=_DISMISS, package=str(step.before["app"]), extras=extras))

    async def verify_undo(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        return await _next_is(phone, str(step.before["next"]) if step.before["next"] else "")


def _next_time(clock: str, now: datetime) -> datetime:
    hour, minute = (int(part) for part in clock.split(":"))
    due = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return due if due > now else due + timedelta(days=1)


def _extras(call: FunctionCall, *, skip_ui: bool) -> dict[str, Extra]:
    hour, minute = (int(part) for part in str(call.parameters["time"]).split(":"))
    extras: dict[str, Extra] = {f"{_EXTRA}HOUR": hour, f"{_EXTRA}MINUTES": minute}
    days = call.parameters.get("repeat_days")
    if isinstance(days, list):
        extras[f"{_EXTRA}DAYS"] = sorted(_DAYS.index(str(day)) + 1 for day in days)
    if "label" in call.parameters:
        extras[f"{_EXTRA}MESSAGE"] = str(call.parameters["label"])
    if "vibrate" in call.parameters:
        extras[f"{_EXTRA}VIBRATE"] = bool(call.parameters["vibrate"])
    return {**extras, f"{_EXTRA}SKIP_UI": skip_ui}


def _effects(call: FunctionCall, due: datetime, *, seen: bool) -> list[Effect]:
    time, days = str(call.parameters["time"]), call.parameters.get("repeat_days")
    if days:
        effects = [Effect(kind="alarm_set_days", detail={"time": time, "days": days})]
    elif seen:
        effects = [Effect(kind="alarm_set", detail={"at": due.isoformat()})]
    else:
        effects = [Effect(kind="alarm_set_shown", detail={"time": time})]
    if "label" in call.parameters:
        effects.append(Effect(kind="alarm_label", detail={"label": call.parameters["label"]}))
    if "vibrate" in call.parameters:
        effects.append(Effect(kind="alarm_vibrate" if call.parameters["vibrate"] else "alarm_silent"))
    if days:
        effects += [Effect(kind="alarm_shown"), Effect(kind="alarm_not_undoable")]
    return effects


async def _next_is(phone: Device, wanted: str) -> Outcome:
    (alarm,) = await observe(phone, NEXT_ALARM)
    shown = (proof(NEXT_ALARM, alarm),)
    if (alarm.at.isoformat() if alarm else "") == wanted:
        return Outcome(kind=OutcomeKind.VERIFIED, proof=shown)
    message = (
        msg("The next alarm rings at {alarm}.", alarm=f"{alarm.at:%m-%d %H:%M}")
        if alarm
        else msg("The clock shows no alarm.")
    )
    return Outcome(kind=OutcomeKind.FAILED, message=message, proof=shown)


class SetTimer(Executor):
    """Starts a timer and verifies its notification; it cannot be undone, because only the owner can stop it.

    All timers share one notification, which a new timer posts anew. While the clock app is in front there is none (AOSP
    DeskClock ``TimerModel``): then the app shows the new timer.
    """

    function = "set_timer"
    requirements = (
        requires_app(_SET_TIMER),
        Requirement(NOTIFICATIONS, msg("The phone does not list its notifications.")),
    )

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        notifications, activities, power = await observe(phone, NOTIFICATIONS, ACTIVITIES, POWER)
        app = await app_for(phone, _SET_TIMER)
        front = activities.foreground.package if activities.foreground else ""
        seen = front == app and power.awake and not activities.locked
        seconds = call.parameters["duration_seconds"]
        extras: dict[str, Extra] = {f"{_EXTRA}LENGTH": int(str(seconds))}
        effects = [Effect(kind="timer_set_shown" if seen else "timer_set", detail={"seconds": seconds})]
        if "label" in call.parameters:
            extras[f"{_EXTRA}MESSAGE"] = str(call.parameters["label"])
            effects.append(Effect(kind="alarm_label", detail={"label": call.parameters["label"]}))
        extras[f"{_EXTRA}SKIP_UI"] = not seen
        return Preparation(
            commands=(am_start(action=_SET_TIMER, package=app, extras=extras),),
            effects=tuple(effects),
            before={"app": app, "posted": {**_posted(notifications, app)}},
            hands_over=seen,
        )

    async def verify(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        if step.hands_over:
            return await verify_opened(phone, str(step.before["app"]))
        (notifications,) = await observe(phone, NOTIFICATIONS)
        known, present = step.before.get("posted"), _posted(notifications, str(step.before["app"]))
        fresh = [key for key, at in present.items() if isinstance(known, dict) and known.get(key) != at]
        shown = (proof(NOTIFICATIONS, f"posted by the clock app: {fresh}"),)
        if fresh:
            return Outcome(kind=OutcomeKind.VERIFIED, proof=shown)
        message = msg("The clock app shows no new timer.")
        return Outcome(kind=OutcomeKind.FAILED, message=message, proof=shown)


def _posted(notifications: Notifications, app: str) -> dict[str, str]:
    """Returns the clock app's notifications by key, with the time at which each was last posted (may be empty)."""
    notes = (note for note in notifications.items if note.package == app)
    return {note.key: note.posted.isoformat() if note.posted else "" for note in notes}
