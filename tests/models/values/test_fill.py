"""Calls filled from messages of many writers, in both languages."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from function_pool.spec import default_pool
from heed.language import Language
from models.values.choices import _table, choice
from models.values.fill import fill
from models.values.incoming import IncomingText
from models.values.names import other_name
from models.values.person import Person

NOW = datetime(2026, 5, 12, 16, 5, tzinfo=UTC)
"""A Tuesday."""
BRITISH = Person(region="GB", home="14 Elm Road, Leeds")
CHINESE = Person(language=Language.ZH, region="CN")


def filled(
    function: str,
    text: str,
    spans: Mapping[str, str] | None = None,
    *,
    sender: str = "Dave",
    app: str = "com.whatsapp",
    title: str = "",
    person: Person = BRITISH,
) -> Mapping[str, Any] | None:
    message = IncomingText(app=app, sender=sender, title=title, text=text)
    return fill(default_pool().get(function), spans or {}, message, NOW, person)


def test_an_appointment_is_read_from_its_spans() -> None:
    text = "can do thurs 14th between 8 & 10 for the boiler, someone needs to be in"
    found = filled("create_calendar_event", text, {"title": "boiler", "start_time": "thurs 14th between 8 & 10"})
    assert found == {
        "title": "Boiler (Dave)",
        "start_time": "2026-05-14T08:00:00",
        "end_time": "2026-05-14T10:00:00",
    }


def test_an_appointment_without_spans_is_read_where_it_stands_out() -> None:
    found = filled("create_calendar_event", "豆豆妈妈 这周五下午三点半开家长会", sender="刘老师", person=CHINESE)
    assert found == {"title": "家长会 (刘老师)", "start_time": "2026-05-15T15:30:00"}


def test_a_duration_ends_an_appointment() -> None:
    text = "check-up on Thu 21 May at 10:40am. Please allow 45 mins."
    found = filled("create_calendar_event", text, {"start_time": "Thu 21 May at 10:40am", "end_time": "45 mins"})
    assert found is not None
    assert found["end_time"] == "2026-05-21T11:25:00"


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("周四下午你有空吗", "2026-05-14T12:00:00", "2026-05-14T18:00:00"),
        ("what have you got on Sat 16th May?", "2026-05-16T00:00:00", "2026-05-16T23:59:59"),
        ("are you free Thursday 2-4pm", "2026-05-14T14:00:00", "2026-05-14T16:00:00"),
    ],
)
def test_a_question_about_the_agenda_asks_for_its_window(text: str, start: str, end: str) -> None:
    assert filled("query_calendar_events", text) == {"start_time": start, "end_time": end}


def test_a_pickup_code_names_the_locker_and_not_the_carrier() -> None:
    text = "【丰巢】您有EMS包裹，取件码84620193，已存入融泽嘉园8号楼西侧丰巢柜"
    found = filled("show_pickup_code", text, {"station": "融泽嘉园8号楼西侧丰巢柜"}, sender="106980", app="sms")
    assert found == {"platform_info": "Hive Box", "station": "融泽嘉园8号楼西侧丰巢柜"}


@pytest.mark.parametrize(
    ("text", "sender", "carrier"),
    [
        ("your parcel 33KLM0047218 has been shipped", "AusPost", "auto"),
        ("shipment 7733019284 is arriving", "DHL", "DHL"),
        ("单号 SF1408827719365", "表弟", "SF"),
        ("上次发的圆通单号 YT7423905518826", "外婆", "YTO"),
    ],
)
def test_the_carrier_follows_from_words_sender_or_number(text: str, sender: str, carrier: str) -> None:
    found = filled("track_package", text, sender=sender)
    assert found is not None
    assert found["carrier"] == carrier


@pytest.mark.parametrize(
    ("text", "platform"),
    [
        ("join https://teams.microsoft.com/l/meetup-join/19zzq4411", "Teams"),
        ("拉了个会 https://vc.feishu.cn/j/284619305 你也进来", "Feishu"),
        ("we're on https://meet.google.com/kqa-wvye-nbs", "Google Meet"),
        ("腾讯会议 683-220-415 快进", "Tencent Meeting"),
    ],
)
def test_the_platform_of_a_meeting_is_its_links(text: str, platform: str) -> None:
    found = filled("join_online_meeting", text)
    assert found is not None
    assert found["platform"] == platform


def test_a_meeting_elsewhere_is_not_filled() -> None:
    assert filled("join_online_meeting", "we're in the usual room, id 845 2210 7734") is None


def test_a_shop_that_only_the_sender_names_is_not_filled() -> None:
    assert filled("check_shopping_order", "Argos: your refund is on its way", sender="Argos") is None


@pytest.mark.parametrize(
    ("sender", "text", "expected"),
    [
        (
            "+44 7700 900369",
            "Hi, this is Priya from antenatal, new phone!",
            {"name": "Priya", "phone_number": "+447700900369"},
        ),
        ("+44 7700 900369", "new phone, this is me now!", None),
    ],
)
def test_a_contact_has_the_senders_number_and_never_a_guessed_name(
    sender: str, text: str, expected: Mapping[str, str] | None
) -> None:
    assert filled("save_contact", text, sender=sender, app="sms") == expected


def test_a_call_goes_to_the_stated_number_or_to_the_sender() -> None:
    text = "You can call us on 0113 496 0467 any time"
    stated = filled("make_phone_call", text, sender="+44 113 496 0461", app="sms")
    assert stated == {"phone_number": "01134960467", "call_type": "voice"}
    named = filled("make_phone_call", "Ring me when you get this", sender="Dad")
    assert named == {"contact_name": "Dad", "call_type": "voice"}


def test_a_company_that_is_no_contact_is_not_called_by_its_name() -> None:
    message = IncomingText(app="sms", sender="NHSnoreply", known=False, text="Please call us back about your test")
    assert fill(default_pool().get("make_phone_call"), {}, message, NOW, BRITISH) is None


def test_a_transfer_goes_to_the_writer_and_never_to_a_group() -> None:
    spans = {"amount": "£16"}
    found = filled("transfer_money", "subs are £16 pls", spans, sender="Tracey Netball")
    assert found == {"payee": "Tracey Netball", "amount": "16"}
    assert filled("transfer_money", "subs are £16 pls", spans, sender="Netball girls") is None


def test_a_journey_starts_here_where_no_start_is_stated() -> None:
    spans = {"end_location": "浙江医院"}
    found = filled("book_transport", "您打个车过来吧，浙江医院", spans, person=CHINESE)
    assert found == {"transport_type": "taxi", "start_location": "当前位置", "end_location": "浙江医院"}


def test_a_text_is_translated_into_the_phones_language() -> None:
    found = filled("translate_text", "Buenas tardes, la llave está en la caja gris junto a la puerta")
    assert found is not None
    assert found["target_language"] == "English"
    assert found["source_language"] == "Spanish"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("set your alarm for 3.45", {"time": "03:45"}),
        ("明早6点20叫我", {"time": "06:20"}),
        ("your shift tomorrow now starts 07:00", None),
    ],
)
def test_an_alarm_needs_a_time_that_is_meant_for_one(text: str, expected: Mapping[str, str] | None) -> None:
    assert filled("set_alarm", text) == expected


def test_a_smart_device_gets_its_action_and_value() -> None:
    spans = {"device_name": "空调", "value": "26度", "room": "客厅"}
    found = filled("control_smart_device", "先把客厅空调打开 26度", spans, person=CHINESE)
    assert found == {"device_name": "空调", "action": "set_value", "value": "26", "room": "客厅"}
    door = filled("control_smart_device", "麻烦远程开一下门锁", {"device_name": "门锁"}, person=CHINESE)
    assert door == {"device_name": "门锁", "action": "open"}


def test_the_app_of_a_message_tells_where_to_answer() -> None:
    spans = {"content": "收到", "recipient": "二期业主群"}
    found = filled("send_instant_message", "看过的在二期业主群里回个 收到", spans, app="com.tencent.mm")
    assert found == {"recipient": "二期业主群", "content": "收到", "app_name": "WeChat"}


def test_an_optional_argument_that_does_not_fit_is_left_out() -> None:
    spans = {"start_time": "Thu 14 May 10am", "end_time": "Wed 13 May 9am", "title": "visit"}
    found = filled("create_calendar_event", "visit Thu 14 May 10am, not Wed 13 May 9am", spans)
    assert found is not None
    assert "end_time" not in found


def test_the_month_comes_first_in_america() -> None:
    text = "Your bill of $212.50 is due 06/09. Pay in the mobile app"
    american = filled("pay_bill", text, {"bill_type": "mobile", "due_date": "06/09"}, person=Person(region="US"))
    british = filled("pay_bill", text, {"bill_type": "mobile", "due_date": "06/09"})
    assert american is not None
    assert british is not None
    assert (american["due_date"], british["due_date"]) == ("2026-06-09", "2026-09-06")


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        ("Babbel", "Babbel"),
        ("the Lidl Plus app", "Lidl Plus"),
        ("交管12123App", "交管12123"),
        ("NHS App", "NHS"),
        ("bol.com", "bol.com"),
        ("WhatsApp", "WhatsApp"),
        ("her work app", None),
        ("our website", None),
        ("小程序", None),
        ("Bank", None),
        ("https://pay.example/1", None),
        ("0917 555 01684", None),
        ("Show this code at the till in the Babbel shop", None),
        ("", None),
    ],
)
def test_a_span_names_an_app_that_the_pool_does_not_list_or_none(span: str, expected: str | None) -> None:
    assert other_name(span) == expected


def test_an_open_list_takes_the_name_that_the_span_states() -> None:
    text = "Your order is on its way. Open it in the Zalando app"
    found = filled("check_shopping_order", text, {"platform_info": "Zalando app"}, sender="Zalando")
    assert found == {"view": "orders", "platform_info": "Zalando"}
    listed = filled("check_shopping_order", "你的淘宝订单已发货", {"platform_info": "淘宝"}, person=CHINESE)
    assert listed == {"view": "orders", "platform_info": "Taobao"}


def test_a_listed_value_elsewhere_in_the_message_gives_way_to_the_span() -> None:
    text = "Carousell order packed. Paid with Amazon credit"
    found = filled("check_shopping_order", text, {"platform_info": "Carousell"})
    assert found == {"view": "orders", "platform_info": "Carousell"}


def test_a_bill_of_no_listed_kind_is_another_one() -> None:
    found = filled("pay_bill", "The vet's bill of £84.20 is due", {"amount": "£84.20"})
    assert found is not None
    assert found["bill_type"] == "other"


def test_every_choice_of_the_table_is_a_value_of_the_pool() -> None:
    values = {str(one) for spec in default_pool() for given in spec.parameters.values() for one in given.choices}
    free = {"record_expense.category.en", "record_expense.category.zh", "bank_service_assistance.service_type"}
    named = {value for key, row in _table("choices.yaml").items() if key not in free for value in row}
    assert named <= values


def test_a_word_counts_as_a_whole() -> None:
    message = IncomingText(app="sms", text="wrap up the keepsake")
    assert choice("start_workout", "app_name", "", message) is None


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=120), st.text(max_size=20), st.sampled_from(sorted(default_pool().functions)), st.data())
def test_any_message_is_read_without_an_error(text: str, sender: str, name: str, data: st.DataObject) -> None:
    spec = default_pool().get(name)
    cut = data.draw(st.integers(0, len(text)))
    spans = {
        parameter: data.draw(st.sampled_from((text[:cut], text[cut:], sender, ""))) for parameter in spec.parameters
    }
    found = fill(spec, spans, IncomingText(app="mail", sender=sender, title=sender, text=text), NOW, BRITISH)
    assert found is None or all(name in found for name, parameter in spec.parameters.items() if parameter.required)
