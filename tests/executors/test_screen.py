"""Nothing is opened over a lock screen, a payment or a protected window; silent changes need no screen."""

import pytest

from executors.executor import RefusedError
from executors.plan import OutcomeKind
from tests.executors.acting import Acting

SMS = {"recipient": "Alice Chen", "content": "Hi"}
ALIPAY = "com.eg.android.AlipayGphone"


async def test_a_sleeping_phone_is_not_opened_on(acting: Acting) -> None:
    acting.phone.state.power.sleep()
    with pytest.raises(RefusedError, match="screen is off"):
        await acting.prepare("send_sms", **SMS)


async def test_a_locked_phone_is_not_opened_on(acting: Acting) -> None:
    acting.phone.state.power.sleep()
    acting.phone.state.power.wake()
    with pytest.raises(RefusedError, match="locked"):
        await acting.prepare("send_sms", **SMS)


async def test_a_payment_app_in_front_is_left_alone(acting: Acting) -> None:
    acting.phone.state.open_app(ALIPAY)
    with pytest.raises(RefusedError, match="payment app"):
        await acting.prepare("send_sms", **SMS)


async def test_a_protected_window_in_front_is_left_alone(acting: Acting) -> None:
    contacts = acting.phone.state.apps.find("com.google.android.contacts")
    assert contacts is not None
    contacts.activities[contacts.main].secure = True
    acting.phone.state.open_app(contacts.package)
    with pytest.raises(RefusedError, match="protected window"):
        await acting.prepare("send_sms", **SMS)


async def test_the_screen_is_probed_again_right_before_acting(acting: Acting) -> None:
    plan = await acting.prepare("send_sms", **SMS)
    acting.phone.state.open_app(ALIPAY)
    (outcome,) = await acting.execute(plan)
    assert outcome.kind is OutcomeKind.REFUSED
    assert "payment app" in str(outcome.message)
    assert acting.phone.state.apps.foreground.package == ALIPAY


async def test_a_silent_change_needs_no_screen(acting: Acting) -> None:
    acting.phone.state.power.sleep()
    outcome = await acting.do("set_do_not_disturb", mode="priority")
    assert outcome.kind is OutcomeKind.VERIFIED


async def test_two_sms_apps_without_a_default_let_android_ask(acting: Acting) -> None:
    state = acting.phone.state
    state.settings.delete("secure", "sms_default_application")
    other = state.apps.install("com.example.sms", "Other SMS")
    messaging = state.apps.find("com.google.android.apps.messaging")
    assert messaging is not None
    other.activities |= messaging.activities
    assert (await acting.do("send_sms", **SMS)).kind is OutcomeKind.HANDED_OVER
    assert state.apps.foreground.package == "android"
