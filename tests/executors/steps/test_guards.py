"""What the guards permit, and the 500 screens on which they permit nothing."""

import pytest

from android_bridge.ui import Direction
from executors.steps.guards import Halt, HaltReason, Permit, VisibleScreen, judge, shown
from executors.steps.vocabulary import FindStep, Locator, ReadStep, SwipeStep, TapStep, TypeStep
from function_pool.risk import Risk
from heed.language import Language
from tests.executors.steps.hostile import APP, GO, HostileScreen, enter, node, page, screens, tap, window
from virtual_phone.ui.tree import Box

SCREENS = screens()


def seen(*windows: object) -> VisibleScreen:
    return HostileScreen("", list(windows), GO).seen()  # type: ignore[arg-type]


def test_there_are_five_hundred_hostile_screens() -> None:
    assert len(SCREENS) >= 500


@pytest.mark.parametrize("risk", [Risk.R0, Risk.R3])
def test_nothing_is_done_on_a_hostile_screen(risk: Risk) -> None:
    permitted = [
        screen.name for screen in SCREENS if not isinstance(judge(screen.seen(), screen.step, APP, risk), Halt)
    ]
    assert permitted == []


def test_on_the_expected_page_each_step_may_be_done() -> None:
    for step in (GO, tap(Locator(text=("go to CART",))), enter(Locator(id="remark")), FindStep(view=Locator(id="go"))):
        assert isinstance(judge(seen(page()), step, APP, Risk.R3), Permit), step


def test_a_text_in_a_row_is_tapped_in_its_middle_and_reaches_the_row() -> None:
    title = node("text", Box(200, 900, 800, 960), text="Noodle House", tappable=False, resource="name")
    row = node("group", Box(0, 850, 1080, 1100), resource="row", children=[title])
    permit = judge(seen(page(row)), tap(Locator(id="name")), APP, Risk.R3)
    assert isinstance(permit, Permit)
    assert permit.point == (500, 930)
    assert permit.node is not None
    assert permit.node.resource_id.endswith("row")


def test_a_row_is_found_by_a_text_inside_it() -> None:
    rows = [
        node("group", Box(0, top, 1080, top + 100), children=[
            node("text", Box(200, top, 800, top + 90), text=text, tappable=False)])
        for top, text in ((1500, "Bob Li"), (1700, "Bob"))
    ]  # fmt: skip
    permit = judge(seen(page(*rows)), tap(Locator(inside=("Bob",))), APP, Risk.R2)
    assert isinstance(permit, Permit)
    assert permit.point == (540, 1750)


def test_what_a_step_expects_before_it_must_be_there() -> None:
    step = GO.model_copy(update={"before": (Locator(text=("Your basket",)),)})
    halt = judge(seen(page()), step, APP, Risk.R0)
    assert isinstance(halt, Halt)
    assert halt.reason is HaltReason.MISSING


def test_what_a_step_expects_after_it_must_be_there() -> None:
    assert shown(seen(page()), GO, APP) is not None
    arrived = window(node("text", Box(0, 300, 900, 400), text="Cart", resource="next_page", tappable=False))
    assert shown(seen(arrived), GO, APP) is None


def test_a_field_must_show_what_was_typed() -> None:
    step = enter(Locator(id="remark"))
    assert shown(seen(page()), step, APP) is not None
    filled = window(node("field", Box(0, 300, 900, 400), text="Beef noodles", resource="remark"))
    assert shown(seen(filled), step, APP) is None


def test_enter_is_pressed_in_a_search_field() -> None:
    search = window(node("field", Box(0, 300, 900, 400), resource="search_src_text", hint="Search"))
    step = enter(Locator(id="search_src_text"), enter=True)
    assert isinstance(judge(seen(search), step, APP, Risk.R3), Permit)


def test_steps_without_a_view_need_the_app_in_front() -> None:
    away = HostileScreen("", [page()], GO, front="com.other/.Main", focus="com.other/.Main").seen()
    assert isinstance(judge(away, GO, APP, Risk.R0), Halt)


def test_a_tap_must_say_what_it_leads_to() -> None:
    with pytest.raises(ValueError, match="after"):
        TapStep.model_validate({"view": {"id": "go"}, "name": {"en": "x", "zh": "x"}})
    with pytest.raises(ValueError, match="Enter"):
        TypeStep.model_validate({"view": {"id": "q"}, "name": {"en": "x", "zh": "x"}, "text": "a", "enter": True})
    with pytest.raises(ValueError, match="at least one condition"):
        Locator()


def test_a_view_is_tapped_twice_only_where_little_can_happen() -> None:
    twice = GO.model_copy(update={"times": 2})
    assert isinstance(judge(seen(page()), twice, APP, Risk.R1), Permit)
    assert isinstance(judge(seen(page()), twice, APP, Risk.R2), Halt)


def test_a_secret_is_not_read() -> None:
    secret = node("field", Box(100, 1200, 980, 1350), resource="password", text="abc", password=True)
    halt = judge(seen(page(button=secret)), ReadStep(view=Locator(id="password"), into="x"), APP, Risk.R0)
    assert isinstance(halt, Halt)
    assert halt.reason is HaltReason.SECRET


@pytest.mark.parametrize("direction", Direction)
def test_a_row_is_not_swiped_sideways(direction: Direction) -> None:
    row = node(
        "group", Box(0, 1100, 1080, 1300), children=[node("text", Box(0, 1100, 900, 1300), text="Mail from Bob")]
    )
    step = SwipeStep(direction=direction, name={Language.EN: "on", Language.ZH: "滑"}, after=(Locator(id="go"),))
    sideways = direction in (Direction.LEFT, Direction.RIGHT)
    assert isinstance(judge(seen(window(row)), step, APP, Risk.R0), Halt if sideways else Permit)
    plain = window(node("text", Box(0, 1100, 1080, 1300), text="A page", tappable=False))
    assert isinstance(judge(seen(plain), step, APP, Risk.R0), Permit)
