"""The 63 functions keep the names, parameters and enums that were fixed; other pools load with the same code."""

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from function_pool.call import FunctionCall
from function_pool.choices import match_choice, synonyms
from function_pool.risk import Risk
from function_pool.spec import Meaning, default_pool, load_pool, parse_pool
from function_pool.validation import validate
from function_pool.widening import widenable
from heed.errors import UsageError
from tests.function_pool.official_style import official_style_pool

POOL = default_pool()


def test_names_parameters_and_types_equal_the_contract_and_no_value_of_it_is_lost(shared: Path) -> None:
    contract = json.loads((shared / "functions.json").read_text("utf-8"))
    assert list(POOL.functions) == list(contract)
    for spec in POOL:
        wanted = contract[spec.name]
        assert (list(spec.similar), spec.scenario, spec.risk) == (
            wanted["similar"],
            wanted["scenario"],
            wanted["risk"],
        )
        assert list(spec.parameters) == list(wanted["parameters"])
        for name, parameter in spec.parameters.items():
            fixed = wanted["parameters"][name]
            assert parameter.type == fixed["type"], (spec.name, name)
            assert parameter.must_fill == fixed["must_fill"], (spec.name, name)
            given = fixed["value"]
            own = parameter.value[: len(given)] if isinstance(parameter.value, list) else parameter.value
            assert own == given, (spec.name, name)


def test_there_are_63_functions_in_14_scenarios() -> None:
    assert len(POOL) == 63
    assert len(Counter(spec.scenario for spec in POOL)) == 14


def test_similar_functions_name_each_other() -> None:
    for spec in POOL:
        for other in spec.similar:
            assert spec.name in POOL.get(other).similar, (spec.name, other)


def test_every_description_tells_the_function_from_a_similar_one() -> None:
    for spec in POOL:
        assert any(other in spec.description for other in spec.similar), spec.name
        assert 40 < len(spec.description) < 260, spec.name
        assert all(parameter.description for parameter in spec.parameters.values()), spec.name


def test_no_two_functions_are_described_alike() -> None:
    first_sentences = sorted(spec.description.split(". ")[0].casefold() for spec in POOL)
    assert all(one != other for one, other in pairwise(first_sentences))


def test_an_open_list_names_apps_shops_services_or_carriers() -> None:
    opened = {name for spec in POOL for name, parameter in spec.parameters.items() if parameter.open}
    assert opened == {
        "app_name",
        "carrier",
        "engine",
        "map_app",
        "order_platform",
        "platform",
        "platform_info",
        "source",
    }
    for spec in POOL:
        for name, parameter in spec.parameters.items():
            if name in opened:
                assert parameter.open is bool(parameter.choices), (spec.name, name)
                assert parameter.type == "string", (spec.name, name)


def test_no_open_parameter_can_be_widened() -> None:
    assert not any(POOL.get(function).parameters[name].open for function, name in widenable())


def test_only_free_text_has_a_meaning_and_only_numbers_have_a_range() -> None:
    for spec in POOL:
        for name, parameter in spec.parameters.items():
            if parameter.meaning is not Meaning.TEXT:
                assert parameter.type in ("string", "list"), (spec.name, name)
                assert not parameter.choices, (spec.name, name)
            if parameter.minimum is not None:
                assert parameter.type == "int", (spec.name, name)


def test_synonyms_are_of_values_in_the_pool_and_never_ambiguous() -> None:
    parameters = [parameter for spec in POOL for parameter in spec.parameters.values() if parameter.choices]
    assert set(synonyms()) <= {str(choice) for parameter in parameters for choice in parameter.choices}
    for parameter in parameters:
        for choice in parameter.choices:
            for word in (str(choice), str(choice).upper(), *synonyms().get(str(choice), ())):
                assert match_choice(word, parameter.choices) == choice, (word, parameter.choices)


def test_an_official_style_pool_loads_and_validates_with_the_same_code(tmp_path: Path) -> None:
    path = tmp_path / "function_pool.json"
    path.write_text(json.dumps(official_style_pool(), ensure_ascii=False), encoding="utf-8")
    pool = load_pool(path)
    assert len(pool) == 61
    assert all(spec.risk is Risk.R5 for spec in pool)
    call = FunctionCall(
        name="function_3_2",
        parameters={"对象": "老王", "方式": "快速", "选项": {"城市": "上海"}, "比例": "0.5", "标签": "家"},
    )
    assert validate(pool, call).parameters == {
        "对象": "老王",
        "方式": "快速",
        "选项": {"城市": "上海"},
        "标签": ["家"],
        "比例": 0.5,
    }


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"similar": "x"}, "function_0_0.similar"),
        (
            {"parameters": {"a": {"description": "", "type": "strin", "must_fill": "required"}}},
            "function_0_0.parameters.a.type",
        ),
        ({"name": "other"}, "calls itself 'other'"),
    ],
)
def test_a_broken_pool_file_names_the_place(change: dict[str, object], told: str, tmp_path: Path) -> None:
    pool = official_style_pool()
    pool["function_0_0"] |= change
    with pytest.raises(UsageError, match=told):
        parse_pool(pool, "pool.json")


@pytest.mark.parametrize("content", ["[]", "{", "\x00"])
def test_a_file_that_is_no_pool_is_refused_in_one_sentence(content: str, tmp_path: Path) -> None:
    path = tmp_path / "pool.json"
    path.write_text(content)
    with pytest.raises(UsageError, match=r"pool\.json"):
        load_pool(path)
