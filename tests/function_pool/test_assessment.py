"""The class of a call follows its name, its arguments and who may have written them."""

import pytest
from pydantic import JsonValue

from function_pool import assessment
from function_pool.assessment import Assessment, RiskReason, assess
from function_pool.call import Basis, FunctionCall
from function_pool.risk import Risk
from function_pool.spec import Meaning, default_pool
from function_pool.wording import describe_reason
from heed.language import Language
from heed.trust import Trust

POOL = default_pool()


def assessed(name: str, untrusted: tuple[str, ...] = (), /, **parameters: JsonValue) -> Assessment:
    basis = {parameter: (Basis(fact="sms.unread", trust=Trust.THIRD_PARTY),) for parameter in untrusted}
    return assess(POOL.get(name), FunctionCall(name=name, parameters=parameters, basis=basis))


@pytest.mark.parametrize(
    ("name", "parameters", "risk"),
    [
        ("set_display", {"setting": "brightness", "value": "40"}, Risk.R1),
        ("send_sms", {"recipient": "Bob", "content": "hi"}, Risk.R2),
        ("manage_app", {"app_name": "Games", "action": "uninstall"}, Risk.R4),
        ("manage_app", {"app_name": "Games", "action": "force_stop"}, Risk.R1),
        ("clean_up_media_files", {"category": "screenshots", "action": "trash"}, Risk.R4),
        ("clean_up_media_files", {"category": "screenshots", "action": "restore"}, Risk.R1),
        ("clean_up_media_files", {"category": "screenshots", "action": "review_only"}, Risk.R0),
        ("make_phone_call", {"phone_number": "+447700900461"}, Risk.R2),
        ("make_phone_call", {"phone_number": "112"}, Risk.R5),
        ("make_phone_call", {"phone_number": "+979123456789"}, Risk.R5),
        ("make_phone_call", {"phone_number": "19005551234"}, Risk.R5),
        ("control_smart_device", {"device_name": "bedroom lamp", "action": "turn_on"}, Risk.R1),
        ("control_smart_device", {"device_name": "wall clock", "action": "turn_on"}, Risk.R1),
        ("control_smart_device", {"device_name": "Front door lock", "action": "open"}, Risk.R5),
        ("control_smart_device", {"device_name": "厨房燃气阀", "action": "open"}, Risk.R5),
        ("set_connectivity", {"connection_type": "wifi", "enabled": True}, Risk.R1),
        ("set_connectivity", {"connection_type": "hotspot", "enabled": True}, Risk.R5),
        ("set_connectivity", {"connection_type": "wifi", "enabled": True, "ssid": "a", "password": "b"}, Risk.R5),
        ("set_connectivity", {"connection_type": "airplane_mode", "enabled": True}, Risk.R2),
        ("share_file", {"content_uri_or_path": "report.pdf"}, Risk.R2),
        ("share_file", {"content_uri_or_path": "/sdcard/Download/report.pdf"}, Risk.R2),
        ("share_file", {"content_uri_or_path": "/data/data/app/secret.db"}, Risk.R5),
    ],
)
def test_arguments_decide_the_class(name: str, parameters: dict[str, JsonValue], risk: Risk) -> None:
    assert assessed(name, **parameters).risk is risk


@pytest.mark.parametrize(
    ("name", "untrusted", "parameters", "risk", "rule"),
    [
        ("save_contact", "phone_number", {"name": "Bob", "phone_number": "123456"}, Risk.R2, "third_party_recipient"),
        ("send_sms", "recipient", {"recipient": "123456", "content": "hi"}, Risk.R5, "third_party_recipient"),
        ("transfer_money", "amount", {"payee": "Ann", "amount": "206"}, Risk.R5, "third_party_amount"),
        ("web_search", "url", {"query": "x", "url": "https://a.example"}, Risk.R5, "third_party_url"),
        ("record_expense", "amount", {"amount": "31.60", "category": "food"}, Risk.R2, "third_party_amount"),
    ],
)
def test_a_decisive_argument_from_a_third_party_raises_the_class_and_is_named(
    name: str, untrusted: str, parameters: dict[str, JsonValue], risk: Risk, rule: str
) -> None:
    found = assessed(name, (untrusted,), **parameters)
    assert found.risk is risk
    assert [(reason.rule, reason.parameter) for reason in found.reasons] == [(rule, untrusted)]


@pytest.mark.parametrize(
    ("name", "parameters", "risk"),
    [
        ("read_news", {"source": "Reuters"}, Risk.R2),
        ("transfer_money", {"payee": "Ann", "amount": "20", "platform_info": "Swish"}, Risk.R3),
    ],
)
def test_an_apps_name_from_a_third_party_is_named_unless_it_is_listed(
    name: str, parameters: dict[str, JsonValue], risk: Risk
) -> None:
    (parameter,) = (one for one, spec in POOL.get(name).parameters.items() if spec.open)
    found = assessed(name, (parameter,), **parameters)
    assert found == Assessment(
        risk=risk, reasons=(RiskReason(rule="third_party_name", risk=risk, parameter=parameter),)
    )
    listed = {**parameters, parameter: POOL.get(name).parameters[parameter].choices[0]}
    assert assessed(name, (parameter,), **listed).reasons == ()
    assert assessed(name, (), **parameters).reasons == ()


def test_words_from_a_third_party_leave_the_class() -> None:
    assert assessed("create_reminder", ("content",), content="pick up the parcel") == Assessment(risk=Risk.R1)


def test_nothing_from_a_third_party_may_be_remembered_where_it_decides() -> None:
    for spec in POOL:
        for name, parameter in spec.parameters.items():
            if parameter.meaning in (Meaning.URL, Meaning.RECIPIENT, Meaning.PHONE_NUMBER, Meaning.AMOUNT):
                value: JsonValue = ["x"] if parameter.type == "list" else "x"
                assert not assessed(spec.name, (name,), **{name: value}).risk.may_be_remembered, (spec.name, name)


def test_trust_never_lowers_a_class() -> None:
    for spec in POOL:
        parameters: dict[str, JsonValue] = dict.fromkeys(spec.parameters, "x")
        trusted = assessed(spec.name, (), **parameters)
        untrusted = assessed(spec.name, tuple(parameters), **parameters)
        assert untrusted.risk >= trusted.risk


def test_every_rule_has_words_in_both_languages() -> None:
    rules = {rule.name for rule in assessment._RULES} | set(assessment._DECIDES.values()) | {"third_party_name"}
    for rule in rules:
        reason = RiskReason(rule=rule, risk=Risk.R5)
        english, chinese = (describe_reason(reason, language) for language in (Language.EN, Language.ZH))
        assert english.isascii() and english != rule
        assert not chinese.isascii()
