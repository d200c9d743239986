"""The wire format of an answer: ``<think>…</think><rec>…</rec><function>{…}</function>``, read and written.

An answer that is not exactly in the format raises ``InvalidAnswer`` with the mistake, so that a server without
constrained decoding can be asked again.
"""

import json
import re
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from function_pool.call import FunctionCall
from heed.errors import ModelError
from heed.library_messages import from_library
from heed.messages import msg
from heed.model import Frozen
from models.grammar import JsonStyle, OutputFormat
from models.reasoner import NO_RECOMMENDATION


class InvalidAnswer(ModelError):
    """The model's answer is not in the format that was asked for."""


class ModelAnswer(Frozen):
    """A parsed answer; without calls it is silence."""

    rec: str
    calls: tuple[FunctionCall, ...] = ()
    think: str = ""


_TAGGED = re.compile(
    r"\s*(?:<think>(?P<think>[^<]*)</think>\s*)?(?:<rec>(?P<rec>[^<]*)</rec>\s*)?"
    r"<function>(?P<calls>.*)</function>\s*",
    re.S,
)


Document = TypeVar("Document", bound=BaseModel)


class _Wire(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _WireCall(_Wire):
    name: str
    parameters: dict[str, JsonValue] = Field(default_factory=dict)


class _WireCalls(_Wire):
    model_recommendation: list[_WireCall]


class _WireDocument(_WireCalls):
    rec: str


def parse(text: str, output: OutputFormat) -> ModelAnswer:
    """The answer in ``text``; ``InvalidAnswer`` when it is not in the format ``output``."""
    if output is OutputFormat.JSON:
        document = _read(_WireDocument, text)
        return _answer(document.rec, document.model_recommendation)
    match = _TAGGED.fullmatch(text)
    if match is None:
        raise InvalidAnswer(msg("The model's answer is not of the form <rec>…</rec><function>{{…}}</function>."))
    calls = _read(_WireCalls, match["calls"]).model_recommendation
    if output is OutputFormat.FUNC:
        return ModelAnswer(rec="" if calls else NO_RECOMMENDATION, calls=_calls(calls))
    if match["rec"] is None:
        raise InvalidAnswer(msg("The model's answer has no <rec>…</rec>."))
    return _answer(match["rec"], calls, think=(match["think"] or "").strip())


def serialise(answer: ModelAnswer, output: OutputFormat = OutputFormat.REC_FUNC, style: JsonStyle | None = None) -> str:
    """The text of ``answer``, as a fine-tune is trained to write it."""
    style = style or JsonStyle()
    calls = [{"name": call.name, "parameters": dict(call.parameters)} for call in answer.calls]
    separators = (style.item_separator, style.key_separator)

    def dump(value: object) -> str:
        return json.dumps(value, ensure_ascii=False, separators=separators)

    if output is OutputFormat.JSON:
        return dump({"rec": answer.rec, "model_recommendation": calls})
    function = f"<function>{dump({'model_recommendation': calls})}</function>"
    if output is OutputFormat.FUNC:
        return function
    think = f"<think>{answer.think}</think>" if output is OutputFormat.THINK_REC_FUNC else ""
    return f"{think}<rec>{answer.rec}</rec>{function}"


def _answer(rec: str, calls: list[_WireCall], think: str = "") -> ModelAnswer:
    rec = rec.strip()
    silent = rec.rstrip(".").casefold() == NO_RECOMMENDATION.casefold()
    if silent and calls:
        raise InvalidAnswer(
            msg(
                "The model's answer says {no_recommendation!r} and calls functions.",
                no_recommendation=NO_RECOMMENDATION,
            )
        )
    if not silent and not calls:
        raise InvalidAnswer(msg("The model's answer recommends something and calls no function."))
    if not rec:
        raise InvalidAnswer(msg("The model's answer has an empty sentence."))
    return ModelAnswer(rec=NO_RECOMMENDATION if silent else rec, calls=_calls(calls), think=think)


def _calls(calls: list[_WireCall]) -> tuple[FunctionCall, ...]:
    """The calls; a parameter filled with ``""`` is read as left out, as in the benchmark."""
    return tuple(
        FunctionCall(name=call.name, parameters={name: value for name, value in call.parameters.items() if value != ""})
        for call in calls
    )


def _read(kind: type[Document], text: str) -> Document:
    try:
        # Not strict: models write line breaks into strings as they are.
        return kind.model_validate(json.loads(text, strict=False, parse_constant=_no_constant))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise InvalidAnswer(
            msg(
                "The model's answer is not the JSON asked for: {place}: {fault}.",
                place=place,
                fault=from_library(first["msg"]),
            )
        ) from error
    except (ValueError, RecursionError) as error:
        raise InvalidAnswer(msg("The model's answer is not JSON: {error}.", error=error)) from error


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no value")
