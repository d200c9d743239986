"""Alarms of the clock app.

Other programs can read only the time of the next alarm. DeskClock (AOSP ``HandleApiCalls``) dismisses an
alarm at most 24 hours ahead, skips only the next ring of a repeating one, and asks which one to dismiss when several
alarms have the same time. For everything else the alarms page is opened, and the owner finishes there.
"""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from android_bridge.commands import am_start
from android_bridge.device import Device
from android_bridge.facts.alarms import NEXT_ALARM, SETS_ALARMS, NextAlarm
from android_bridge.facts.clock import CLOCK
from executors.capability import Requirement
from executors.executor import Executor, Receipt, RefusedError, run
from executors.observation import observe, proof
from executors.plan import Effect, Outcome, OutcomeKind, Preparation, Step
from executors.screen import app_for, require_screen, requires_app, verify_opened
from function_pool.call import FunctionCall
from heed.messages import msg

_SHOW = "android.intent.action.SHOW_ALARMS"
_DISMISS = "android.intent.action.DISMISS_ALARM"
_SEARCH_MODE = "android.intent.extra.alarm.SEARCH_MODE"
_MESSAGE = "android.intent.extra.alarm.MESSAGE"
_HOUR = "android.intent.extra.alarm.HOUR"
_MINUTES = "android.intent.extra.alarm.MINUTES"
_SKIP_UI = "android.intent.extra.alarm.SKIP_UI"
_AHEAD = timedelta(hours=24)


class SearchMode(StrEnum):
    """The values of ``search_mode`` in the function pool."""

    NEXT = "next"
    TIME = "time"
    LABEL = "label"
    ALL = "all"


class CancelAlarm(Executor):
    """Dismisses the next alarm and verifies it; opens the alarms page for any other alarm."""

    function = "cancel_alarm"
    requirements = (requires_app(_SHOW), Requirement(NEXT_ALARM, msg("The phone does not tell its next alarm.")))

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        now, alarm = await observe(phone, CLOCK, NEXT_ALARM)
        if alarm is None:
            return Preparation(effects=(Effect(kind="alarm_none"),), already=True)
        await require_screen(phone)
        # The phone may have several alarm clocks: the one that set the next alarm.
        app = await app_for(phone, _SHOW, package=alarm.package)
        if _search_mode(call) is SearchMode.LABEL:
            return _dismiss(alarm.at, app, label=str(call.parameters["label"]))
        if not _is_next(call, alarm.at):
            return _show(app, Effect(kind="alarm_page", detail=dict(call.parameters)))
        if alarm.at - now > _AHEAD:
            return _show(app, Effect(kind="alarm_page_far", detail={"at": alarm.at.isoformat()}))
        return _dismiss(alarm.at, app)

    async def verify(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        if step.hands_over:
            return await verify_opened(phone, str(step.before["app"]))
        (alarm,) = await observe(phone, NEXT_ALARM)
        shown = proof(NEXT_ALARM, alarm)
        if alarm is None or alarm.at > _recorded(step):
            return Outcome(kind=OutcomeKind.VERIFIED, told=(*step.effects, _next(alarm)), proof=(shown,))
        waiting = await verify_opened(phone, str(step.before["app"]))
        told = (Effect(kind="alarm_choose"),)
        return waiting.model_copy(update={"told": told, "proof": (shown, *waiting.proof)})

    async def undo(self, phone: Device, step: Step, receipt: Receipt) -> None:
        alarm = _recorded(step)
        (now,) = await observe(phone, CLOCK)
        if now >= alarm:
            raise RefusedError(
                msg("The alarm of {alarm} can no longer ring: its time has passed.", alarm=f"{alarm:%m-%d %H:%M}")
            )
        # Without a label and days DeskClock enables the existing one-time alarm of that time, or creates one.
        extras = {_HOUR: alarm.hour, _MINUTES: alarm.minute, _SKIP_UI: True}
        await run(phone, am_start(action=SETS_ALARMS, package=str(step.before["app"]), extras=extras))

    async def verify_undo(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        (alarm,) = await observe(phone, NEXT_ALARM)
        shown = (proof(NEXT_ALARM, alarm),)
        if alarm is not None and alarm.at <= _recorded(step):
            return Outcome(kind=OutcomeKind.VERIFIED, told=(_next(alarm),), proof=shown)
        message = msg("No alarm rings at {recorded}.", recorded=f"{_recorded(step):%m-%d %H:%M}")
        return Outcome(kind=OutcomeKind.FAILED, message=message, proof=shown)


def _search_mode(call: FunctionCall) -> SearchMode:
    return SearchMode(str(call.parameters["search_mode"]))


def _is_next(call: FunctionCall, alarm: datetime) -> bool:
    mode = _search_mode(call)
    return mode is SearchMode.NEXT or (mode is SearchMode.TIME and call.parameters["time"] == f"{alarm:%H:%M}")


def _dismiss(alarm: datetime, app: str, label: str = "") -> Preparation:
    extras = {_SEARCH_MODE: "android.label", _MESSAGE: label} if label else {_SEARCH_MODE: "android.next"}
    detail: dict[str, Any] = {"label": label} if label else {"at": alarm.isoformat()}
    return Preparation(
        commands=(am_start(action=_DISMISS, package=app, extras=extras),),
        effects=(Effect(kind="alarm_label_skipped" if label else "alarm_skipped", detail=detail),),
        undo=(Effect(kind="alarm_set_again", detail={"at": alarm.isoformat()}),),
        before={"alarm": alarm.isoformat(), "app": app},
    )


def _show(app: str, effect: Effect) -> Preparation:
    command = am_start(action=_SHOW, package=app)
    return Preparation(commands=(command,), effects=(effect,), before={"app": app}, hands_over=True)


def _next(alarm: NextAlarm | None) -> Effect:
    return Effect(kind="alarm_next", detail={"at": alarm.at.isoformat()}) if alarm else Effect(kind="alarm_none")


def _recorded(step: Step) -> datetime:
    return datetime.fromisoformat(str(step.before["alarm"]))
