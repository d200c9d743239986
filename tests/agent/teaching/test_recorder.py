"""What is not recorded, and what ends a recording."""

import asyncio

import pytest

from agent.teaching.recorder import is_secret_field
from agent.teaching.recording import TeachingError
from agent.teaching.steps import learn
from android_bridge.device import Device
from executors.recipes.recipe import Recipe
from executors.steps.vocabulary import FinishStep, TypeStep
from tests.agent.teaching.person import Deed, Person
from virtual_phone import VirtualPhone
from virtual_phone.scenario.touch_events import TapEvent

ZOOM = "us.zoom.videomeetings"
CONTACTS = "com.google.android.contacts"
JOIN: tuple[Deed, ...] = (("tap", "Meeting ID"), ("type", "42"), ("tap", "Passcode"), ("secret", "opensesame"))


async def test_what_is_typed_into_a_password_field_is_nowhere(phone: VirtualPhone, device: Device) -> None:
    recording = await Person(phone, (*JOIN, ("tap", "Join"))).teach(device, ZOOM)
    assert "opensesame" not in repr(recording)
    lesson = learn(recording)
    assert [step.text for step in lesson.steps if isinstance(step, TypeStep)] == ["42"]
    assert isinstance(lesson.steps[-1], FinishStep)
    assert "passwords" in lesson.steps[-1].reached["en"]  # type: ignore[index]
    assert Recipe(app=ZOOM, steps=lesson.steps, source="here").slots == frozenset()


async def test_a_protected_window_ends_the_recording(phone: VirtualPhone, device: Device) -> None:
    phone.state.apps.install("com.example.secret", "Secret", screen="sign_in", secure=True)
    with pytest.raises(TeachingError, match="protected"):
        await Person(phone, [("tap", "User name")]).teach(device, "com.example.secret")


async def test_a_touch_on_a_screen_that_was_not_read_yet_ends_the_recording(
    phone: VirtualPhone, device: Device
) -> None:
    person = Person(phone, [("tap", "Create contact")])
    do = person.do

    def twice(kind: str, *words: str) -> None:
        do(kind, *words)
        asyncio.get_running_loop().call_later(0.05, TapEvent(text="Save").apply, phone.state)

    person.do = twice  # type: ignore[method-assign]
    with pytest.raises(TeachingError, match="before heed had read it"):
        await person.teach(device, CONTACTS)


async def test_leaving_the_app_ends_the_recording_before_the_touch_that_did(
    phone: VirtualPhone, device: Device
) -> None:
    deeds = [("tap", "Alice Chen"), ("tap", "Text message"), ("tap", "never reached")]
    person = Person(phone, deeds)
    lesson = learn(await person.teach(device, CONTACTS))
    finish = lesson.steps[-1]
    assert isinstance(finish, FinishStep)
    assert finish.last_button is not None
    assert any("left the app" in str(note) for note in lesson.notes)


async def test_a_switch_that_is_on_already_stays_on(phone: VirtualPhone, device: Device) -> None:
    lesson = learn(await Person(phone, [("tap", "Dark theme")]).teach(device, "com.android.settings"))
    [tap] = [step for step in lesson.steps if step.do == "tap"]
    assert tap.unless == tap.after
    assert tap.unless[0].checked


async def test_doing_nothing_teaches_nothing(phone: VirtualPhone, device: Device) -> None:
    with pytest.raises(TeachingError, match="Nothing was done"):
        learn(await Person(phone, []).teach(device, CONTACTS))


async def test_a_field_for_a_code_is_secret_by_its_words(phone: VirtualPhone, device: Device) -> None:
    recording = await Person(phone, JOIN[:2]).teach(device, ZOOM)
    field = recording.moments[-1].typed[0].field
    assert not is_secret_field(field)
    for words in ({"description": "Verification code"}, {"text": "PIN"}, {"resource_id": f"{ZOOM}:id/otp_code"}):
        assert is_secret_field(field.model_copy(update=words))


async def test_a_key_of_a_keyboard_without_views_is_no_touch_of_the_app(phone: VirtualPhone, device: Device) -> None:
    person = Person(phone, [("tap", "Create contact"), ("tap", "Name"), ("key", "B"), ("tap", "Phone")])
    do = person.do

    def over_the_app(kind: str, *words: str) -> None:
        if kind == "key":  # a finger on the app's page, where the keyboard of another app would lie
            phone.state.touchscreen.touch((540, 1200))
        do(kind, *words)

    person.do = over_the_app  # type: ignore[method-assign]
    steps = learn(await person.teach(device, CONTACTS)).steps
    assert [step.do for step in steps] == ["tap", "type", "finish"]
    assert isinstance(steps[1], TypeStep)
    assert steps[1].text == "b"


async def test_going_home_or_back_out_of_the_app_ends_the_recording(phone: VirtualPhone, device: Device) -> None:
    for way in ("back", "home"):
        person = Person(phone, [("tap", "Dark theme"), (way,), ("tap", "never reached")])
        lesson = learn(await person.teach(device, "com.android.settings"))
        assert [step.do for step in lesson.steps] == ["scroll_to", "tap", "finish"]
        assert lesson.notes
