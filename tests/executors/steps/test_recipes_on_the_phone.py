"""Recipes played on the virtual phone over real adb and the real uiautomator2 client."""

from executors.plan import OutcomeKind
from executors.wording import describe, describe_outcome
from heed.language import Language
from tests.executors.acting import Acting


async def test_an_order_is_filled_in_and_stands_before_its_last_button(acting: Acting) -> None:
    plan = await acting.prepare("order_food_delivery", keyword="Beef noodles", platform_info="Meituan")
    (step,) = plan.steps
    print([describe(effect, Language.EN) for effect in step.effects])
    print([describe(effect, Language.ZH) for effect in step.effects])
    (outcome,) = await acting.execute(plan)
    print(describe_outcome(outcome, Language.EN))
    print(acting.events)
    assert outcome.kind is OutcomeKind.HANDED_OVER
    assert acting.phone.state.apps.foreground.screen == "checkout"
    assert acting.phone.state.baskets.of("com.sankuai.meituan") == {"beef_noodles": 1}
