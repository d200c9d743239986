"""Local time, weekday, holiday."""

from datetime import datetime
from typing import Any

import pytest

from android_bridge.facts.properties import PROPERTIES
from collectors.config import CollectorsConfig
from collectors.sources.world import TimeSource
from heed.errors import UsageError
from heed.language import Language
from tests.collectors.sources.phone_values import readings

CHINA = {"persist.sys.locale": "zh-Hans-CN"}


async def facts(when: str, properties: dict[str, str] = CHINA, **config: Any) -> dict[str, Any]:
    source = TimeSource(CollectorsConfig(**config))
    found = await readings(source, {PROPERTIES: properties}, datetime.fromisoformat(when))
    return {name: reading.value for name, reading in found.items()}


async def test_a_plain_friday() -> None:
    assert await facts("2026-02-06T14:30:00+08:00") == {
        "time.local": "2026-02-06T14:30:00+08:00",
        "time.weekday": "fri",
        "time.workday": True,
    }


async def test_a_public_holiday_has_its_name_in_the_configured_language() -> None:
    english = await facts("2026-02-17T09:00:00+08:00")
    chinese = await facts("2026-02-17T09:00:00+08:00", language=Language.ZH)
    assert "Spring Festival" in english["time.holiday"] and chinese["time.holiday"] == "春节"
    assert english["time.workday"] is chinese["time.workday"] is False


async def test_a_saturday_that_china_works_is_a_working_day() -> None:
    assert (await facts("2026-02-14T09:00:00+08:00"))["time.workday"] is True
    assert (await facts("2026-02-15T09:00:00+08:00"))["time.workday"] is False


async def test_the_configured_country_and_region_count_more_than_the_locale() -> None:
    assert "time.holiday" not in await facts("2026-01-06T09:00:00+01:00", country="DE")
    assert "time.holiday" in await facts("2026-01-06T09:00:00+01:00", country="DE", region="BY")


async def test_a_guessed_country_is_less_sure() -> None:
    sure = await readings(TimeSource(CollectorsConfig(country="CN")), {PROPERTIES: CHINA})
    guessed = await readings(TimeSource(CollectorsConfig()), {PROPERTIES: CHINA})
    assert guessed["time.workday"].confidence < sure["time.workday"].confidence


async def test_without_a_country_nothing_is_said_of_holidays() -> None:
    assert set(await facts("2026-01-01T09:00:00+00:00", {"persist.sys.locale": "eo"})) == {"time.local", "time.weekday"}


@pytest.mark.parametrize("config", [{"country": "XX"}, {"country": "DE", "region": "ZZ"}])
async def test_an_unknown_country_says_so(config: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="no holiday calendar"):
        await facts("2026-01-01T09:00:00+00:00", **config)
