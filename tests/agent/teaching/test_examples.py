"""Twenty examples are taught, each once, on a virtual phone over real adb, and played again on changed ones."""

from pathlib import Path

import pytest

from agent.teaching.slots import compare
from android_bridge.adb import AdbServer
from tests.agent.teaching.changes import CHANGES
from tests.agent.teaching.examples import EXAMPLES, STOPS, Example
from tests.agent.teaching.lessons import Played, new_phone, played, taught
from tests.phones import connected_device
from tests.proof import PROVING

FEW = {"new_contact": ("language", "size"), "no_rotation": ("order",), "text_somebody": ("texts", "dialogue")}
"""The changes that are tried on some examples where not everything is."""


@pytest.mark.parametrize(
    "example", [one for one in EXAMPLES if PROVING or one.name in FEW], ids=lambda example: example.name
)
async def test_what_was_taught_is_done_again_or_stops_and_never_does_something_else(
    example: Example, adb_server: AdbServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = new_phone()
    async with connected_device(phone, adb_server) as device:
        task = await taught(example, phone, device)

    async def play(change: str) -> tuple[Played, bool]:
        other = new_phone()
        with monkeypatch.context() as patch:
            if change:
                CHANGES[change](other, patch)
            async with connected_device(other, adb_server) as device:
                came = await played(example, task, tmp_path, other, device)
            return came, example.done(other.state)

    plain, done = await play("")
    assert done, plain.told
    assert not plain.stopped, plain.told
    for change in CHANGES if PROVING else FEW[example.name]:
        came, done = await play(change)
        assert came.stays_within(plain), (change, came)
        assert done or came.stopped, (change, came.told)
        assert came.stopped is (example.name in STOPS[change]), (change, came.told)


def test_most_plays_on_changed_phones_are_done() -> None:
    """What the documentation says: of 100 plays so many are done, and the others stop."""
    assert (len(EXAMPLES), len(CHANGES)) == (20, 5)
    assert sum(map(len, STOPS.values())) == 43


async def test_a_task_taught_in_two_languages_is_done_in_both(
    adb_server: AdbServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dark = next(one for one in EXAMPLES if one.name == "dark_theme")
    chinese = dark._replace(deeds=(("tap", "深色主题"),))
    learned = []
    for example, change in ((dark, "size"), (chinese, "language")):
        phone = new_phone()
        CHANGES[change](phone, monkeypatch)
        async with connected_device(phone, adb_server) as device:
            learned.append(await taught(example, phone, device))
    both = compare(learned[0].steps, learned[1].steps, same_language=False)
    assert not both.slots
    task = learned[0].model_copy(update={"languages": ("en", "zh"), "steps": both.steps})
    for language in ("en", "zh"):
        phone = new_phone()
        phone.state.identity.language = language
        async with connected_device(phone, adb_server) as device:
            came = await played(dark, task, tmp_path, phone, device)
        assert dark.done(phone.state), came.told


async def test_a_switch_that_is_on_already_stays_on(adb_server: AdbServer, tmp_path: Path) -> None:
    dark = next(one for one in EXAMPLES if one.name == "dark_theme")
    phone = new_phone()
    async with connected_device(phone, adb_server) as device:
        task = await taught(dark, phone, device)
        assert phone.state.display.dark
        came = await played(dark, task, tmp_path, phone, device)
    assert not came.stopped, came.told
    assert not came.changed
    assert phone.state.display.dark
