"""Battery saver, and the level at which it turns on by itself."""

import pytest

from executors.executor import RefusedError
from executors.plan import OutcomeKind
from function_pool.risk import Risk
from tests.executors.acting import Acting, WatchedPhone, difference


@pytest.fixture
def phone(phone: WatchedPhone) -> WatchedPhone:
    phone.state.battery.set(level=15, plugged=False)
    return phone


async def test_it_turns_on_and_off_again(acting: Acting) -> None:
    before = acting.state()
    outcome = await acting.do("set_power_saving_mode", enabled=True)
    assert outcome.kind is OutcomeKind.VERIFIED
    assert difference(before, acting.state()) == {"power.saver": (False, True)}
    assert (await acting.undo()).kind is OutcomeKind.VERIFIED
    assert difference(before, acting.state()) == {}


async def test_the_plan_tells_command_effect_risk_and_undo(acting: Acting) -> None:
    plan = await acting.prepare("set_power_saving_mode", enabled=True)
    (step,) = plan.steps
    assert step.commands == ("cmd power set-mode 1",)
    assert [effect.kind for effect in step.effects] == ["power_saving_on"]
    assert [effect.kind for effect in step.undo] == ["power_saving_off"]
    assert step.risk is Risk.R1


async def test_a_level_is_set_too_and_restored_exactly(acting: Acting) -> None:
    before = acting.state()
    await acting.do("set_power_saving_mode", enabled=True, trigger_level=20)
    level = "settings.stored.global.low_power_trigger_level"
    assert difference(before, acting.state()) == {"power.saver": (False, True), level: ("0", "20")}
    await acting.undo()
    assert difference(before, acting.state()) == {}


async def test_on_when_it_is_on_is_nothing_to_do(acting: Acting) -> None:
    acting.phone.state.power.set_saver(True)
    before = acting.state()
    assert (await acting.do("set_power_saving_mode", enabled=True)).kind is OutcomeKind.ALREADY
    assert difference(before, acting.state()) == {}


async def test_a_charging_phone_refuses_with_the_reason(acting: Acting) -> None:
    acting.phone.state.battery.set(plugged=True)
    with pytest.raises(RefusedError, match="charging"):
        await acting.prepare("set_power_saving_mode", enabled=True)


async def test_it_can_be_turned_off_while_charging(acting: Acting) -> None:
    acting.phone.state.battery.set(plugged=True)
    assert (await acting.do("set_power_saving_mode", enabled=False)).kind is OutcomeKind.ALREADY


async def test_the_vendors_extreme_mode_is_left_to_the_person(acting: Acting) -> None:
    outcome = await acting.do("set_power_saving_mode", enabled=True, mode="extreme")
    assert outcome.kind is OutcomeKind.HANDED_OVER
    assert acting.phone.state.apps.foreground.package == "com.android.settings"
    assert not acting.phone.state.power.saver
