"""Steps that a model on a real HTTP server proposes, on the virtual phone over real adb and uiautomator2."""

from pathlib import Path

from android_bridge.device import Device
from executors.plan import OutcomeKind
from executors.wording import describe, describe_outcome
from heed.language import Language
from tests.executors.acting import WatchedPhone
from tests.executors.proposals.scripted import FINISH, operated, tap

MEITUAN = "com.sankuai.meituan"
ORDER = {"keyword": "Beef noodles", "platform_info": "Meituan"}


async def test_a_model_fills_an_order_in_and_finishes(phone: WatchedPhone, device: Device, tmp_path: Path) -> None:
    to_the_cart = (tap("Noodle"), tap("One more Beef noodles"), tap("Go to cart"), tap("Checkout"), FINISH)
    async with operated(phone, device, tmp_path, *to_the_cart) as (acting, script):
        plan = await acting.prepare("order_food_delivery", **ORDER)
        asked = [describe(effect, Language.EN) for effect in plan.steps[0].effects]
        assert "up to 8 steps" in asked[-1] and "keyword = Beef noodles" in asked[-1]
        (outcome,) = await acting.execute(plan)

    assert outcome.kind is OutcomeKind.HANDED_OVER
    assert describe_outcome(outcome, Language.EN).endswith("The model says that it is prepared: check the screen.")
    assert phone.state.baskets.of(MEITUAN) == {"beef_noodles": 1}
    assert phone.state.apps.foreground.screen == "checkout"
    did = acting.progress().did
    assert [describe(one.effect, Language.EN, done=True) for one in did][0] == "Tapped “Noodle House”."
    assert len({one.picture.sha256 for one in did}) == 5
    assert all(Path(one.picture.path).is_file() for one in did)
