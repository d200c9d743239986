"""Alarms and timers of the clock app, with DeskClock's semantics (AOSP HandleApiCalls.java)."""

from datetime import datetime, timedelta
from typing import Literal

from pydantic import Field

from virtual_phone.builds import Quirk
from virtual_phone.builds.build import SystemAlarmClock
from virtual_phone.state.part import StatePart
from virtual_phone.state.record import StateRecord
from virtual_phone.state.well_known import CLOCK_APP

Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
WEEKDAYS: tuple[Weekday, ...] = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_SHORT_NAMES = {
    "en": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
    "zh": ("周一", "周二", "周三", "周四", "周五", "周六", "周日"),
}
_TIMER_BUTTONS = {
    "en": (["Resume", "+1 min"], ["Pause", "+1 min"]),
    "zh": (["继续", "+1 分钟"], ["暂停", "+1 分钟"]),
}
"""The buttons of a paused and of a running timer's notification."""
# LineageOS/android_packages_apps_DeskClock, NotificationModel: unexpired and expired timers.
_TIMERS_NOTIFICATION, _EXPIRED_NOTIFICATION = 2147483647 - 2, 2147483647 - 3
DISMISS_WINDOW = timedelta(hours=24)
"""DISMISS_ALARM refuses an alarm that is further away than this."""


class StoredAlarm(StateRecord):
    """One alarm; without ``days`` it rings once, at ``due``."""

    identifier: int
    hour: int = Field(ge=0, le=23)
    minute: int = Field(ge=0, le=59)
    days: list[Weekday] = Field(default_factory=list)
    enabled: bool = True
    label: str = ""
    vibrate: bool = True
    delete_after_use: bool = False
    """Set by another program without showing it, to ring once: deleted after it rang or was dismissed."""
    due: datetime | None = None
    """The time at which an enabled one-off alarm rings."""
    skipped: datetime | None = None
    """The occurrence of a repeating alarm that was dismissed before it rang."""

    def next_time(self, now: datetime) -> datetime | None:
        """The next time it rings after ``now``; None when it is off."""
        if not self.enabled:
            return None
        if not self.days:
            return self.due
        start = now.replace(hour=self.hour, minute=self.minute, second=0, microsecond=0)
        for ahead in range(15):
            moment = start + timedelta(days=ahead)
            if moment > now and WEEKDAYS[moment.weekday()] in self.days and moment != self.skipped:
                return moment
        return None


class Timer(StateRecord):
    """A countdown; ``ends`` is None once it has rung or was paused."""

    identifier: int
    seconds: int = Field(ge=1)
    label: str = ""
    ends: datetime | None
    left: float = 0
    """Seconds left of a paused timer."""


def _next_at(now: datetime, hour: int, minute: int) -> datetime:
    moment = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return moment if moment > now else moment + timedelta(days=1)


def _title(language: str, timer: Timer, count: int = 1) -> str:
    if count > 1:
        return {"en": f"{count} timers", "zh": f"{count} 个计时器"}[language]
    return timer.label or {"en": "Timer", "zh": "计时器"}[language]


