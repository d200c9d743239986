"""Notifications, with texts that a stranger wrote."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from android_bridge.facts import notifications
from android_bridge.facts.notifications import Notification, NotificationMessage
from android_bridge.facts.reader import UnreadableError
from tests.proof import examples


def record(*extras: str, package: str = "com.example.chat", flags: str = "0x10", key: str = "") -> str:
    key = key or f"0|{package}|7|null|10123"
    lines = "".join(f"                {extra}\n" for extra in extras)
    return (
        f"    NotificationRecord(0x0f8ce56e: pkg={package} user=UserHandle{{0}} id=7 tag=null importance=4 key={key}: "
        f"Notification(channel=chats shortcut=null contentView=null vibrate=null sound=null defaults=0x0 flags={flags} "
        "color=0x00000000 category=msg vis=PRIVATE))\n"
        "      notification=\n            when=1756696460352\n            extras={\n"
        f"{lines}            }}\n      mCreationTimeMs=1756696460000\n      mUpdateTimeMs=1756696461000\n"
    )


def dump(*records: str) -> str:
    zen = "  Zen Mode:\n    mInterruptionFilter=1\n    mZenMode=ZEN_MODE_OFF\n"
    head = "Current Notification Manager state:\n  Notification List:\n"
    return f"{head}{''.join(records)}  \n  mArchive=Archive (0 notifications)\n{zen}"


def only(text: str) -> Notification:
    (item,) = notifications.parse_notifications(text).items
    return item


def test_a_notification_has_its_texts_times_and_flags() -> None:
    item = only(dump(record("android.title=String (Bob (work))", "android.text=SpannableString (hi)")))
    assert (item.package, item.channel, item.category, item.importance) == ("com.example.chat", "chats", "msg", 4)
    assert (item.title, item.text, item.big_text) == ("Bob (work)", "hi", None)
    assert item.when == datetime.fromtimestamp(1756696460.352, UTC)
    assert item.posted == datetime.fromtimestamp(1756696461, UTC)
    assert item.flags == {"AUTO_CANCEL"}
    assert not (item.ongoing or item.summary or item.redacted)


def test_a_conversation_has_its_messages() -> None:
    item = only(
        dump(
            record(
                "android.messages=Parcelable[] (2)",
                "  [0] Bundle[{text=hi, this is Bob, sender=Bob, time=1756696460352}]",
                "  [1] Bundle[{time=1756696461352, sender=null, text=hello}]",
                "android.conversationTitle=String (Friends)",
            )
        )
    )
    assert item.messages == (
        NotificationMessage(sender="Bob", text="hi, this is Bob"),
        NotificationMessage(sender="", text="hello"),
    )
    assert item.conversation == "Friends"


def test_flags_are_the_same_by_number_and_by_name() -> None:
    by_number = only(dump(record(flags="0x62")))
    by_name = only(dump(record(flags="ONGOING_EVENT|NO_CLEAR|FOREGROUND_SERVICE")))
    assert by_number.flags == by_name.flags
    assert by_name.ongoing
    assert only(dump(record(flags="0"))).flags == frozenset()


def test_hidden_texts_are_none_and_said_to_be_hidden(capture: Callable[[str], str]) -> None:
    text = capture("dumpsys-notification/xiaomi-pad6-hyperos2-a14-redacted.txt")
    items = notifications.parse_notifications(text)
    telegram = items.items[0]
    assert (len(items.items), items.unread) == (25, 0)
    assert (telegram.title, telegram.text, telegram.redacted) == (None, None, True)
    assert "bbbc" not in telegram.key


def test_a_long_text_over_several_lines_stays_one_text(capture: Callable[[str], str]) -> None:
    text = capture("dumpsys-notification/motorola-my-ux-jetoverlay-noredact.txt")
    items = notifications.parse_notifications(text).items
    mails = [item for item in items if item.package == "com.google.android.gm"]
    assert [len(mail.lines) for mail in mails] == [2, 0, 0]
    assert mails[1].big_text is not None
    assert mails[1].big_text.count("\n") >= 3


def test_a_record_that_is_not_understood_is_counted_and_does_not_hide_the_next() -> None:
    broken = "    NotificationRecord(0x1: pkg=a.b user=somebody)\n"
    parsed = notifications.parse_notifications(dump(broken, record("android.title=String (x)")))
    assert ([item.title for item in parsed.items], parsed.unread) == (["x"], 1)


def test_no_notification_is_an_empty_list_but_another_output_is_an_error() -> None:
    assert notifications.parse_notifications(dump()).items == ()
    with pytest.raises(UnreadableError):
        notifications.parse_notifications("cmd: Can't find service: notification\n")


def test_a_text_cannot_switch_do_not_disturb_off() -> None:
    lie = "android.text=String (x\n  Zen Mode:\n    mZenMode=ZEN_MODE_NO_INTERRUPTIONS\n)"
    assert notifications.parse_do_not_disturb(dump(record(lie))) == "off"


@pytest.mark.parametrize(
    ("number", "mode"), [("0", "off"), ("1", "priority"), ("2", "total_silence"), ("3", "alarms_only")]
)
def test_do_not_disturb_has_four_modes(number: str, mode: str) -> None:
    assert notifications.parse_zen_setting(f"{number}\n") == mode


def test_an_unknown_mode_of_do_not_disturb_is_not_guessed() -> None:
    for parse, text in (
        (notifications.parse_zen_setting, "null\n"),
        (notifications.parse_do_not_disturb, "  Zen Mode:\n    mZenMode=ZEN_MODE_FOO\n"),
    ):
        with pytest.raises(UnreadableError):
            parse(text)


@settings(max_examples=examples(150))
@given(st.text(st.characters(exclude_characters="\r"), max_size=80))
def test_any_text_comes_out_as_it_went_in_unless_it_imitates_the_dump(text: str) -> None:
    parsed = notifications.parse_notifications(dump(record(f"android.text=String ({text})", "android.title=null")))
    assert [item.text for item in parsed.items] == [text]


def test_a_tag_made_of_the_dumps_own_words_does_not_keep_the_parser_busy() -> None:
    tag = " importance=1 key=0|a: Notification(channel=" * 20_000
    hostile = record("android.title=String (x)").replace("tag=null", f"tag={tag}")
    parsed = notifications.parse_notifications(dump(hostile, record("android.title=String (fine)")))
    assert (parsed.items[-1].title, parsed.unread) == ("fine", 1)
