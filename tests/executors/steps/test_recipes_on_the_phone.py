"""Recipes as parts of plans, on the virtual phone over real adb and the real uiautomator2 client."""

from pathlib import Path

import pytest

from android_bridge.adb import AdbServer
from executors import runner
from executors.config import ExecutorsConfig
from executors.plan import OutcomeKind
from executors.recipes.recipe import builtin_recipes, read_recipes
from executors.runner import StepStage
from executors.wording import describe, describe_outcome
from heed.errors import UsageError
from heed.language import Language
from tests.executors.acting import Acting, WatchedPhone
from tests.phones import connected_device
from virtual_phone.ui.screens.form import PRESSED

ORDER = {"keyword": "Beef noodles", "platform_info": "Meituan"}
OWN = """
- app: com.sankuai.meituan
  source: this test
  steps:
    - do: tap
      view: {id: restaurant, first: true}
      name: {en: a restaurant, zh: 餐厅}
      after: [{id: line, first: true}]
    - {do: finish, before: [{id: line, first: true}], reached: {en: The menu is open., zh: 菜单已打开。}}
"""


def test_every_recipe_of_heed_is_valid() -> None:
    assert len(builtin_recipes()) >= 35


async def test_an_order_is_filled_in_and_stands_before_its_last_button(acting: Acting) -> None:
    plan = await acting.prepare("order_food_delivery", **ORDER)
    asked = [describe(effect, Language.EN) for effect in plan.steps[0].effects]
    assert "Taps the first restaurant found." in asked
    assert asked[-1] == "Stops before “Place order”, which you press yourself."
    (outcome,) = await acting.execute(plan)
    assert outcome.kind is OutcomeKind.HANDED_OVER
    assert describe_outcome(outcome, Language.EN).endswith(
        "The order is filled in. The last button, “Place order”, is yours."
    )
    assert acting.phone.state.apps.foreground.screen == "checkout"
    assert acting.phone.state.baskets.of("com.sankuai.meituan") == {"beef_noodles": 1}


async def test_consent_binds_to_the_steps(phone: WatchedPhone, adb_server: AdbServer, tmp_path: Path) -> None:
    async with connected_device(phone, adb_server) as device:
        plain = Acting(phone, device, ExecutorsConfig(recipes=False))
        (tmp_path / "order_food_delivery.yaml").write_text(OWN, "utf-8")
        own = Acting(phone, device, ExecutorsConfig(recipe_folder=tmp_path))
        hashes = [
            (await one.prepare("order_food_delivery", **ORDER)).hash for one in (plain, own, Acting(phone, device))
        ]
        assert len(set(hashes)) == 3
        told = await own.do("order_food_delivery", **ORDER)
        assert describe_outcome(told, Language.ZH).endswith("菜单已打开。")
        (tmp_path / "order_food_delivery.yaml").write_text(OWN.replace("id: line", "id: count"), "utf-8")
        changed = Acting(phone, device, ExecutorsConfig(recipe_folder=tmp_path))
        plan = await own.prepare("order_food_delivery", **ORDER)
        (outcome,) = await changed.execute(plan)
        assert outcome.kind is OutcomeKind.REFUSED


async def test_a_run_that_stops_says_where_and_leaves_the_app_open(acting: Acting) -> None:
    acting.phone.state.baskets.put("com.sankuai.meituan", "milk_tea", 1)
    outcome = await acting.do("order_food_delivery", keyword="牛肉面", platform_info="Meituan")
    assert outcome.kind is OutcomeKind.HANDED_OVER
    assert "Stopped at step 2 of 6: “牛肉面” is not in the list." in describe_outcome(outcome, Language.EN)
    assert acting.phone.state.apps.foreground.screen == "menu"


async def test_a_killed_run_is_not_resumed_and_says_what_was_half_done(acting: Acting) -> None:
    plan = await acting.prepare("order_food_delivery", **ORDER)
    await acting.execute(plan)
    noted = [event for event in acting.events if event.stage is StepStage.PROGRESSED]
    assert len(noted) == 6
    acting.phone.ran.clear()
    receipt = noted[2].receipt
    outcome = await runner.check(acting.executors, acting.device, noted[2].step, receipt)
    assert outcome.kind is OutcomeKind.FAILED
    assert "interrupted at step 3 of 6" in str(outcome.message)
    assert not [words for words in acting.phone.ran if words[0] in ("input", "am", "app_process")]


async def test_no_recipe_of_heed_presses_a_last_button(acting: Acting) -> None:
    calls = [
        ("join_online_meeting", {"platform": "Zoom", "meeting_id": "123456789", "password": "abc"}),
        ("start_workout", {"sport_type": "running", "app_name": "Google Fit"}),
    ]
    for function, arguments in calls:
        outcome = await acting.do(function, **arguments)
        assert "is yours" in describe_outcome(outcome, Language.EN)
        fields = acting.phone.state.apps.foreground.fields
        assert PRESSED not in fields
        assert "meeting_passcode" not in fields


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- {app: com.x, source: x, steps: []}", "steps"),
        ("- {app: com.x, source: x, steps: [{do: home}]}", "the last step"),
        (OWN.replace("a restaurant", "'{nobody}'"), "nobody"),
        (OWN.replace("do: tap", "do: dance"), "dance"),
        (OWN.replace("source", "versions: latest\n  source"), "versions"),
        ("just text", "no list"),
        ("- {", "no YAML"),
    ],
)
def test_a_file_that_is_no_list_of_recipes_is_refused_with_the_reason(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read_recipes(text, "order_food_delivery", "order_food_delivery.yaml")
