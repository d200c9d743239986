"""Which page is opened, what is left to the person, and what happens when it cannot be opened."""

import pytest

from executors.executor import RefusedError
from executors.plan import OutcomeKind, Step
from function_pool.risk import Risk
from tests.executors.acting import Acting
from virtual_phone.shell.call import Program, ProgramCall
from virtual_phone.state.packages import ActivitySpec


async def step_of(acting: Acting, function: str, /, *untrusted: str, **parameters: object) -> Step:
    (step,) = (await acting.prepare(function, untrusted, **parameters)).steps  # type: ignore[arg-type]
    return step


def kinds(step: Step) -> list[str]:
    return [effect.kind for effect in step.effects]


async def test_the_named_apps_page_is_opened_with_the_text_filled_in(acting: Acting) -> None:
    outcome = await acting.do("search_product", keyword="a & b", platform_info="Taobao")
    assert outcome.kind is OutcomeKind.HANDED_OVER
    front = acting.phone.state.apps.foreground
    assert (front.package, front.intent.data) == ("com.taobao.taobao", "taobao://s.taobao.com/search?q=a%20%26%20b")
    assert str(outcome.message) == "Taobao shows the search for “a & b”."


async def test_what_no_page_takes_is_left_to_the_person_and_told(acting: Acting) -> None:
    step = await step_of(
        acting, "order_food_delivery", keyword="pho", platform_info="Meituan", quantity=2, remark="mild"
    )
    assert [effect.kind for effect in step.opening] == ["page", "page_by_hand", "finish_order"]
    assert step.effects[1].detail["fields"] == [["quantity", 2], ["remark", "mild"]]
    assert step.risk is Risk.R3


async def test_payee_and_amount_are_never_filled_in(acting: Acting) -> None:
    step = await step_of(acting, "transfer_money", payee="Alice", amount="737.5", platform_info="Alipay")
    assert "737" not in step.commands[0] and "Alice" not in step.commands[0]
    assert step.effects[1].detail["fields"] == [["payee", "Alice"], ["amount", "737.5"]]


async def test_an_app_that_is_missing_gives_way_to_its_site(acting: Acting) -> None:
    acting.phone.state.apps.uninstall("com.taobao.taobao")
    step = await step_of(acting, "search_product", keyword="socks", platform_info="Taobao")
    assert step.effects[0].kind == "page_web"
    assert step.effects[0].detail["host"] == "m.taobao.com"


async def test_an_app_without_a_site_gives_way_to_its_page_in_the_store(acting: Acting) -> None:
    step = await step_of(acting, "show_payment_code", code_type="pay", platform_info="UnionPay")
    assert kinds(step) == ["page_store"]
    assert "market://details?id=com.unionpay" in step.commands[0]


async def test_nothing_that_could_open_it_is_a_refusal(acting: Acting) -> None:
    acting.phone.state.apps.uninstall("com.eg.android.AlipayGphone")
    vending = acting.phone.state.apps.find("com.android.vending")
    assert vending is not None
    vending.enabled = False
    with pytest.raises(RefusedError, match="Alipay cannot be opened"):
        await acting.prepare("show_payment_code", code_type="pay", platform_info="Alipay")


async def test_without_a_name_the_first_app_that_is_there_is_taken(acting: Acting) -> None:
    step = await step_of(acting, "search_restaurant", keyword="ramen")
    assert step.effects[0].detail["app"] == {"en": "Amap", "zh": "高德地图"}


async def test_an_app_nobody_knows_is_refused(acting: Acting) -> None:
    with pytest.raises(RefusedError, match="no app called 'Foo'"):
        await acting.prepare("search_transport", transport_type="bus", platform_info="Foo")


async def test_a_link_that_the_app_does_not_take_any_more_opens_its_first_page(acting: Acting) -> None:
    taobao = acting.phone.state.apps.find("com.taobao.taobao")
    assert taobao is not None
    taobao.activities["com.taobao.tao.TBMainActivity"] = ActivitySpec(screen="landing")
    step = await step_of(acting, "search_product", keyword="socks", platform_info="Taobao")
    assert kinds(step)[0] == "page_app"


async def test_where_android_asks_which_app_the_question_is_what_is_opened(acting: Acting) -> None:
    other = acting.phone.state.apps.install("org.mozilla.firefox", "Firefox")
    chrome = acting.phone.state.apps.find("com.android.chrome")
    assert chrome is not None
    other.activities["Browser"] = chrome.activities["com.google.android.apps.chrome.IntentDispatcher"]
    outcome = await acting.do("web_search", query="tides", engine="Bing")
    assert outcome.kind is OutcomeKind.HANDED_OVER
    assert acting.phone.state.apps.foreground.package == "android"


