"""Notifications and unread SMS, and the contacts they concern."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from pydantic import JsonValue

from android_bridge.consent_notification import is_ours
from android_bridge.facts.content import Row, rows
from android_bridge.facts.notifications import NOTIFICATIONS, Notification
from android_bridge.facts.settings import setting
from android_bridge.phone_numbers import same_number
from collectors import apps
from collectors.config import CollectorsConfig
from collectors.contacts import mentioned
from collectors.context import Dimension, TriggerKind
from collectors.links import hosts, links
from collectors.source import PhoneValues, ReaderNeed, Reading, ReadingCost, Source
from collectors.sources.senders import (
    CONTACTS,
    CONTACTS_NEED,
    SENDER_NEEDS,
    Senders,
    contacts_in,
    known_contacts,
    senders_of,
)
from collectors.sources.times import iso
from heed.language import Language
from heed.trust import Trust

SMS_UNREAD = rows("content://sms/inbox", ("date", "address", "body"), where="read=0", sort="date DESC")
SMS_APP = setting("secure", "sms_default_application")
SMS_APP_NEED = ReaderNeed(SMS_APP, fresh=3600.0)
SMS_NEED = ReaderNeed(
    SMS_UNREAD,
    fresh=30.0,
    cost=ReadingCost.SLOW,
    refreshed_by=frozenset({TriggerKind.SMS_RECEIVED, TriggerKind.NOTIFICATION}),
)
_NOT_FOR_PEOPLE = frozenset({"sys", "service", "progress", "transport"})
"""``Notification.CATEGORY_*`` of what an app tells about itself."""
_MOST = 20


class NotificationSource(Source):
    """The notifications in the shade, newest first, with the text of conversations."""

    name = "notifications"
    dimension = Dimension.DEVICE
    needs = (ReaderNeed(NOTIFICATIONS), CONTACTS_NEED)

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        shown = [one for one in phone[NOTIFICATIONS].items if concerns_people(one)]
        looked_at = [one for one in shown if one.package not in self.config.excluded_apps]
        newest = sorted(looked_at, key=_time, reverse=True)[:_MOST]
        readings = []
        if newest:
            senders = Senders(known_contacts(phone))
            value = [shown_notification(one, phone.now, self.config.language, senders) for one in newest]
            readings.append(Reading("notifications", value, Trust.THIRD_PARTY))
        if withheld := len(shown) - len(looked_at):
            readings.append(Reading("notifications.withheld", withheld))
        return readings


def shown_notification(one: Notification, now: datetime, language: Language, senders: Senders) -> dict[str, JsonValue]:
    """A notification as a value; of a message with the contact who wrote it, by the name that the app shows."""
    text = _text(one)
    return {
        "package": one.package,
        "app": apps.name(one.package, language),
        "title": one.conversation or one.title,
        "text": text,
        "time": iso(_time(one), now),
        **(senders.by_name(_shown_names(one)) if is_message(one) else {}),
        **link_hosts(text),
    }


def link_hosts(text: str) -> dict[str, JsonValue]:
    """``link_hosts``: the hosts of the links in a text; absent without a link."""
    found = hosts(links(text))
    return {"link_hosts": list(found)} if found else {}


def is_message(one: Notification) -> bool:
    """Whether somebody wrote it to the owner."""
    return one.category == "msg" or bool(one.messages)


def _shown_names(one: Notification) -> Iterable[str]:
    """The newest message's sender, else the title."""
    sender = one.messages[-1].sender if one.messages else None
    return filter(None, (sender,) if sender else (one.title, one.conversation))


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
    needs = (SMS_NEED, SMS_APP_NEED, *SENDER_NEEDS)

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        unread = latest_unread(phone, self.config)
        if not unread:
            return []
        senders = senders_of(phone)
        value = [unread_sms(row, senders, phone.now) for row in unread]
        return [Reading("sms.unread", value, Trust.THIRD_PARTY)]


def latest_unread(phone: PhoneValues, config: CollectorsConfig) -> Sequence[Row]:
    """The newest unread SMS; none of a messaging app that is never looked at."""
    if config.excluded_apps and phone[SMS_APP] in config.excluded_apps:
        return ()
    return phone[SMS_UNREAD].items[:_MOST]


def unread_sms(row: Row, senders: Senders, now: datetime) -> dict[str, JsonValue]:
    """One SMS as a value, with what is known of its sender."""
    number, text = row["address"] or "", row["body"] or ""
    return {
        "number": number,
        "text": text,
        "time": iso(datetime.fromtimestamp(int(row["date"] or 0) / 1000, UTC), now),
        **senders.by_number(number),
        **link_hosts(text),
    }


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
