"""The grammar of answers, built from the pool and the candidates.

One JSON schema per function, in the pool's parameter order (which is the fine-tune's), inside a Lark grammar of
llguidance's dialect that adds the tags. ``<rec>`` is "No Recommendation" exactly when the list of calls is empty.
Only the candidates can be called, so the prompt never has to change with them.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import get_args

from pydantic import Field, JsonValue

from function_pool.spec import FunctionSpec, Meaning, ParameterSpec, ParameterType, Pool
from function_pool.validation import MAX_NAME, NEEDS, Needs
from heed.model import Frozen
from models.reasoner import NO_RECOMMENDATION

Schema = dict[str, JsonValue]


class OutputFormat(StrEnum):
    """The benchmark's output formats, and one for servers that only know JSON schemas."""

    REC_FUNC = "rec+func"
    """``<rec>…</rec><function>…</function>``: the benchmark's best, and the default."""
    FUNC = "func"
    THINK_REC_FUNC = "think+rec+func"
    THINK_FUNC = "think+func"
    JSON = "json"
    """``{"rec": …, "model_recommendation": […]}``."""

    @property
    def thinks(self) -> bool:
        """Whether an answer begins with ``<think>…</think>``."""
        return self in (OutputFormat.THINK_REC_FUNC, OutputFormat.THINK_FUNC)

    @property
    def has_sentence(self) -> bool:
        """Whether an answer has a sentence to the owner."""
        return self not in (OutputFormat.FUNC, OutputFormat.THINK_FUNC)


class Limits(Frozen):
    """Bounds on the length of an answer."""

    calls: int = Field(default=3, ge=1)
    """Most calls in one recommendation (the benchmark drops training samples with more than 3)."""
    sentence: int = Field(default=200, ge=1)
    """Most characters of the sentence shown to the person."""
    thoughts: int = Field(default=2000, ge=1)
    """Most characters of ``<think>``."""
    text: int = Field(default=300, ge=1)
    """Most characters of a free string argument."""
    items: int = Field(default=10, ge=1)
    """Most items of a list argument."""


class JsonStyle(Frozen):
    """How a fine-tune writes its answers."""

    item_separator: str = ","
    key_separator: str = ":"
    between_tags: str = ""
    """Text between the parts of an answer, such as a line break."""
    blank_optionals: bool = False
    """Whether an optional parameter may also be filled with ``""`` (the benchmark does); it is read as left out."""
    portable: bool = False
    """Whether to leave out regular expressions, which not every server turns into a grammar."""


_DATE = (
    r"20[0-9]{2}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])"
    r"|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))"
)
_TIME = r"([01][0-9]|2[0-3]):[0-5][0-9]"
_PHONE = r"\+?[0-9]{3,20}"
_SUM = r"([1-9][0-9]{0,8}(\.[0-9]{1,2})?|0\.[0-9]?[1-9])"
_VISIBLE = r"[^\x00-\x1f\x7f-\x9f]"
_SEEN = r"\p{L}\p{M}\p{N}\p{P}\p{S}"
PATTERNS: Mapping[Meaning, str] = {
    Meaning.CLOCK_TIME: f"^{_TIME}$",
    Meaning.DATE: f"^{_DATE}$",
    Meaning.DATE_TIME: f"^{_DATE}T{_TIME}:00$",
    Meaning.PHONE_NUMBER: f"^{_PHONE}$",
    Meaning.EMAIL: r"^[A-Za-z0-9._%+-]{1,64}@([A-Za-z0-9-]{1,63}\.){1,4}[A-Za-z]{2,24}$",
    Meaning.RECIPIENT: rf"^({_PHONE}|[^\s\d+().\-\x00-\x1f\x7f-\x9f]{_VISIBLE}{{0,99}})$",
    Meaning.URL: r"^https?://([A-Za-z0-9-]{1,63}\.){1,4}[A-Za-z]{2,24}(/[A-Za-z0-9/._~?#=&%+-]{0,200})?$",
    Meaning.FILE: r"^(content://)?[^\s.:\x00-\x1f\x7f-\x9f]([^.:\x00-\x1f\x7f-\x9f]|\.[^.:\x00-\x1f\x7f-\x9f]){0,200}$",
    Meaning.AMOUNT: rf"^({_SUM}( ?(元|[A-Z]{{3}}))?|[¥$€£]{_SUM})$",
}
"""Meaning of a parameter's text → the regular expression of the values that a phone can be given."""