async def test_a_page_that_does_not_come_to_the_front_is_a_failure(acting: Acting) -> None:
    async def swallow(call: ProgramCall, program: Program) -> int:
        await call.out("Starting: Intent { }\nStatus: ok\n")
        return 0

    acting.phone.on("am start", swallow)
    outcome = await acting.do("search_product", keyword="socks", platform_info="Taobao")
    assert outcome.kind is OutcomeKind.FAILED
    assert "com.taobao.taobao did not come to the front" in str(outcome.message)


async def test_what_android_refuses_with_exit_status_0_is_refused(acting: Acting) -> None:
    async def refuse(call: ProgramCall, program: Program) -> int:
        await call.out("Error: Activity not started, unable to resolve Intent { act=VIEW }\n")
        return 0

    plan = await acting.prepare("search_product", keyword="socks", platform_info="Taobao")
    acting.phone.on("am start", refuse)
    (outcome,) = await acting.execute(plan)
    assert outcome.kind is OutcomeKind.REFUSED
    assert "No app on the phone opens this" in str(outcome.message)


@pytest.mark.parametrize("function", ["launch_app", "transfer_money", "send_sms", "capture_image", "open_document"])
async def test_nothing_is_opened_on_a_locked_phone(acting: Acting, function: str) -> None:
    from tests.executors.cases import CASES, furnish

    furnish(acting.phone.state)
    acting.phone.state.power.locked = True
    with pytest.raises(RefusedError, match="locked"):
        await acting.prepare(function, **CASES[function][0])


async def test_nothing_is_opened_over_a_payment(acting: Acting) -> None:
    acting.phone.state.apps.open("com.eg.android.AlipayGphone")
    for function, arguments in (("web_search", {"query": "x"}), ("capture_image", {"mode": "screenshot"})):
        with pytest.raises(RefusedError, match="payment app is in front"):
            await acting.prepare(function, **arguments)


async def test_a_strangers_link_is_not_opened(acting: Acting) -> None:
    with pytest.raises(RefusedError, match="text that others wrote"):
        await acting.prepare("web_search", ("url",), query="x", url="https://example.com/")
    step = await step_of(acting, "web_search", query="x", url="https://example.com/")
    assert step.effects[0].detail["host"] == "example.com"


async def test_look_alike_letters_in_a_host_are_shown_as_the_network_sees_them(acting: Acting) -> None:
    step = await step_of(acting, "web_search", query="x", url="https://аpple.com/")  # a Cyrillic letter
    assert step.effects[0].detail["host"] == "xn--pple-43d.com"


async def test_an_address_without_encryption_is_not_opened(acting: Acting) -> None:
    with pytest.raises(RefusedError, match="begin with https"):
        await acting.prepare("web_search", query="x", url="http://example.com/")


async def test_a_meeting_link_leads_to_the_platforms_own_host_or_nowhere(acting: Acting) -> None:
    step = await step_of(
        acting, "join_online_meeting", "meeting_url", platform="Zoom", meeting_url="https://us02web.zoom.us/j/1"
    )
    assert step.risk is Risk.R5
    with pytest.raises(RefusedError, match=r"zoom\.us\.evil\.com is not where Zoom"):
        await acting.prepare("join_online_meeting", platform="Zoom", meeting_url="https://zoom.us.evil.com/j/1")


async def test_a_meeting_of_a_platform_without_a_link_that_heed_knows_is_joined_in_its_app(acting: Acting) -> None:
    acting.phone.state.apps.install("org.jitsi.meet", "Jitsi Meet")
    step = await step_of(acting, "join_online_meeting", platform="Jitsi", meeting_url="https://meet.jit.si/room")
    assert kinds(step) == ["page_app", "page_by_hand", "finish_join"]
    link = "https://acme.webex.com/meet/ann"
    assert kinds(await step_of(acting, "join_online_meeting", platform="Webex", meeting_url=link))[0] == "page_address"
    with pytest.raises(RefusedError, match="is not where Webex"):
        await acting.prepare("join_online_meeting", platform="Webex", meeting_url="https://webex.com.evil.example/")


async def test_a_meetings_password_is_neither_shown_nor_sent(acting: Acting) -> None:
    step = await step_of(acting, "join_online_meeting", platform="Zoom", meeting_id="1", password="hunter2")
    assert "hunter2" not in step.model_dump_json(exclude={"call"})