class AlarmsState(StatePart):
    """The clock app's alarms and timers."""

    alarms: list[StoredAlarm] = Field(default_factory=list)
    timers: list[Timer] = Field(default_factory=list)
    next_identifier: int = 1
    fired: list[tuple[int, datetime]] = Field(default_factory=list)
    """Each alarm that rang, with the moment."""

    def add(
        self, hour: int, minute: int, days: list[Weekday] | None = None, label: str = "", *, vibrate: bool = True
    ) -> StoredAlarm:
        """A new, enabled alarm."""
        alarm = StoredAlarm(
            identifier=self.next_identifier, hour=hour, minute=minute, days=days or [], label=label, vibrate=vibrate
        )
        self.next_identifier += 1
        self.alarms.append(alarm)
        self.enable(alarm)
        return alarm

    def set(
        self,
        hour: int,
        minute: int,
        days: list[Weekday] | None = None,
        label: str | None = None,
        *,
        vibrate: bool = True,
        skip_ui: bool = False,
    ) -> StoredAlarm:
        """SET_ALARM: an alarm with the same time and days is enabled again instead of doubled.

        The label counts only when one is given; no days mean an alarm that does not repeat.
        """
        for alarm in self.alarms:
            same = (alarm.hour, alarm.minute, set(alarm.days)) == (hour, minute, set(days or []))
            if same and label in (None, alarm.label):
                self.enable(alarm)
                return alarm
        alarm = self.add(hour, minute, days, label or "", vibrate=vibrate)
        alarm.delete_after_use = skip_ui and not days
        return alarm

    def put(self, alarm: StoredAlarm) -> None:
        """Store an alarm as it is: a new one, or in place of the one with its id."""
        self.alarms = [other for other in self.alarms if other.identifier != alarm.identifier] + [alarm]
        self.alarms.sort(key=lambda other: other.identifier)
        self.next_identifier = max(self.next_identifier, alarm.identifier + 1)
        self.enable(alarm, alarm.enabled)

    def enable(self, alarm: StoredAlarm, on: bool = True) -> None:
        """Switch an alarm; a one-off rings at the next such time."""
        alarm.enabled = on
        alarm.skipped = None
        alarm.due = None
        if on and not alarm.days:
            now = self._phone.clock.wall()
            due = now.replace(hour=alarm.hour, minute=alarm.minute, second=0, microsecond=0)
            alarm.due = due if due > now else due + timedelta(days=1)
        self._changed()

    def change(self, alarm: StoredAlarm, hour: int, minute: int, days: list[Weekday], label: str) -> None:
        """The owner edits an alarm, which switches it on."""
        alarm.hour, alarm.minute, alarm.days, alarm.label = hour, minute, days, label
        self.enable(alarm)

    def remove(self, alarm: StoredAlarm) -> None:
        """Delete an alarm."""
        self.alarms = [other for other in self.alarms if other is not alarm]
        self._changed()

    def dismiss(self, alarm: StoredAlarm) -> bool:
        """DISMISS_ALARM: skip the next occurrence, or switch a one-off off; False when it is over 24 h away or off."""
        now = self._phone.clock.wall()
        moment = alarm.next_time(now)
        if moment is None or moment - now > DISMISS_WINDOW:
            return False
        if alarm.days:
            alarm.skipped = moment
        elif alarm.delete_after_use:
            self.remove(alarm)
        else:
            alarm.enabled, alarm.due = False, None
        self._phone.notifications.cancel_tag(CLOCK_APP, f"alarm:{alarm.identifier}")
        self._changed()
        return True

    def upcoming(self, after: datetime | None = None) -> list[tuple[datetime, StoredAlarm]]:
        """Each enabled alarm with its next time after a moment (now), soonest first."""
        moment = after or self._phone.clock.wall()
        times = [(alarm.next_time(moment), alarm) for alarm in self.alarms]
        return sorted(((due, alarm) for due, alarm in times if due), key=lambda pair: pair[0])

    def next_time(self) -> datetime | None:
        """The time of the next alarm."""
        upcoming = self.upcoming()
        return upcoming[0][0] if upcoming else None

    def next_of_system(self) -> tuple[datetime, SystemAlarmClock] | None:
        """The next alarm clock that a system app of the build holds, with its time."""
        clocks = [
            (_next_at(self._phone.clock.wall(), row.hour, row.minute), row) for row in self._phone.build.alarm_clocks
        ]
        return min(clocks, key=lambda pair: pair[0], default=None)

    def next_clock(self) -> datetime | None:
        """The time of the next alarm clock of any app, as ``dumpsys alarm`` and the status bar show it."""
        system = self.next_of_system()
        times = [self.next_time(), system[0] if system else None]
        return min((moment for moment in times if moment), default=None)

    def next_formatted(self) -> str:
        """``Sat 7:00 AM`` or ``Sat 07:00``, as ``settings get system next_alarm_formatted`` shows it."""
        moment = self.next_clock()
        if moment is None:
            return ""
        day = _SHORT_NAMES[self._phone.identity.language][moment.weekday()]
        return f"{day} {self._phone.identity.clock_text(moment)}"

    def act(self, tag: str, button: int) -> bool:
        """Press a notification's button: snooze or dismiss an alarm, pause or extend a timer; True when it stays."""
        timer = self._timer_of(tag)
        if timer is None:
            self.silence(tag, snooze=button == 0)
            return False
        if button == 0:
            self.pause(timer)
        elif timer.ends is not None:
            timer.ends += timedelta(minutes=1)
        else:
            timer.left += 60
        self._show(timer)
        return True

    def _timer_of(self, tag: str) -> Timer | None:
        """The timer of a notification; the shared notification shows the one that ends first."""
        if self._shared_notification and not tag:
            return next(iter(self._unexpired()), None)
        kind, _, identifier = tag.partition(":")
        return next((timer for timer in self.timers if kind == "timer" and str(timer.identifier) == identifier), None)

    def silence(self, tag: str, *, snooze: bool = False) -> None:
        """Stop a ringing alarm or timer; with ``snooze`` the alarm rings again in ten minutes."""
        kind, _, identifier = tag.partition(":")
        if kind == "alarm" and snooze:
            alarm = next((alarm for alarm in self.alarms if str(alarm.identifier) == identifier), None)
            later = self._phone.clock.wall() + timedelta(minutes=10)
            self.add(later.hour, later.minute, label=alarm.label if alarm else "")
        self.timers = [timer for timer in self.timers if (kind, str(timer.identifier)) != ("timer", identifier)]
        self._changed()

    def find(self, identifier: int) -> StoredAlarm | None:
        """The alarm with this id."""
        return next((alarm for alarm in self.alarms if alarm.identifier == identifier), None)

    def pause(self, timer: Timer) -> None:
        """Pause a running countdown, or resume a paused one."""
        now = self._phone.clock.wall()
        if timer.ends is not None:
            timer.left, timer.ends = (timer.ends - now).total_seconds(), None
        elif timer.left > 0:
            timer.ends, timer.left = now + timedelta(seconds=timer.left), 0
        self._show(timer)

    def remove_timer(self, timer: Timer) -> None:
        """Delete a countdown and its notification."""
        self.timers = [other for other in self.timers if other is not timer]
        self._phone.notifications.cancel_tag(CLOCK_APP, f"timer:{timer.identifier}")
        self.refresh_timers()
        self._changed()

    def set_timer(self, seconds: int, label: str = "") -> Timer:
        """Start a countdown of ``seconds`` and show its notification."""
        ends = self._phone.clock.wall() + timedelta(seconds=seconds)
        timer = Timer(identifier=self.next_identifier, seconds=seconds, label=label, ends=ends)
        self.next_identifier += 1
        self.timers.append(timer)
        self._show(timer)
        return timer

    def _show(self, timer: Timer) -> None:
        """Show the notification of a countdown that is running or paused."""
        if self._shared_notification:
            self.refresh_timers()
            return
        language = self._phone.identity.language
        running = timer.ends is not None
        seconds = timer.seconds if running else round(timer.left)
        self._phone.notifications.post(
            package=CLOCK_APP, identifier=2147483647 - timer.identifier, tag=f"timer:{timer.identifier}",
            channel="Timers", title=_title(language, timer),
            text=f"{seconds // 60}:{seconds % 60:02d}", ongoing=True,
            actions=_TIMER_BUTTONS[language][running],
        )  # fmt: skip
        self._changed()

    @property
    def _shared_notification(self) -> bool:
        return Quirk.SINGLE_TIMER_NOTIFICATION in self._phone.build.quirks

    def _unexpired(self) -> list[Timer]:
        """The timers that run or are paused, the one that ends first in front."""
        return sorted((timer for timer in self.timers if timer.ends or timer.left > 0), key=self._seconds_left)

    def _seconds_left(self, timer: Timer) -> float:
        return (timer.ends - self._phone.clock.wall()).total_seconds() if timer.ends else timer.left

    def refresh_timers(self) -> None:
        """Post or cancel the notification that all timers share; on other builds each timer has its own."""
        if not self._shared_notification:
            return
        timers = self._unexpired()
        if not timers or self._phone.apps.foreground.package == CLOCK_APP:
            self._phone.notifications.cancel_app(CLOCK_APP, _TIMERS_NOTIFICATION)
            return
        first = timers[0]
        running = first.ends is not None
        seconds = round(self._seconds_left(first))
        self._phone.notifications.post(
            package=CLOCK_APP, identifier=_TIMERS_NOTIFICATION, channel="TimerNotification",
            title=_title(self._phone.identity.language, first, len(timers)),
            text=f"{seconds // 60}:{seconds % 60:02d}", ongoing=True, custom_view=True,
            actions=_TIMER_BUTTONS[self._phone.identity.language][running],
        )  # fmt: skip
        self._changed()

    # --- time passing -----------------------------------------------------------------------------------------
    def next_due(self, after: datetime) -> datetime | None:
        """The next moment at which an alarm or timer rings."""
        moments = [due for due, _ in self.upcoming(after)] + [timer.ends for timer in self.timers if timer.ends]
        return min(moments, default=None)

    def ring(self, after: datetime, moment: datetime) -> None:
        """Ring what became due after ``after``, up to ``moment``."""
        for due, alarm in self.upcoming(after):
            if due == moment:
                self._ring_alarm(alarm, moment)
        for timer in self.timers:
            if timer.ends is not None and timer.ends <= moment:
                self._ring_timer(timer)

    def _ring_alarm(self, alarm: StoredAlarm, moment: datetime) -> None:
        self.fired.append((alarm.identifier, moment))
        if not alarm.days:
            alarm.enabled, alarm.due = False, None
        title = {"en": "Alarm", "zh": "闹钟"}[self._phone.identity.language]
        self._phone.log.line("AlarmClock", f"AlarmStateManager: ringing alarm {alarm.identifier}")
        self._phone.notifications.post(
            package=CLOCK_APP, identifier=alarm.identifier, tag=f"alarm:{alarm.identifier}", channel="Firing",
            importance=4, title=alarm.label or title, text=self._phone.identity.clock_text(moment), category="alarm",
            ongoing=True,
            actions={"en": ["Snooze", "Dismiss"], "zh": ["稍后提醒", "关闭"]}[self._phone.identity.language],
        )  # fmt: skip

    def _ring_timer(self, timer: Timer) -> None:
        timer.ends = None
        self.refresh_timers()
        title = {"en": "Time's up", "zh": "时间到"}[self._phone.identity.language]
        self._phone.notifications.post(
            package=CLOCK_APP,
            identifier=_EXPIRED_NOTIFICATION if self._shared_notification else 2147483647 - timer.identifier,
            tag=None if self._shared_notification else f"timer:{timer.identifier}",
            channel="Firing", importance=4, title=timer.label or title, text=title, category="alarm", ongoing=True,
        )  # fmt: skip
