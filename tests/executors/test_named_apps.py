"""Apps that a call names and the pool does not list: found among those on the phone and opened, or refused."""

import pytest

from executors.apps import installed_app
from executors.executor import RefusedError
from executors.plan import OutcomeKind
from function_pool.risk import Risk
from function_pool.spec import default_pool
from tests.executors.acting import Acting
from tests.executors.cases import CASES, furnish
from virtual_phone.state.intents import IntentFilter
from virtual_phone.state.packages import ActivitySpec


def front(acting: Acting) -> str:
    return acting.phone.state.apps.foreground.package


async def test_a_named_app_of_the_table_is_opened_and_its_owner_finishes(acting: Acting) -> None:
    acting.phone.state.apps.install("com.deliveroo.orderapp", "Deliveroo")
    outcome = await acting.do("order_food_delivery", keyword="pho", platform_info="Deliveroo", quantity=2)
    assert outcome.kind is OutcomeKind.HANDED_OVER
    assert front(acting) == "com.deliveroo.orderapp"
    assert str(outcome.message).startswith("Deliveroo is open: find the search for “pho” there.")
    assert acting.step.effects[1].detail["fields"] == [["keyword", "pho"], ["quantity", 2]]


async def test_an_app_that_no_table_has_is_found_by_its_package_which_the_owner_sees(acting: Acting) -> None:
    acting.phone.state.apps.install("com.wolt.android", "Wolt")
    outcome = await acting.do("order_food_delivery", keyword="pho", platform_info="wolt")
    assert outcome.kind is OutcomeKind.HANDED_OVER
    assert front(acting) == "com.wolt.android"
    assert acting.step.effects[0].detail["app"] == {"en": "wolt (com.wolt.android)", "zh": "wolt (com.wolt.android)"}


@pytest.mark.parametrize(
    ("platform", "told"),
    [
        ("Deliveroo", "Deliveroo is not installed on this phone."),
        ("Nonesuch", "heed finds no app called 'Nonesuch' on this phone."),
        ("https://shop.example/", "heed finds no app called"),
    ],
)
async def test_an_app_that_is_not_there_is_refused_with_a_remedy(acting: Acting, platform: str, told: str) -> None:
    with pytest.raises(RefusedError, match=told) as refused:
        await acting.prepare("order_food_delivery", keyword="pho", platform_info=platform)
    assert str(refused.value.remedy).startswith("Install it")


async def test_a_word_that_is_listed_and_names_no_app_is_not_looked_for(acting: Acting) -> None:
    acting.phone.state.apps.install("com.example.bankapp", "Bank")
    with pytest.raises(RefusedError, match="bank app cannot be opened"):
        await acting.prepare("transfer_money", payee="Ann", amount="20", platform_info="bank app")


async def test_an_app_without_a_page_for_the_kind_of_code_is_opened(acting: Acting) -> None:
    step = (await acting.prepare("show_transit_code", code_type="tram", platform_info="Alipay")).steps[0]
    assert step.effects[0].kind == "page_app"
    with pytest.raises(RefusedError, match="There is no page for that"):
        await acting.prepare("show_transit_code", code_type="tram")


async def test_a_name_from_a_stranger_is_marked(acting: Acting) -> None:
    acting.phone.state.apps.install("com.wolt.android", "Wolt")
    plan = await acting.prepare("play_video", ("app_name",), query="lofi", app_name="Wolt")
    assert [(reason.rule, reason.parameter) for reason in plan.steps[0].reasons] == [("third_party_name", "app_name")]
    assert plan.steps[0].risk is Risk.R2


async def test_a_chat_app_that_is_not_listed_gets_the_text(acting: Acting) -> None:
    app = acting.phone.state.apps.install("com.viber.voip", "Viber")
    takes = IntentFilter(action=["android.intent.action.SEND"], type=["text/plain"])
    app.activities[".ShareActivity"] = ActivitySpec(screen="landing", handles=[takes])
    outcome = await acting.do("send_instant_message", recipient="Bob", content="Lunch?", app_name="Viber")
    assert outcome.kind is OutcomeKind.HANDED_OVER
    assert acting.phone.state.apps.foreground.intent.extras["android.intent.extra.TEXT"] == "Lunch?"


async def test_a_smart_home_app_that_is_not_listed_is_opened(acting: Acting) -> None:
    acting.phone.state.apps.install("com.tado", "tado°")
    outcome = await acting.do("control_smart_device", device_name="Bedroom", action="turn_off", platform="Tado")
    assert outcome.kind is OutcomeKind.HANDED_OVER
    assert front(acting) == "com.tado"


OPEN = [(spec.name, name) for spec in default_pool() for name, parameter in spec.parameters.items() if parameter.open]


@pytest.mark.parametrize(("function", "parameter"), OPEN, ids=[f"{function}.{name}" for function, name in OPEN])
async def test_every_open_parameter_leads_to_an_app_or_to_a_refusal(
    acting: Acting, function: str, parameter: str
) -> None:
    furnish(acting.phone.state)
    arguments = {**CASES[function][0], parameter: "Nonesuch"}
    try:
        plan = await acting.prepare(function, **arguments)
    except RefusedError as refused:
        assert "Nonesuch" in str(refused.message)
        assert refused.remedy
    else:  # a carrier is told to the owner, who looks for the parcel
        assert (function, parameter) == ("track_package", "carrier")
        assert plan.steps[0].effects[1].detail["fields"] == [
            ["tracking_number", "SF1234567890"],
            ["carrier", "Nonesuch"],
        ]


@pytest.mark.parametrize(
    ("text", "package"),
    [
        ("Wolt", "com.wolt.android"),
        ("the-wolt", None),
        ("Bolt Food", "com.bolt_food.client"),
        ("android", None),
        ("com", None),
        ("ferry", None),
        ("com.ferry.one", "com.ferry.one"),
    ],
)
def test_a_package_is_named_by_one_of_its_parts_if_no_other_is(text: str, package: str | None) -> None:
    packages = frozenset({"com.wolt.android", "com.bolt_food.client", "com.ferry.one", "no.ferry.two"})
    if package is not None:
        assert installed_app(text, packages).package == package
    else:
        with pytest.raises(RefusedError, match="finds no app called"):
            installed_app(text, packages)
