"""Notifications and unread SMS, and the contacts they concern."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from pydantic import JsonValue

from android_bridge.consent_notification import is_ours
from android_bridge.facts.content import Row, Rows, rows
from android_bridge.facts.notifications import NOTIFICATIONS, Notification
from android_bridge.facts.settings import setting
from android_bridge.phone_numbers import same_number
from collectors import apps
from collectors.config import CollectorsConfig
from collectors.contacts import Contact, contact_by_number, mentioned
from collectors.context import Dimension, TriggerKind
from collectors.source import PhoneValues, ReaderNeed, Reading, ReadingCost, Source
from collectors.sources.times import iso
from heed.language import Language
from heed.trust import Trust

SMS_UNREAD = rows("content://sms/inbox", ("date", "address", "body"), where="read=0", sort="date DESC")
CONTACTS = rows("content://com.android.contacts/data/phones", ("data1", "display_name"))
SMS_APP = setting("secure", "sms_default_application")
SMS_APP_NEED = ReaderNeed(SMS_APP, fresh=3600.0)
SMS_NEED = ReaderNeed(
    SMS_UNREAD,
    fresh=30.0,
    cost=ReadingCost.SLOW,
    refreshed_by=frozenset({TriggerKind.SMS_RECEIVED, TriggerKind.NOTIFICATION}),
)
CONTACTS_NEED = ReaderNeed(CONTACTS, fresh=300.0, cost=ReadingCost.SLOW)
_NOT_FOR_PEOPLE = frozenset({"sys", "service", "progress", "transport"})
"""``Notification.CATEGORY_*`` of what an app tells about itself."""
_MOST = 20


class NotificationSource(Source):
    """The notifications in the shade, newest first, with the text of conversations."""

    name = "notifications"
    dimension = Dimension.DEVICE
    needs = (ReaderNeed(NOTIFICATIONS),)

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        shown = [one for one in phone[NOTIFICATIONS].items if concerns_people(one)]
        looked_at = [one for one in shown if one.package not in self.config.excluded_apps]
        newest = sorted(looked_at, key=_time, reverse=True)[:_MOST]
        readings = []
        if newest:
            value = [shown_notification(one, phone.now, self.config.language) for one in newest]
            readings.append(Reading("notifications", value, Trust.THIRD_PARTY))
        if withheld := len(shown) - len(looked_at):
            readings.append(Reading("notifications.withheld", withheld))
        return readings


def shown_notification(one: Notification, now: datetime, language: Language) -> dict[str, JsonValue]:
    """A notification as a value."""
    return {
        "package": one.package,
        "app": apps.name(one.package, language),
        "title": one.conversation or one.title,
        "text": _text(one),
        "time": iso(_time(one), now),
    }


def concerns_people(one: Notification) -> bool:
    """Whether it has something to say to the owner: no player, service, progress, group head or invitation of ours."""
    if is_ours(one.package, one.tag):
        return False
    return not one.ongoing and not one.summary and one.category not in _NOT_FOR_PEOPLE and bool(one.title or _text(one))


def _time(one: Notification) -> datetime:
    return one.when or one.posted or datetime.fromtimestamp(0, UTC)


def _text(one: Notification) -> str:
    """The fullest text that the notification has: its conversation, its lines, its long or its short text."""
    if one.messages:
        return "\n".join(
            f"{message.sender}: {message.text}" if message.sender else message.text for message in one.messages
        )
    return "\n".join(one.lines) or one.big_text or one.text or ""


class SmsSource(Source):
    """Unread SMS, newest first, with the contact's name where the number is known."""

    name = "sms"
    dimension = Dimension.DEVICE
    needs = (SMS_NEED, CONTACTS_NEED, SMS_APP_NEED)

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        unread = latest_unread(phone, self.config)
        if not unread:
            return []
        contacts = known_contacts(phone)
        value = [unread_sms(row, contacts, phone.now) for row in unread]
        return [Reading("sms.unread", value, Trust.THIRD_PARTY)]


def latest_unread(phone: PhoneValues, config: CollectorsConfig) -> Sequence[Row]:
    """The newest unread SMS; none of a messaging app that is never looked at."""
    if config.excluded_apps and phone[SMS_APP] in config.excluded_apps:
        return ()
    return phone[SMS_UNREAD].items[:_MOST]


def unread_sms(row: Row, contacts: Sequence[Contact] | None, now: datetime) -> dict[str, JsonValue]:
    """One SMS as a value; ``contact`` is None for a number that is nobody's and absent when that is not known."""
    number = row["address"] or ""
    value: dict[str, JsonValue] = {
        "number": number,
        "text": row["body"] or "",
        "time": iso(datetime.fromtimestamp(int(row["date"] or 0) / 1000, UTC), now),
    }
    if contacts is not None:
        known = contact_by_number(contacts, number)
        value["contact"] = known.name if known else None
    return value


class ContactSource(Source):
    """Only the contacts that unread SMS come from or mention by name."""

    name = "contacts"
    dimension = Dimension.DEVICE
    needs = (SMS_NEED, CONTACTS_NEED, SMS_APP_NEED)

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        messages = latest_unread(phone, self.config)
        matching = [
            contact
            for contact in contacts_in(phone[CONTACTS])
            if any(
                mentioned(contact, row["body"] or "")
                or any(same_number(n, row["address"] or "") for n in contact.numbers)
                for row in messages
            )
        ]
        if not matching:
            return []
        value: list[JsonValue] = [{"name": contact.name, "numbers": list(contact.numbers)} for contact in matching]
        return [Reading("contacts.matching", value, Trust.OWNER)]


def known_contacts(phone: PhoneValues) -> tuple[Contact, ...] | None:
    """The contacts with a number; None when they could not be read, which is not the same as nobody."""
    found = phone.get(CONTACTS)
    return None if found is None else contacts_in(found)


def contacts_in(found: Rows) -> tuple[Contact, ...]:
    """The contacts of ``CONTACTS`` by name, each with all its numbers."""
    numbers: dict[str, list[str]] = {}
    for row in found.items:
        if row["display_name"] and row["data1"]:
            numbers.setdefault(row["display_name"], []).append(row["data1"])
    return tuple(Contact(name, tuple(dict.fromkeys(own))) for name, own in sorted(numbers.items()))
