"""The events of scenarios that a person's own actions, other people and the network cause."""

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from agent.demo import play_day
from agent.loop.progress import ContextRead, ProgressEvent
from heed.errors import UsageError
from virtual_phone import PhoneState, Scenario, ScenarioPlayer
from virtual_phone.scenario import Persona
from virtual_phone.text_picture import encoded
from virtual_phone.ui import touch
from virtual_phone.ui.screen import Screen

HEAD = "name: x\nstart: 2026-02-06T14:00:00+00:00\ntimezone: Europe/London\n"
CALENDAR = "state:\n  calendar:\n    - {title: Dentist, start: 2026-02-06T16:00:00+00:00}\n"


def load(folder: Path, *events: str, state: str = "") -> Scenario:
    entries = "".join(f"  - {{at: '14:{number:02}', {event}}}\n" for number, event in enumerate(events, start=1))
    path = folder / "scenario.yaml"
    path.write_text(f"{HEAD}{state}timeline:\n{entries}", "utf-8")
    return Scenario.load(path)


def played(folder: Path, *events: str, state: str = "") -> PhoneState:
    scenario = load(folder, *events, state=state)
    phone = scenario.new_state()
    ScenarioPlayer(scenario, phone).play()
    return phone


def test_the_owner_sends_a_text_message(tmp_path: Path) -> None:
    phone = played(tmp_path, 'send_sms: {to: "+44 7700 900111", text: On my way}')
    message = phone.messages.stored[-1]
    assert (message.address, message.body, message.kind) == ("+44 7700 900111", "On my way", 2)
    assert phone.notifications.active == []


def test_a_chat_message_arrives_with_a_notification_and_an_own_one_without(tmp_path: Path) -> None:
    phone = played(
        tmp_path,
        "chat: {app: com.whatsapp, with: Dave, text: 'thurs 8.30 ok?'}",
        "chat: {app: com.whatsapp, with: Dave, text: fine, own: true}",
    )
    assert [(line.text, line.own) for line in phone.chats.of("com.whatsapp", "Dave")] == [
        ("thurs 8.30 ok?", False),
        ("fine", True),
    ]
    assert [one.title for one in phone.notifications.active] == ["Dave"]


def test_an_e_mail_arrives_with_a_notification(tmp_path: Path) -> None:
    phone = played(tmp_path, "mail: {from: Craig, subject: Rev C, text: The plan is attached.}")
    assert [(letter.subject, letter.body) for letter in phone.mail.letters][-1] == ("Rev C", "The plan is attached.")
    assert "Craig" in [one.title for one in phone.notifications.active]


def test_the_owner_dials_and_hangs_up(tmp_path: Path) -> None:
    phone = played(tmp_path, 'call: {to: "+44 7700 900111", action: dial}', "call: {action: hang_up}")
    assert phone.calls.current is None
    assert (phone.calls.log[-1].number, phone.calls.log[-1].kind) == ("+44 7700 900111", 2)


def test_an_appointment_is_deleted_and_an_unknown_one_stops_the_scenario(tmp_path: Path) -> None:
    phone = played(tmp_path, "calendar_delete: {title: Dentist}", state=CALENDAR)
    assert phone.calendar.events == []
    with pytest.raises(UsageError, match="No calendar event is called 'Doctor'"):
        played(tmp_path, "calendar_delete: {title: Doctor}", state=CALENDAR)


def test_the_owner_changes_do_not_disturb_and_the_ringer(tmp_path: Path) -> None:
    phone = played(tmp_path, "do_not_disturb: priority", "ringer: vibrate")
    assert (phone.dnd.mode, phone.audio.ringer) == ("priority", "vibrate")
    with pytest.raises(UsageError, match=r"line 5: .*ringer"):
        load(tmp_path, "ringer: loud")


def test_radios_are_switched_each_by_itself(tmp_path: Path) -> None:
    phone = played(
        tmp_path,
        "radio: {airplane: true}",
        "radio: {airplane: false, wifi: false, bluetooth: true, mobile_data: false}",
        "radio: {nfc: true, location: false, hotspot: true}",
    )
    network = phone.network
    assert (network.airplane, network.wifi, network.mobile_data, network.nfc, network.hotspot) == (
        False, False, False, True, True,
    )  # fmt: skip
    assert (phone.bluetooth.enabled, phone.location.enabled) == (True, False)


def test_the_phone_shows_the_same_moment_in_another_time_zone(tmp_path: Path) -> None:
    phone = played(tmp_path, "timezone: America/New_York")
    assert f"{phone.clock.wall():%H:%M %z}" == "09:01 -0500"
    assert phone.identity.timezone == "America/New_York"
    with pytest.raises(UsageError, match="expected a time zone"):
        load(tmp_path, "timezone: Mars/Base")


@pytest.mark.parametrize("name", ["notice.png", "notice.jpg", "notice.webp"])
def test_a_picture_file_shows_its_text(tmp_path: Path, name: str) -> None:
    phone = played(tmp_path, f"media: {{name: {name}, size: 100, shows: 'Hall B, 家长会 17:30'}}")
    (item,) = [item for item in phone.media.items if item.name == name]
    contents = phone.files.read(item.path).read()
    assert contents == encoded("Hall B, 家长会 17:30", Path(name).suffix)
    picture = Image.open(BytesIO(contents))
    assert picture.size == (1080, 2400)
    ink = ImageChops.invert(picture.convert("L")).point(lambda tone: 255 * (tone > 128)).getbbox()
    assert ink is not None
    assert ink[2] - ink[0] > 300


def test_a_long_text_fits_into_its_picture() -> None:
    short, long = (Image.open(BytesIO(encoded(text, ".png"))) for text in ("word", "many words " * 400))
    dark = [sum(image.convert("L").histogram()[:128]) for image in (short, long)]
    assert dark[1] > 50 * dark[0]


def test_the_gallery_shows_the_text_of_a_picture(tmp_path: Path) -> None:
    blank, notice = (
        played(tmp_path, f"media: {{name: a.png, shows: '{text}'}}", "open_app: {app: com.google.android.apps.photos}")
        for text in ("", "Hall B 17:30")
    )
    assert Screen(blank).image().tobytes() != Screen(notice).image().tobytes()
    place = Screen(notice).find("a.png")
    assert place is not None
    touch.tap(Screen(notice), notice, *place)
    glyphs = [node.style.glyph for node in Screen(notice).app_window().root.walk() if node.description == "a.png"]
    assert glyphs == ["text-Hall B 17:30"]


def test_quiet_hours_are_two_times_of_day() -> None:
    assert Persona(quiet_hours="22:30-07:00").quiet_hours
    with pytest.raises(ValueError, match="pattern"):
        Persona(quiet_hours="late")


async def test_radios_reach_the_agent_as_triggers_and_other_switches_with_the_next_context(tmp_path: Path) -> None:
    scenario = load(
        tmp_path,
        "radio: {airplane: true}",
        "ringer: silent",
        "do_not_disturb: priority",
        "timezone: America/New_York",
        "screen: {to: 'off'}",
    )
    contexts = []

    def listen(event: ProgressEvent) -> None:
        if isinstance(event, ContextRead):
            contexts.append(event.context)

    async for _ in play_day(tmp_path, scenario=scenario, listen=listen):
        pass
    assert [str(context.trigger.kind) for context in contexts] == ["connectivity", "screen"]
    last = contexts[-1]
    assert f"{last.now:%H:%M}" == "09:05"
    assert {last.value("ringer.mode"), last.value("dnd.mode")} == {"silent", "priority"}