_ANY_NUMBER = 999_999_999
"""Where the pool states no bounds."""


def answer_schema(
    pool: Pool, candidates: Sequence[str], limits: Limits, style: JsonStyle, *, at_least: int = 1
) -> Schema:
    """JSON schema of ``{"model_recommendation": [...]}`` with ``at_least`` calls, all among ``candidates``."""
    calls: list[JsonValue] = [
        _object({"name": {"const": name}, "parameters": _parameters_schema(variant, limits, style)})
        for name in _in_pool_order(pool, candidates)
        for variant in _variants(pool.get(name))
    ]
    items: Schema = {"type": "array", "items": {"anyOf": calls}, "minItems": at_least, "maxItems": limits.calls}
    return _object({"model_recommendation": items})


def json_answer_schema(pool: Pool, candidates: Sequence[str], limits: Limits, style: JsonStyle) -> Schema:
    """The whole answer as one JSON document, for servers that take a JSON schema (``OutputFormat.JSON``)."""
    sentence: Schema = {"type": "string", "minLength": 1, "maxLength": limits.sentence}
    action = _object({"rec": sentence, **_properties(answer_schema(pool, candidates, limits, style))})
    empty: Schema = {"type": "array", "items": {"type": "string"}, "maxItems": 0}
    silent = _object({"rec": {"const": NO_RECOMMENDATION}, "model_recommendation": empty})
    return {"anyOf": [silent, action]}


def lark(
    pool: Pool,
    candidates: Sequence[str],
    output: OutputFormat = OutputFormat.REC_FUNC,
    limits: Limits | None = None,
    style: JsonStyle | None = None,
) -> str:
    """The answer's grammar in llguidance's Lark dialect; ``output`` is one of the formats with tags."""
    limits, style = limits or Limits(), style or JsonStyle()
    schema = answer_schema(pool, candidates, limits, style, at_least=int(output.has_sentence))
    schema["x-guidance"] = {
        "whitespace_flexible": False,
        "item_separator": style.item_separator,
        "key_separator": style.key_separator,
        "json_allowed_escapes": '"\\n',
    }
    return "\n".join((*_rules(output, limits, style), f"calls: %json {json.dumps(schema, ensure_ascii=False)}"))


def json_lark(schema: Mapping[str, JsonValue]) -> str:
    """The grammar of one JSON value of a schema, in llguidance's Lark dialect."""
    compact = {**schema, "x-guidance": {"whitespace_flexible": False}}
    return f"start: %json {json.dumps(compact, ensure_ascii=False)}"


def _rules(output: OutputFormat, limits: Limits, style: JsonStyle) -> list[str]:
    think = f'"<think>" THOUGHTS {_literal("</think>", style.between_tags)} ' if output.thinks else ""
    thoughts = [rf"THOUGHTS: /[^<]{{0,{limits.thoughts}}}/"] if think else []
    if not output.has_sentence:
        return [f'start: {think}"<function>" calls "</function>"', *thoughts]
    empty = _literal(json.dumps({"model_recommendation": []}, separators=(style.item_separator, style.key_separator)))
    after = _literal("</rec>", style.between_tags, "<function>")
    # The sentence is a lexeme of its own beside SILENCE: one literal "<rec>No Recommendation…" would win over it.
    return [
        f'start: {think}"<rec>" (silence | action) "</function>"',
        f"silence: SILENCE {after} {empty}",
        f"action: SENTENCE {after} calls",
        f"SILENCE: /{NO_RECOMMENDATION}/",
        rf"SENTENCE: /[^<\s][^<\n]{{0,{limits.sentence - 1}}}/ & ~/(?i)\s*{NO_RECOMMENDATION}[\s.]*/",
        *thoughts,
    ]


def _literal(*texts: str) -> str:
    """The texts as one string of the Lark dialect."""
    return json.dumps("".join(texts))


def _in_pool_order(pool: Pool, candidates: Sequence[str]) -> list[str]:
    wanted = {pool.get(name).name for name in candidates}
    return [name for name in pool.functions if name in wanted]


Parameters = Mapping[str, ParameterSpec]


def _variants(spec: FunctionSpec) -> list[Parameters]:
    """The parameters of a function, once for each way to give it what some of its calls cannot do without."""
    variants: list[Parameters] = [spec.parameters]
    for needs in NEEDS:
        if needs.function == spec.name:
            variants = [split for variant in variants for split in _split(variant, needs)]
    return variants


