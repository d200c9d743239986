"""Arguments are told in words: parameters, listed values, times and lengths."""

import re

import pytest
from pydantic import JsonValue

from function_pool.app_names import chinese_app_names
from function_pool.spec import FunctionSpec, default_pool
from function_pool.wording import argument_text, name_parameter
from heed.language import Language

_PLAIN = re.compile(r"[a-z]+(?:_[a-z]+)*")
"""A listed value that is a word of the pool's, not the name of an app."""
_LISTED = sorted(
    {
        (name, value)
        for spec in default_pool()
        for name, parameter in spec.parameters.items()
        for value in parameter.choices
        if isinstance(value, str) and _PLAIN.fullmatch(value)
    }
)
_SAME = {"Word", "PDF", "Excel", "PowerPoint", "NFC"}
"""Words that are the same in Chinese."""


@pytest.mark.parametrize(("parameter", "value"), _LISTED)
def test_every_listed_value_has_words_in_both_languages(parameter: str, value: str) -> None:
    assert "_" not in argument_text(parameter, value, Language.EN)
    chinese = argument_text(parameter, value, Language.ZH)
    assert chinese in _SAME or re.search(r"[\u4e00-\u9fff]|Wi-Fi", chinese), chinese


@pytest.mark.parametrize("parameter", sorted({name for spec in default_pool() for name in spec.parameters}))
def test_a_parameter_is_named_in_plain_words(parameter: str) -> None:
    assert not re.search(r"_|\b(?:num|max|uri|id|ids|m|cc|ssid|url)\b", name_parameter(parameter, Language.EN))


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("spec", default_pool(), ids=lambda spec: spec.name)
def test_no_two_parameters_of_a_function_have_the_same_name(spec: FunctionSpec, language: Language) -> None:
    assert len({name_parameter(name, language) for name in spec.parameters}) == len(spec.parameters)


_APPS = sorted(
    {
        value
        for spec in default_pool()
        for parameter in spec.parameters.values()
        for value in parameter.choices
        if isinstance(value, str) and re.match(r"[A-Z]", value)
    }
)


@pytest.mark.parametrize("app", _APPS)
def test_every_listed_app_has_a_chinese_name(app: str) -> None:
    assert app in chinese_app_names()


@pytest.mark.parametrize(
    ("parameter", "value", "english", "chinese"),
    [
        ("platform_info", "Meituan", "Meituan", "美团"),
        ("content", "Meituan", "Meituan", "Meituan"),
        ("repeat_days", ["mon", "fri"], "Mondays, Fridays", "周一、周五"),
        ("start_time", "2026-03-11T08:00:00", "Wed 11 Mar 2026, 08:00", "2026年3月11日周三08:00"),
        ("check_in_date", "2026-03-11", "Wed 11 Mar 2026", "2026年3月11日周三"),
        ("duration_minutes", 90, "1 hour 30 minutes", "1小时30分钟"),
        ("enabled", False, "no", "否"),
        ("content", "2026-13-45", "2026-13-45", "2026-13-45"),
        ("keyword", "metro", "metro", "metro"),
        ("amount", 31.6, "31.6", "31.6"),
    ],
)
def test_values_are_told_as_people_say_them(parameter: str, value: JsonValue, english: str, chinese: str) -> None:
    assert argument_text(parameter, value, Language.EN, with_year=True) == english
    assert argument_text(parameter, value, Language.ZH, with_year=True) == chinese
