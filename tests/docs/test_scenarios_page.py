"""The scenario of docs/scenarios.md is played as the page says."""

import re
from pathlib import Path

import pytest

from agent.demo import play_day
from heed.errors import UsageError
from tests.conftest import REPO
from virtual_phone import Scenario

PAGE = (REPO / "docs" / "scenarios.md").read_text("utf-8")


def written(folder: Path, change: tuple[str, str] = ("", "")) -> Path:
    found = re.search(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    path = folder / "evening.yaml"
    path.write_text(found[1].replace(*change), "utf-8")
    return path


async def test_its_scenario_goes_as_it_expects(tmp_path: Path) -> None:
    moments = [moment async for moment in play_day(tmp_path, scenario=Scenario.load(written(tmp_path)))]
    assert [moment.note for moment in moments if not moment.as_expected] == []
    assert [bool(moment.sentence) for moment in moments] == [True, True, False, False]
    assert moments[0].outcomes[0].ok
    assert moments[-1].undone


def test_its_mistake_is_told_as_the_page_says(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as raised:
        Scenario.load(written(tmp_path, ("level: 18", "level: 180")))
    assert f"heed: {raised.value}".replace(f"{tmp_path}/", "") in PAGE
