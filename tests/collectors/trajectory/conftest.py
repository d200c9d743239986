"""A recorder that waits briefly, and its configuration."""

from pathlib import Path

import pytest

from collectors.config import CollectorsConfig, FramesConfig
from collectors.trajectory import recorder


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorder, "SETTLE_S", 0.05)
    monkeypatch.setattr(recorder, "TYPING_LOOK_S", 0.2)


@pytest.fixture
def config(tmp_path: Path) -> CollectorsConfig:
    profile = tmp_path / "profile.yaml"
    profile.write_text("locations: {home: {latitude: 31.2304, longitude: 121.4737}}")
    return CollectorsConfig(
        profile=profile,
        behaviour_log=tmp_path / "log.jsonl",
        frames_folder=tmp_path / "frames",
        excluded_apps=frozenset({"my.diary"}),
        frames=FramesConfig(per_context=10),
    )
