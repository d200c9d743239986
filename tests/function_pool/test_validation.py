"""A call that fits comes out in canonical form; one that does not is told what is wrong with which parameter."""

import json
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from function_pool.call import Basis, FunctionCall
from function_pool.spec import ParameterSpec, default_pool
from function_pool.validation import InvalidCallError, validate
from heed.errors import UsageError
from heed.trust import Trust

POOL = default_pool()
NOW = datetime(2026, 2, 6, 14, 30, tzinfo=timezone(timedelta(hours=8)))


def canonical(name: str, /, **parameters: JsonValue) -> dict[str, JsonValue]:
    return dict(validate(POOL, FunctionCall(name=name, parameters=parameters), NOW).parameters)


@pytest.mark.parametrize(
    ("name", "given_parameters", "expected"),
    [
        ("cancel_alarm", {"search_mode": "TIME", "time": "7:30"}, {"search_mode": "time", "time": "07:30"}),
        (
            "set_do_not_disturb",
            {"mode": "优先模式", "duration_minutes": "90"},
            {"mode": "priority", "duration_minutes": 90},
        ),
        ("set_do_not_disturb", {"mode": "Alarms Only", "reason": ""}, {"mode": "alarms_only"}),
        (
            "set_alarm",
            {"time": "早上7点", "repeat_days": "周六、周日"},
            {"time": "07:00", "repeat_days": ["sat", "sun"]},
        ),
        (
            "set_alarm",
            {"time": "07:00", "repeat_days": ["Sunday", "MON"]},
            {"time": "07:00", "repeat_days": ["mon", "sun"]},
        ),
        ("set_power_saving_mode", {"enabled": "开启", "trigger_level": "15%"}, {"enabled": True, "trigger_level": 15}),
        (
            "create_reminder",
            {"due_time": "明天9点", "content": "交电费"},
            {"content": "交电费", "due_time": "2026-02-07T09:00:00"},
        ),
        (
            "save_contact",
            {"name": " Bob ", "phone_number": "+44 (0)7700-900461"},
            {"name": "Bob", "phone_number": "+447700900461"},
        ),
        ("transfer_money", {"payee": "老韩", "amount": 206}, {"payee": "老韩", "amount": "206"}),
        ("transfer_money", {"payee": "Ann", "amount": "1,200.50"}, {"payee": "Ann", "amount": "1200.50"}),
        (
            "web_search",
            {"query": "x", "url": "www.example.com/a?b=c"},
            {"query": "x", "url": "https://www.example.com/a?b=c"},
        ),
        (
            "compose_email",
            {"to": "a@b.example", "subject": "s", "body": "b"},
            {"to": ["a@b.example"], "subject": "s", "body": "b"},
        ),
        (
            "pay_bill",
            {"bill_type": "电费", "platform_info": "支付宝"},
            {"bill_type": "electricity", "platform_info": "Alipay"},
        ),
        ("set_display", {"setting": "护眼模式", "value": True}, {"setting": "night_light", "value": "true"}),
        (
            "show_payment_code",
            {"code_type": "pay", "platform_info": "微信"},
            {"code_type": "pay", "platform_info": "WeChat"},
        ),
        (
            "show_payment_code",
            {"code_type": "membership", "platform_info": " Lidl Plus "},
            {"code_type": "membership", "platform_info": "Lidl Plus"},
        ),
        ("pay_bill", {"bill_type": "取暖费"}, {"bill_type": "heating"}),
        (
            "clean_up_media_files",
            {"category": "截图", "action": "delete", "before_date": "30天前"},
            {"category": "screenshots", "action": "trash", "before_date": "2026-01-07"},
        ),
    ],
)
def test_harmless_variants_become_the_canonical_form(
    name: str, given_parameters: dict[str, JsonValue], expected: dict[str, JsonValue]
) -> None:
    assert canonical(name, **given_parameters) == expected


