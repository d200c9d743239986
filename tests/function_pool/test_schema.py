"""JSON Schemas say what validation accepts."""

import json
import re

import pytest

from function_pool.schema import call_schema, output_schema, parameters_schema
from function_pool.spec import FunctionSpec, default_pool, parse_pool
from heed.errors import UsageError
from tests.function_pool.official_style import official_style_pool

POOL = default_pool()


@pytest.mark.parametrize("spec", list(POOL), ids=lambda spec: spec.name)
def test_a_calls_schema_keeps_order_enums_and_required_parameters(spec: FunctionSpec) -> None:
    schema = parameters_schema(spec)
    assert list(schema["properties"]) == list(spec.parameters)
    assert schema["required"] == [name for name, parameter in spec.parameters.items() if parameter.required]
    assert schema["additionalProperties"] is False
    for name, parameter in spec.parameters.items():
        described = schema["properties"][name]
        inner = described.get("items", described)
        if parameter.open:
            inner, other = described["anyOf"]
            assert other == {"type": "string", "minLength": 1, "maxLength": 60}
        assert inner.get("enum", []) == list(parameter.choices)
        assert "pattern" not in inner or re.compile(inner["pattern"])


def test_the_output_document_allows_only_the_candidates() -> None:
    schema = output_schema(POOL, ["set_alarm", "set_timer"], max_calls=2)
    calls = schema["properties"]["model_recommendation"]
    assert [call["properties"]["name"]["const"] for call in calls["items"]["anyOf"]] == ["set_alarm", "set_timer"]
    assert calls["maxItems"] == 2
    json.dumps(schema)


def test_without_candidates_only_silence_is_left() -> None:
    assert output_schema(POOL, [])["properties"]["model_recommendation"] == {"type": "array", "maxItems": 0}


def test_a_candidate_outside_the_pool_is_refused() -> None:
    with pytest.raises(UsageError):
        output_schema(POOL, ["fly_to_the_moon"])


def test_an_official_style_function_has_a_schema_too() -> None:
    pool = parse_pool(official_style_pool(), "official")
    properties = call_schema(pool.get("function_0_0"))["properties"]["parameters"]["properties"]
    assert properties["选项"]["properties"] == {"城市": {}, "数量": {}}
    assert properties["比例"]["type"] == "number"