def _split(parameters: Parameters, needs: Needs) -> Iterator[Parameters]:
    others = [other for other in needs.others if other in parameters]
    parameter = parameters.get(needs.parameter)
    if parameter is None or not others or (needs.value is not None and needs.value not in parameter.choices):
        yield parameters
        return
    chosen = dict(parameters)
    if needs.value is not None:
        rest: list[JsonValue] = [choice for choice in parameter.choices if choice != needs.value]
        if rest:
            yield {**parameters, needs.parameter: parameter.model_copy(update={"value": rest})}
        chosen[needs.parameter] = parameter.model_copy(update={"value": [needs.value]})
    for other in others:
        yield {**chosen, other: chosen[other].model_copy(update={"must_fill": "required"})}


def _parameters_schema(parameters: Parameters, limits: Limits, style: JsonStyle) -> Schema:
    return _object(
        {name: _value_schema(parameter, limits, style) for name, parameter in parameters.items()},
        required=[name for name, parameter in parameters.items() if parameter.required],
    )


def _value_schema(parameter: ParameterSpec, limits: Limits, style: JsonStyle) -> Schema:
    schema = _filled_schema(parameter, limits, style)
    if style.blank_optionals and not parameter.required:
        return {"anyOf": [schema, {"const": ""}]}
    return schema


def _filled_schema(parameter: ParameterSpec, limits: Limits, style: JsonStyle) -> Schema:
    match parameter.type:
        case "bool":
            return {"type": "boolean"}
        case "int" | "float":
            return _range(parameter)
        case "list":
            items = _text_schema(parameter, limits, style)
            return {"type": "array", "items": items, "minItems": int(parameter.required), "maxItems": limits.items}
        case "dict":
            return _parameters_schema(inner_fields(parameter), limits, style)
        case _:
            return _text_schema(parameter, limits, style)


def inner_fields(parameter: ParameterSpec) -> dict[str, ParameterSpec]:
    """The fields of a ``dict`` parameter; the pool gives each a spec of its own, or only the name of its type."""
    fields = parameter.value if isinstance(parameter.value, Mapping) else {}
    return {name: _field(field) for name, field in fields.items()}


def _field(field: JsonValue) -> ParameterSpec:
    if isinstance(field, Mapping):
        return ParameterSpec.model_validate(field)
    kind = field if field in get_args(ParameterType) else "string"
    return ParameterSpec.model_validate({"description": "", "type": kind, "must_fill": "optional"})


def _text_schema(parameter: ParameterSpec, limits: Limits, style: JsonStyle) -> Schema:
    if parameter.choices:
        listed: Schema = {"enum": list(parameter.choices)}
        return {"anyOf": [listed, _other_name(limits, style)]} if parameter.open else listed
    needed = parameter.required or parameter.type == "list"
    if style.portable:
        return {"type": "string", "minLength": int(needed), "maxLength": limits.text}
    if pattern := PATTERNS.get(parameter.meaning):
        return {"type": "string", "pattern": pattern}
    return {"type": "string", "maxLength": limits.text, **({"pattern": r"^\S"} if needed else {})}  # never blank


def _other_name(limits: Limits, style: JsonStyle) -> Schema:
    """A name that the list of an open parameter lacks."""
    most = min(limits.text, MAX_NAME)
    if style.portable:
        return {"type": "string", "minLength": 1, "maxLength": most}
    middle = rf"[{_SEEN} ]{{0,{most - 2}}}[{_SEEN}]" if most > 1 else ""
    return {"type": "string", "pattern": rf"^[\p{{L}}\p{{N}}]({middle})?$"}


def _range(parameter: ParameterSpec) -> Schema:
    low = 0 if parameter.minimum is None else parameter.minimum
    high = _ANY_NUMBER if parameter.maximum is None else parameter.maximum
    if parameter.type == "int":
        return {"type": "integer", "minimum": int(low), "maximum": int(high)}
    return {"type": "number", "minimum": low, "maximum": high}


def _object(properties: Mapping[str, JsonValue], required: Sequence[str] | None = None) -> Schema:
    wanted: list[JsonValue] = list(properties if required is None else required)
    return {"type": "object", "properties": dict(properties), "required": wanted, "additionalProperties": False}


def _properties(schema: Schema) -> dict[str, JsonValue]:
    properties = schema["properties"]
    assert isinstance(properties, dict)  # noqa: S101  built by `_object` above
    return properties
