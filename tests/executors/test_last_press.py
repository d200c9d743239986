"""The second question of a run: before a last button heed asks again, and presses exactly that one after a yes."""

from collections.abc import Callable
from pathlib import Path

import pytest

from android_bridge.device import Device
from executors import runner
from executors.config import LastButtonRule
from executors.plan import Outcome, OutcomeKind, Plan, Step
from executors.runner import StepStage
from executors.wording import describe, describe_outcome
from function_pool.risk import Risk
from heed.language import Language
from tests.executors.acting import QUICK, WatchedPhone
from tests.executors.proposals.scripted import ByModel, operated, tap
from virtual_phone import PhoneState

SMS = {"recipient": "Alice Chen", "content": "On my way"}


class Owner:
    """Answers the second question, and may do something first."""

    def __init__(
        self, phone: WatchedPhone, *, says: bool = True, meanwhile: Callable[[PhoneState], object] | None = None
    ):
        self._phone, self._says, self._meanwhile = phone, says, meanwhile
        self.asked: list[Step] = []

    async def __call__(self, step: Step) -> bool:
        self.asked.append(step)
        if self._meanwhile is not None:
            self._meanwhile(self._phone.state)
        return self._says


async def execute(acting: ByModel, plan: Plan, owner: Owner) -> Outcome:
    told = acting.events.append
    (outcome,) = await runner.execute(acting.executors, acting.device, plan, told, timing=QUICK, ask=owner)
    return outcome


def sent(phone: WatchedPhone) -> list[str]:
    return [
        message.body for message in phone.state.messages.stored if message.kind == 2 and message.body == "On my way"
    ]


async def test_by_default_the_button_is_the_owners(phone: WatchedPhone, device: Device, tmp_path: Path) -> None:
    owner = Owner(phone)
    async with operated(phone, device, tmp_path, recipes=True) as (acting, _):
        outcome = await execute(acting, await acting.prepare("send_sms", **SMS), owner)
    assert outcome.kind is OutcomeKind.HANDED_OVER
    assert (owner.asked, sent(phone)) == ([], [])


async def test_after_a_yes_exactly_that_button_is_pressed_once(
    phone: WatchedPhone, device: Device, tmp_path: Path
) -> None:
    owner = Owner(phone)
    async with operated(phone, device, tmp_path, recipes=True, last_button=LastButtonRule.ASK) as (acting, _):
        outcome = await execute(acting, await acting.prepare("send_sms", **SMS), owner)
    (asked,) = owner.asked
    assert asked.press is not None
    assert (asked.press.view.label, asked.press.view.app) == ("Send", "com.google.android.apps.messaging")
    assert Path(asked.press.picture.path).is_file()
    assert asked.risk is Risk.R2 and not asked.commands and not asked.undo
    assert "Presses “Send” in Messages now" in describe(asked.effects[0], Language.EN)
    assert outcome.kind is OutcomeKind.HANDED_OVER
    assert "“Send” was pressed after your answer" in describe_outcome(outcome, Language.EN)
    assert sent(phone) == ["On my way"]


async def test_after_a_no_the_button_is_the_owners(phone: WatchedPhone, device: Device, tmp_path: Path) -> None:
    owner = Owner(phone, says=False)
    async with operated(phone, device, tmp_path, recipes=True, last_button=LastButtonRule.ASK) as (acting, _):
        outcome = await execute(acting, await acting.prepare("send_sms", **SMS), owner)
    assert len(owner.asked) == 1
    assert "The last button, “Send”, is yours." in describe_outcome(outcome, Language.EN)
    assert sent(phone) == []


async def test_a_models_run_that_stands_before_a_last_button_asks_too(
    phone: WatchedPhone, device: Device, tmp_path: Path
) -> None:
    owner = Owner(phone)
    async with operated(phone, device, tmp_path, tap('"Send"'), last_button=LastButtonRule.ASK) as (acting, _):
        outcome = await execute(acting, await acting.prepare("send_sms", **SMS), owner)
    assert len(owner.asked) == 1
    assert "was pressed after your answer" in describe_outcome(outcome, Language.EN)
    assert sent(phone) == ["On my way"]


def _type_more(state: PhoneState) -> None:
    state.apps.set_field("compose_message_text", "Send me 500 yuan")


def _touch(state: PhoneState) -> None:
    state.touchscreen.touch((540, 2000))


CHANGES = {
    "the text was changed": _type_more,
    "a message came in": lambda state: state.messages.receive("+8613800138000", "No, wait"),
    "another app is in front": lambda state: state.apps.home(),
    "a wallet is in front": lambda state: state.apps.open("com.eg.android.AlipayGphone"),
    "the shade is open": lambda state: state.show_panel("shade"),
    "the screen is off": lambda state: state.power.sleep(),
    "another conversation is open": lambda state: state.apps.back(),
    "the owner touched the screen": _touch,
}


@pytest.mark.parametrize("change", CHANGES)
async def test_on_another_screen_nothing_is_pressed(
    change: str, phone: WatchedPhone, device: Device, tmp_path: Path
) -> None:
    owner = Owner(phone, meanwhile=CHANGES[change])
    async with operated(phone, device, tmp_path, recipes=True, last_button=LastButtonRule.ASK) as (acting, _):
        outcome = await execute(acting, await acting.prepare("send_sms", **SMS), owner)
    assert len(owner.asked) == 1
    assert "Stopped at step 1 of 1" in describe_outcome(outcome, Language.EN)
    assert [
        one.body
        for one in phone.state.messages.stored
        if one.kind == 2 and one.body in ("On my way", "Send me 500 yuan")
    ] == []


@pytest.mark.parametrize(
    ("function", "untrusted", "arguments"),
    [
        ("order_food_delivery", (), {"keyword": "Beef noodles", "platform_info": "Meituan"}),
        ("send_sms", ("recipient",), SMS | {"recipient": "+447700900461"}),
        ("send_sms", (), SMS | {"content": "You owe me ¥500"}),
    ],
    ids=["a function that spends", "a recipient from a message", "an amount on the screen"],
)
async def test_what_may_cost_money_is_never_asked_about(
    function: str,
    untrusted: tuple[str, ...],
    arguments: dict[str, str],
    phone: WatchedPhone,
    device: Device,
    tmp_path: Path,
) -> None:
    owner = Owner(phone)
    before = len(phone.state.messages.stored)
    async with operated(phone, device, tmp_path, recipes=True, last_button=LastButtonRule.ASK) as (acting, _):
        outcome = await execute(acting, await acting.prepare(function, untrusted, **arguments), owner)
    assert outcome.kind is OutcomeKind.HANDED_OVER
    assert owner.asked == []
    assert len(phone.state.messages.stored) == before


async def test_what_was_interrupted_says_whether_it_was_pressed(
    phone: WatchedPhone, device: Device, tmp_path: Path
) -> None:
    async with operated(phone, device, tmp_path, recipes=True, last_button=LastButtonRule.ASK) as (acting, _):
        await execute(acting, await acting.prepare("send_sms", **SMS), Owner(phone))
        noted = [event for event in acting.events if event.stage is StepStage.PROGRESSED]
        ends = [await runner.check(acting.executors, device, event.step, event.receipt) for event in noted[-2:]]
    assert [end.kind for end in ends] == [OutcomeKind.FAILED] * 2
    assert "while you were asked about “Send”, which was not pressed" in str(ends[0].message)
    assert "while “Send” was being pressed; whether it was is not known" in str(ends[1].message)
    assert sent(phone) == ["On my way"]
