"""Notifications, SMS and the contacts they concern."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from android_bridge.facts.content import Rows
from android_bridge.facts.notifications import NOTIFICATIONS, Notification, NotificationMessage, Notifications
from collectors.config import CollectorsConfig
from collectors.sources.messages import SMS_APP, SMS_UNREAD, ContactSource, NotificationSource, SmsSource
from collectors.sources.senders import CONTACTS
from heed.errors import DeviceError
from heed.language import Language
from heed.trust import Trust
from tests.collectors.sources.phone_values import readings

CONFIG = CollectorsConfig()
AT = datetime(2026, 2, 6, 8, 5, tzinfo=UTC)


def notification(package: str, title: str, text: str = "", **more: object) -> Notification:
    fields = {
        "key": f"0|{package}|1|null|10100",
        "package": package,
        "user": 0,
        "id": 1,
        "tag": None,
        "channel": "c",
        "category": "msg",
        "importance": 3,
        "flags": frozenset(),
        "when": AT,
        "posted": AT,
        "title": title,
        "text": text,
        "big_text": None,
        "sub_text": None,
        "lines": (),
        "conversation": None,
        "messages": (),
        "redacted": False,
    }
    return Notification.model_validate(fields | more)


async def shown(items: Sequence[Notification], config: CollectorsConfig = CONFIG) -> dict[str, Any]:
    found = await readings(NotificationSource(config), {NOTIFICATIONS: Notifications(items=tuple(items))})
    return {name: reading.value for name, reading in found.items()}


async def test_a_notification_has_app_title_text_and_local_time() -> None:
    assert await shown([notification("com.tencent.mm", "Sam", "see you")], CollectorsConfig(language=Language.ZH)) == {
        "notifications": [
            {
                "package": "com.tencent.mm",
                "app": "微信",
                "title": "Sam",
                "text": "see you",
                "time": "2026-02-06T16:05:00+08:00",
            }
        ]
    }


async def test_a_conversation_gives_its_lines_and_senders() -> None:
    messages = (NotificationMessage(sender="Sam", text="coming?"), NotificationMessage(sender="", text="yes"))
    (one,) = (await shown([notification("a.b", "Sam", "yes", conversation="Team", messages=messages)]))["notifications"]
    assert (one["title"], one["text"]) == ("Team", "Sam: coming?\nyes")


async def test_players_services_and_group_heads_are_left_out() -> None:
    items = [
        notification("a.player", "Song", flags=frozenset({"ONGOING_EVENT"})),
        notification("a.mail", "3 new", flags=frozenset({"GROUP_SUMMARY"})),
        notification("a.sys", "Charging", category="sys"),
        notification("a.empty", "", ""),
    ]
    assert await shown(items) == {}


async def test_an_excluded_app_is_counted_and_not_read() -> None:
    items = [notification("my.bank", "Balance", "123"), notification("a.b", "Hello")]
    found = await shown(items, CollectorsConfig(excluded_apps=frozenset({"my.bank"})))
    assert found["notifications.withheld"] == 1
    assert "my.bank" not in str(found) and "Balance" not in str(found)


async def test_the_captures_of_real_phones_give_facts_or_nothing(shared: Path) -> None:
    for capture in sorted((shared / "fixtures" / "android" / "dumpsys-notification").glob("*.txt")):
        found = await readings(NotificationSource(CONFIG), {NOTIFICATIONS: capture.read_text("utf-8", "replace")})
        for reading in found.values():
            assert reading.trust is Trust.THIRD_PARTY
            assert all(one["title"] or one["text"] for one in reading.value), capture.name


def rows(*items: Mapping[str, str | None]) -> Rows:
    return Rows(items=tuple(dict(item) for item in items))


BOB = {"_id": "1", "data1": "555-0100", "display_name": "Bob Li"}
ANN = {"_id": "2", "data1": "555-0200", "display_name": "Ann"}
FROM_ANN = {"_id": "7", "date": "1770365400000", "address": "5550200", "body": "see you"}
NEW_BOB = {"_id": "8", "date": "1770365400000", "address": "5550199", "body": "hi, this is Bob, my new number"}


async def test_an_unread_sms_names_its_sender_when_known() -> None:
    found = await readings(SmsSource(CONFIG), {SMS_UNREAD: rows(FROM_ANN, NEW_BOB), CONTACTS: rows(BOB, ANN)})
    assert found["sms.unread"].trust is Trust.THIRD_PARTY
    assert found["sms.unread"].value == [
        {"number": "5550200", "text": "see you", "time": "2026-02-06T16:10:00+08:00", "contact": "Ann"},
        {
            "number": "5550199",
            "text": "hi, this is Bob, my new number",
            "time": "2026-02-06T16:10:00+08:00",
            "contact": None,
        },
    ]


async def test_with_unreadable_contacts_nobody_is_called_unknown() -> None:
    found = await readings(SmsSource(CONFIG), {SMS_UNREAD: rows(FROM_ANN), CONTACTS: "Permission Denial"})
    assert "contact" not in found["sms.unread"].value[0]


async def test_only_contacts_that_matter_are_told() -> None:
    values = {SMS_UNREAD: rows(NEW_BOB), CONTACTS: rows(BOB, ANN, BOB | {"_id": "3", "data1": "555-0101"})}
    found = await readings(ContactSource(CONFIG), values)
    assert found["contacts.matching"].value == [{"name": "Bob Li", "numbers": ["555-0100", "555-0101"]}]
    assert found["contacts.matching"].trust is Trust.OWNER


async def test_of_a_messaging_app_that_is_never_looked_at_no_sms_is_told() -> None:
    config = CollectorsConfig(excluded_apps=frozenset({"my.messages"}))
    values = {SMS_UNREAD: rows(NEW_BOB), CONTACTS: rows(BOB)}
    for source in (SmsSource(config), ContactSource(config)):
        assert await readings(source, {**values, SMS_APP: "my.messages\n"}) == {}
        assert await readings(source, {**values, SMS_APP: "another.app\n"}) != {}
        with pytest.raises(DeviceError):
            await readings(source, {**values, SMS_APP: "cmd: Failure calling service"})


async def test_nothing_unread_is_no_fact() -> None:
    assert await readings(SmsSource(CONFIG), {SMS_UNREAD: rows(), CONTACTS: rows(BOB)}) == {}
    assert await readings(ContactSource(CONFIG), {SMS_UNREAD: rows(), CONTACTS: rows(BOB)}) == {}
