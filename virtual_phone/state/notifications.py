"""Notifications on the phone."""

import itertools

from pydantic import Field

from virtual_phone.state.part import StatePart
from virtual_phone.state.record import ChatLine, StateRecord
from virtual_phone.state.well_known import CLOCK_APP, DIALER_APP, MESSAGING_APP

# NotificationListenerService.REASON_* (AOSP android-14).
REASON_CLICK, REASON_CANCEL, REASON_CANCEL_ALL, REASON_APP_CANCEL = 1, 2, 3, 8
# Notification.FLAG_*.
FLAG_ONGOING, FLAG_AUTO_CANCEL = 0x2, 0x10
IMPORTANCE_NAMES = {0: "NONE", 1: "MIN", 2: "LOW", 3: "DEFAULT", 4: "HIGH", 5: "MAX"}


class PostedNotification(StateRecord):
    """One posted notification; times in milliseconds since 1970."""

    package: str
    identifier: int
    tag: str | None
    uid: int
    channel: str
    channel_name: str
    importance: int
    title: str
    text: str
    big_text: str | None = None
    sub_text: str | None = None
    category: str | None = None
    conversation: str | None = None
    chat: list[ChatLine] = Field(default_factory=list)
    actions: list[str] = Field(default_factory=list)
    ongoing: bool = False
    custom_view: bool = False
    """The app draws title and text in a view of its own, so dumps print neither."""
    posted: int
    when: int
    seen: bool = False
    tap: dict[str, str] = Field(default_factory=dict)
    """The intent that a tap starts: ``action``, ``data``, ``component``, ``package``."""
    snoozed_until: int | None = None

    @property
    def key(self) -> str:
        """Android's key: ``user|package|id|tag|uid``."""
        return f"0|{self.package}|{self.identifier}|{self.tag or 'null'}|{self.uid}"

    @property
    def flags(self) -> int:
        """Android's flag bits."""
        return FLAG_ONGOING if self.ongoing else FLAG_AUTO_CANCEL


class NotificationsState(StatePart):
    """The active notifications, newest first."""

    active: list[PostedNotification] = Field(default_factory=list)
    heads_up: str | None = None
    """Key of the heads-up notification; None for none."""

    def free_identifier(self, package: str) -> int:
        """The smallest id that no active notification of ``package`` has."""
        taken = {note.identifier for note in self.active if note.package == package}
        return next(number for number in itertools.count(1) if number not in taken)

    def post(
        self,
        package: str,
        title: str,
        text: str,
        *,
        identifier: int = 1,
        tag: str | None = None,
        channel: str = "default",
        channel_name: str = "",
        importance: int = 3,
        big_text: str | None = None,
        category: str | None = None,
        conversation: str | None = None,
        chat: list[ChatLine] | None = None,
        actions: list[str] | None = None,
        ongoing: bool = False,
        custom_view: bool = False,
        when: int | None = None,
        tap: dict[str, str] | None = None,
    ) -> PostedNotification:
        """Post, or update the one with the same package, id and tag."""
        now = self._phone.clock.milliseconds()
        note = PostedNotification(
            package=package,
            identifier=identifier,
            tag=tag,
            uid=self._phone.apps.uid(package),
            channel=channel,
            channel_name=channel_name or channel,
            importance=importance,
            title=title,
            text=text,
            big_text=big_text,
            category=category,
            conversation=conversation,
            chat=chat or [],
            actions=actions or [],
            ongoing=ongoing,
            custom_view=custom_view,
            posted=now,
            when=now if when is None else when,
            tap=tap or {},
        )
        updated = any(old.key == note.key for old in self.active)
        self.active = [note, *(old for old in self.active if old.key != note.key)]
        self._announce(note, updated)
        return note

    def _announce(self, note: PostedNotification, updated: bool) -> None:
        pid = self._phone.apps.pid(note.package)
        summary = f"Notification(channel={note.channel} shortcut=null contentView=null vibrate=null sound=null"
        category = f" category={note.category}" if note.category else ""
        summary += f" defaults=0x0 flags=0x{note.flags:x} color=0x00000000{category} vis=PRIVATE)"
        tag = note.tag or "NULL"
        self._event("notification_enqueue", note.uid, pid, note.package, note.identifier, tag, 0, summary, int(updated))
        quiet = self._phone.dnd.effective != "off"
        if note.importance >= 4 and not quiet and self._phone.power.wakefulness == "Awake":
            self.heads_up = note.key
        self._changed()

    def find(self, key: str) -> PostedNotification | None:
        """The active notification with this key."""
        return next((note for note in self.active if note.key == key), None)

    def cancel(self, key: str, reason: int = REASON_CANCEL) -> None:
        """Remove a notification; nothing happens when it is gone already."""
        note = self.find(key)
        if note is None:
            return
        rank = self.active.index(note)
        self.active = [other for other in self.active if other is not note]
        self.heads_up = None if self.heads_up == key else self.heads_up
        age = self._phone.clock.milliseconds() - note.posted
        self._event("notification_canceled", key, reason, age, age, 0, rank, len(self.active) + 1, "NULL")
        self._changed()

    def cancel_tag(self, package: str, tag: str) -> None:
        """The app removes its notification with this tag."""
        for note in [note for note in self.active if note.package == package and note.tag == tag]:
            self.cancel(note.key, REASON_APP_CANCEL)

    def cancel_app(self, package: str, identifier: int) -> None:
        """The app removes its untagged notification with this id."""
        for note in [note for note in self.active if (note.package, note.identifier) == (package, identifier)]:
            self.cancel(note.key, REASON_APP_CANCEL)

    def end_guidance(self) -> None:
        """Apps that guide the way have arrived: their notifications go."""
        for note in [note for note in self.active if note.category == "navigation"]:
            self.cancel(note.key, REASON_APP_CANCEL)

    def cancel_all(self, package: str | None = None) -> None:
        """Dismiss everything that can be dismissed (or all of one app)."""
        for note in list(self.active):
            if not note.ongoing and package in (None, note.package):
                self.cancel(note.key, REASON_CANCEL_ALL if package is None else REASON_APP_CANCEL)

    def snooze(self, key: str, milliseconds: int) -> bool:
        """Snooze a notification; False when there is none with this key."""
        note = self.find(key)
        if note is None:
            return False
        note.snoozed_until = self._phone.clock.milliseconds() + milliseconds
        self._changed()
        return True

    def unsnooze(self, key: str) -> None:
        """Show a snoozed notification again."""
        note = self.find(key)
        if note is not None:
            note.snoozed_until = None
            self._changed()

    def visible(self) -> list[PostedNotification]:
        """The notifications in the shade: all that are not snoozed."""
        now = self._phone.clock.milliseconds()
        return [note for note in self.active if note.snoozed_until is None or note.snoozed_until <= now]

    def act(self, key: str, title: str) -> None:
        """The owner taps a button of a notification."""
        note = self.find(key)
        if note is None or title not in note.actions:
            return
        button, tag = note.actions.index(title), note.tag or ""
        kept = False
        if note.package == CLOCK_APP:
            kept = self._phone.alarms.act(tag, button)
        elif note.package == MESSAGING_APP:
            self._phone.messages.act(tag, button)
        elif note.package == DIALER_APP and tag == "incoming_call":
            self._phone.calls.act(button)
        if not kept:
            self.cancel(key, REASON_APP_CANCEL)

    def tap(self, key: str) -> None:
        """The owner taps a notification: its intent starts and it is removed."""
        note = self.find(key)
        if note is None:
            return
        self.cancel(key, REASON_CLICK) if not note.ongoing else None
        self._phone.apps.start_from_notification(note.tap, note.package)
