"""The wire format of an answer: ``<think>…</think><rec>…</rec><function>{…}</function>``, read and written.

An answer without the parts of the format raises ``InvalidAnswer`` with the mistake, so that a server without
constrained decoding can be asked again. Text around the parts is ignored.
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


_THOUGHTS = re.compile(r"[^<{]*<think>(?P<think>.*?)</think>|(?P<open>[^<{]*)</think>", re.S)
"""Thoughts before the answer; some chat templates write the opening tag themselves."""
_SENTENCE = re.compile(r"<rec>(?P<rec>[^<]*)</rec>")
_START = re.compile(r'\{\s*"(?:rec|model_recommendation)"\s*:')
"""The beginning of the JSON object with the calls."""

_FENCE = "```"
"""What some models put around JSON."""

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
    """The answer in ``text``; ``InvalidAnswer`` when it is not in the format ``output``.

    Text around the parts is ignored: models that no grammar constrains write introductions and code fences.
    """
    thoughts = _THOUGHTS.match(text)
    think = (thoughts["think"] or thoughts["open"] or "").strip() if thoughts else ""
    rest = text[thoughts.end() :] if thoughts else text
    if output is OutputFormat.JSON:
        document = _read(_WireDocument, _document(rest, rest)[1])
        return _answer(document.rec, document.model_recommendation, think)
    head, value = _document(rest, _without_sentences(rest) if output.has_sentence else rest)
    calls = _read(_WireCalls, value).model_recommendation
    if not output.has_sentence:
        return ModelAnswer(rec="" if calls else NO_RECOMMENDATION, calls=_calls(calls), think=think)
    return _answer(_sentence(head), calls, think)


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
    think = [f"<think>{answer.think}</think>"] if output.thinks else []
    sentence = [f"<rec>{answer.rec}</rec>"] if output.has_sentence else []
    return style.between_tags.join([*think, *sentence, function])


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


def _without_sentences(text: str) -> str:
    """The text with blanks for every sentence, which may quote what looks like an answer."""
    return _SENTENCE.sub(lambda found: " " * len(found[0]), text)


def _document(text: str, searched: str) -> tuple[str, JsonValue]:
    """The text before the answer's JSON object, and the object; ``InvalidAnswer`` unless there is exactly one.

    It begins where ``searched``, a text of the same length, has its beginning.
    """
    begin = _START.search(searched)
    if begin is None:
        raise InvalidAnswer(msg("The model's answer is not of the form <rec>…</rec><function>{{…}}</function>."))
    try:
        value, end = _DECODER.raw_decode(text, begin.start())
    except (ValueError, RecursionError) as error:
        raise InvalidAnswer(msg("The model's answer is not JSON: {error}.", error=error)) from error
    if _START.search(searched, end):
        raise InvalidAnswer(msg("The model's answer holds more than one answer."))
    return text[: begin.start()], value


def _sentence(head: str) -> str:
    sentences = _SENTENCE.findall(head)
    if not sentences:
        raise InvalidAnswer(msg("The model's answer has no <rec>…</rec>."))
    if len(sentences) > 1:
        raise InvalidAnswer(msg("The model's answer holds more than one answer."))
    return str(sentences[0])


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no value")


# Not strict: models write line breaks into strings as they are.
_DECODER = json.JSONDecoder(strict=False, parse_constant=_no_constant)


def _read(kind: type[Document], value: JsonValue) -> Document:
    try:
        return kind.model_validate(value)
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


def json_object(text: str) -> dict[str, JsonValue]:
    """The JSON object that an answer consists of, perhaps in a Markdown fence; ``InvalidAnswer`` when it is none."""
    try:
        answer = json.loads(text.strip().removeprefix(_FENCE).removeprefix("json").removesuffix(_FENCE).strip())
    except (ValueError, RecursionError) as error:
        raise InvalidAnswer(msg("The model did not answer in JSON: {error}.", error=error)) from error
    if not isinstance(answer, dict):
        raise InvalidAnswer(msg("The model answered with JSON that is not an object."))
    return answer
