"""Intents that an app carries out as it opens: alarms and timers, calls, music (AOSP DeskClock HandleApiCalls.java)."""

from collections.abc import Callable

from virtual_phone.state import PhoneState
from virtual_phone.state.alarms import StoredAlarm, Weekday
from virtual_phone.state.apps import RESOLVER
from virtual_phone.state.intents import Intent
from virtual_phone.state.well_known import CLOCK_APP

_EXTRA = "android.intent.extra.alarm."
# java.util.Calendar: Sunday is 1.
_DAYS: dict[int, Weekday] = {1: "sun", 2: "mon", 3: "tue", 4: "wed", 5: "thu", 6: "fri", 7: "sat"}


def handle(state: PhoneState, intent: Intent, component: str) -> None:
    """Carry out the action of an intent to ``component``, apart from opening its screen."""
    action = _ACTIONS.get(intent.action)
    if action is not None and component != RESOLVER:
        action(state, intent)
    if component.endswith(".HandleApiCalls") and not intent.extras.get(_EXTRA + "SKIP_UI"):
        state.apps.open(CLOCK_APP)


def _set_alarm(state: PhoneState, intent: Intent) -> None:
    hour, minute = intent.extras.get(_EXTRA + "HOUR"), intent.extras.get(_EXTRA + "MINUTES", 0)
    if not isinstance(hour, int) or not isinstance(minute, int) or not (0 <= hour <= 23 and 0 <= minute <= 59):
        return  # DeskClock shows its list and changes nothing
    days = [_DAYS[day] for day in intent.extras.get(_EXTRA + "DAYS") or [] if day in _DAYS]
    label = None if _EXTRA + "MESSAGE" not in intent.extras else str(intent.extras[_EXTRA + "MESSAGE"] or "")
    state.alarms.set(hour, minute, days, label, vibrate=bool(intent.extras.get(_EXTRA + "VIBRATE", True)),
                     skip_ui=bool(intent.extras.get(_EXTRA + "SKIP_UI")))  # fmt: skip


def _dismiss_alarm(state: PhoneState, intent: Intent) -> None:
    """Several matches open the list for the owner to choose; so does an alarm over 24 hours away."""
    matches = _matching(state, intent)
    if len(matches) == 1 or intent.extras.get(_EXTRA + "SEARCH_MODE") == "android.all":
        for alarm in matches:
            state.alarms.dismiss(alarm)


def _matching(state: PhoneState, intent: Intent) -> list[StoredAlarm]:
    upcoming = state.alarms.upcoming()
    alarms = [alarm for _, alarm in upcoming]
    mode = intent.extras.get(_EXTRA + "SEARCH_MODE")
    if mode == "android.time":
        wanted = (intent.extras.get(_EXTRA + "HOUR"), intent.extras.get(_EXTRA + "MINUTES", 0))
        return [alarm for alarm in alarms if (alarm.hour, alarm.minute) == wanted]
    if mode == "android.label":
        label = str(intent.extras.get(_EXTRA + "MESSAGE") or "")
        return [alarm for alarm in alarms if label and label in alarm.label]
    if mode == "android.next":
        # DeskClock takes every enabled alarm with the clock time of the next one (FetchMatchingAlarmsAction).
        return [alarm for alarm in alarms if (alarm.hour, alarm.minute) == (alarms[0].hour, alarms[0].minute)]
    return alarms


def _set_timer(state: PhoneState, intent: Intent) -> None:
    seconds = intent.extras.get(_EXTRA + "LENGTH")
    if isinstance(seconds, int) and 1 <= seconds <= 86400:
        state.alarms.set_timer(seconds, str(intent.extras.get(_EXTRA + "MESSAGE") or ""))


def _call(state: PhoneState, intent: Intent) -> None:
    state.calls.dial(intent.data.removeprefix("tel:"))


def _play(state: PhoneState, intent: Intent) -> None:
    query = str(intent.extras.get("query") or "")
    state.audio.play(state.apps.foreground.package, query or "Shuffle", "Various artists")


_ACTIONS: dict[str, Callable[[PhoneState, Intent], None]] = {
    "android.intent.action.SET_ALARM": _set_alarm,
    "android.intent.action.DISMISS_ALARM": _dismiss_alarm,
    "android.intent.action.SET_TIMER": _set_timer,
    "android.intent.action.CALL": _call,
    "android.media.action.MEDIA_PLAY_FROM_SEARCH": _play,
}