@pytest.mark.parametrize(
    ("name", "parameters", "told"),
    [
        ("set_power_saving_mode", {}, "set_power_saving_mode: enabled is required"),
        ("track_package", {"carrier": "x" * 61}, "carrier has 61 characters (at most 60)"),
        ("track_package", {"carrier": "DPD\nEvri"}, "carrier must be a name in one line"),
        ("track_package", {"carrier": "DPD\u202e"}, "carrier must be a name in one line"),
        ("track_package", {"carrier": "…"}, "carrier must be a name in one line"),
        ("view_health_summary", {"metric": "noise"}, "metric must be one of steps"),
        ("set_power_saving_mode", {"enabled": " "}, "enabled is required"),
        ("set_power_saving_mode", {"enabled": "maybe"}, "enabled must be true or false, not 'maybe'"),
        (
            "set_power_saving_mode",
            {"enabled": True, "trigger_level": 150},
            "trigger_level must lie between 0 and 75, not 150",
        ),
        (
            "set_power_saving_mode",
            {"enabled": True, "trigger_level": 1.5},
            "trigger_level must be a whole number, not 1.5",
        ),
        (
            "set_power_saving_mode",
            {"enabled": True, "trigger_level": True},
            "trigger_level must be a whole number, not True",
        ),
        ("set_power_saving_mode", {"enabled": True, "levle": 3}, "levle is not a parameter of it"),
        ("set_power_saving_mode", {"enabled": True, "triger_level": 3}, "did you mean trigger_level?"),
        ("open_document", {"file_name": "a", "page": 0}, "page must be at least 1, not 0"),
        (
            "set_do_not_disturb",
            {"mode": "quiet"},
            "mode must be one of priority, alarms_only, total_silence, off, not 'quiet'",
        ),
        ("set_alarm", {"time": "25:00"}, "time must be a 24-hour clock time like 07:30, not '25:00'"),
        ("set_alarm", {"time": "07:00", "repeat_days": ["mon", "someday"]}, "repeat_days must be one of mon"),
        ("cancel_alarm", {"search_mode": "label"}, "label is required when search_mode is label"),
        ("make_phone_call", {"call_type": "voice"}, "phone_number or contact_name is required"),
        ("make_phone_call", {"phone_number": "*#06#"}, "never dialled"),
        ("make_phone_call", {"phone_number": "tel:1"}, "phone_number must be a phone number"),
        (
            "create_calendar_event",
            {"title": "a", "start_time": "2026-02-06 10:00", "end_time": "2026-02-06 09:00"},
            "end_time must lie after start_time",
        ),
        ("create_reminder", {"content": "a", "due_time": "soon"}, "due_time must be a moment like 2026-02-06T19:30:00"),
        ("web_search", {"query": "x", "url": "intent://a#Intent;end"}, "url must be a web address"),
        ("web_search", {"query": "x", "url": "javascript:alert(1)"}, "url must be a web address"),
        ("web_search", {"query": "x", "url": "https://bank.example@evil.example/"}, "hides its host"),
        ("share_file", {"content_uri_or_path": "file:///data/x"}, "must be a path or content URI"),
        ("share_file", {"content_uri_or_path": "/sdcard/../data/x"}, "must not climb up"),
        ("transfer_money", {"payee": "a\nb", "amount": "1"}, "payee must be one line"),
        ("transfer_money", {"payee": "a", "amount": "-5"}, "amount must be a sum of money"),
        ("transfer_money", {"payee": "a", "amount": "0"}, "amount must be a sum of money"),
        (
            "compose_email",
            {"to": ["a@b.example", "Bob"], "subject": "s", "body": "b"},
            "to must be an e-mail address, not 'Bob'",
        ),
        ("compose_email", {"to": {"a": 1}, "subject": "s", "body": "b"}, "to must be text"),
        ("send_sms", {"recipient": "Bob", "content": "a\0b"}, "content contains a character that phones do not accept"),
        ("send_sms", {"recipient": "Bob", "content": "x" * 2001}, "content has 2001 characters"),
    ],
)
def test_a_fault_names_the_function_the_parameter_and_what_is_wrong(
    name: str, parameters: dict[str, JsonValue], told: str
) -> None:
    with pytest.raises(InvalidCallError) as caught:
        canonical(name, **parameters)
    assert told in str(caught.value)
    assert str(caught.value).startswith(f"{name}: ")


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(InvalidCallError) as caught:
        canonical("set_power_saving_mode", enabled="maybe", trigger_level=150, colour="red")
    assert [fault.parameter for fault in caught.value.faults] == ["colour", "enabled", "trigger_level"]


def test_an_unknown_function_names_its_near_misses() -> None:
    with pytest.raises(UsageError, match="Did you mean set_power_saving_mode"):
        canonical("set_power_saving")


def test_relative_times_are_faults_without_the_phones_clock() -> None:
    call = FunctionCall(name="create_reminder", parameters={"content": "a", "due_time": "tomorrow 9:00"})
    with pytest.raises(InvalidCallError):
        validate(POOL, call)


def test_the_basis_of_what_is_left_out_is_left_out() -> None:
    sms = (Basis(fact="sms.unread", trust=Trust.THIRD_PARTY),)
    call = FunctionCall(
        name="save_contact",
        parameters={"phone_number": "123 456", "name": "Bob", "note": ""},
        basis={"phone_number": sms, "note": sms},
    )
    checked = validate(POOL, call)
    assert checked.basis == {"phone_number": sms}
    assert list(checked.parameters) == ["name", "phone_number"]


def test_every_call_of_the_hand_written_moments_is_valid(shared: Path) -> None:
    cases = json.loads((shared / "bench/proactive/cases.json").read_text("utf-8"))
    calls = [call for case in cases for answer in case["recommendation"] for call in answer["function"]]
    assert len(calls) > 50
    for call in calls:
        validate(POOL, FunctionCall(**call), NOW)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def _fitting(parameter: ParameterSpec) -> st.SearchStrategy[JsonValue]:
    match parameter.type:
        case "bool":
            return st.booleans()
        case "int":
            return st.integers(int(parameter.minimum or 0), int(parameter.maximum or 10**6))
    choices = st.sampled_from([str(choice) for choice in parameter.choices]) if parameter.choices else _JSON
    return st.lists(choices, max_size=3) if parameter.type == "list" else choices


@given(st.data())
def test_whatever_is_given_is_either_canonical_or_a_fault(data: st.DataObject) -> None:
    spec = data.draw(st.sampled_from(list(POOL)))
    parameters = {
        name: data.draw(_JSON | _fitting(parameter))
        for name, parameter in spec.parameters.items()
        if data.draw(st.booleans())
    }
    call = FunctionCall(name=spec.name, parameters=parameters)
    try:
        once = validate(POOL, call, NOW)
    except InvalidCallError as fault:
        assert fault.function == spec.name and fault.faults
    else:
        assert validate(POOL, once, NOW) == once
