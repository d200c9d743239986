from datetime import date, datetime

import pytest

from heed.dates import day_text, length_text, moment_text
from heed.language import Language


def test_a_moment_has_its_weekday_in_both_languages() -> None:
    moment = datetime(2026, 3, 11, 8)  # noqa: DTZ001 - the phone's local time
    assert moment_text(moment, Language.EN) == "Wed 11 Mar, 08:00"
    assert moment_text(moment, Language.ZH) == "3月11日周三08:00"
    assert day_text(date(2026, 6, 7), Language.EN) == "Sun 7 June"


@pytest.mark.parametrize(
    ("seconds", "english", "chinese"),
    [
        (45, "45 seconds", "45秒"),
        (60, "1 minute", "1分钟"),
        (600, "10 minutes", "10分钟"),
        (5400, "1 hour 30 minutes", "1小时30分钟"),
        (3661, "1 hour 1 minute 1 second", "1小时1分钟1秒"),
        (0, "0 seconds", "0秒"),
    ],
)
def test_a_length_is_said_in_its_units(seconds: int, english: str, chinese: str) -> None:
    assert length_text(seconds, Language.EN) == english
    assert length_text(seconds, Language.ZH) == chinese
