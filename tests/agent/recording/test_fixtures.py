"""Recordings of phones as fixtures."""

from pathlib import Path

import pytest

from agent.recording.bundle import OUTPUTS, read_manifest, unread, write_bundle
from agent.recording.recorded import recorded_readers
from agent.recording.recorder import record
from android_bridge.device import Device
from android_bridge.facts.battery import BATTERY
from android_bridge.facts.memory import STORAGE
from heed.errors import UsageError
from tests.conftest import REPO
from tools.fixture import make_fixture


def test_recorded_phones_are_read_as_when_they_were_recorded() -> None:
    phones = (REPO / "tests" / "fixtures" / "phones").glob("*/")
    assert {
        phone.name: unread(phone, recorded_readers()) for phone in phones if unread(phone, recorded_readers())
    } == {}


@pytest.fixture
async def bundle(device: Device, tmp_path: Path) -> Path:
    recording = await record(device, [BATTERY, STORAGE])
    write_bundle(tmp_path / "bundle", recording.manifest, recording.texts)
    return tmp_path / "bundle"


def test_a_bundle_becomes_a_fixture_with_its_source_and_licence(bundle: Path, tmp_path: Path) -> None:
    target = make_fixture(bundle, "pixel8-a14", "A. Contributor", phones=tmp_path)
    assert read_manifest(target) == read_manifest(bundle)
    assert unread(target, recorded_readers()) == []
    line = (tmp_path / "ATTRIBUTION.md").read_text().splitlines()[-1]
    assert line == f"| `pixel8-a14` | {read_manifest(bundle).phone} | A. Contributor | Apache-2.0 |"
    with pytest.raises(UsageError):
        make_fixture(bundle, "pixel8-a14", "A. Contributor", phones=tmp_path)


def test_a_bundle_that_is_read_otherwise_becomes_no_fixture(bundle: Path, tmp_path: Path) -> None:
    output = next(one for one in read_manifest(bundle).outputs if one.command == BATTERY.command)
    (bundle / OUTPUTS / output.file).write_text("cmd: Can't find service: battery\n")
    assert unread(bundle, recorded_readers()) == ["battery"]
    with pytest.raises(UsageError, match="battery"):
        make_fixture(bundle, "broken", "A. Contributor", phones=tmp_path)
    assert not (tmp_path / "broken").exists()


def test_a_folder_without_a_manifest_is_no_bundle(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not a recording"):
        make_fixture(tmp_path, "mine", "A. Contributor", phones=tmp_path / "phones")
