"""Requests to an OpenAI-compatible server, and its responses."""

import base64
import re
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from pathlib import Path

import httpx
from pydantic import BaseModel, Field, JsonValue, ValidationError

from heed.errors import ModelError, PromptTooLongError
from heed.messages import Text, msg
from models.config import OpenAIConfig
from models.engine import Completion
from models.prompt import Prompt, PromptImage
from models.reasoner import DecisionCost

Message = dict[str, JsonValue]
SchemaForm = Callable[[Mapping[str, JsonValue]], dict[str, JsonValue]]
_LONGEST_REASON = 200
_TOO_LONG = re.compile(r"context[ _](?:length|window|size)|n_ctx", re.IGNORECASE)


def _json_schema(schema: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """OpenAI's own form; vLLM and llama-server take it."""
    return {"type": "json_schema", "json_schema": {"name": "recommendation", "strict": True, "schema": dict(schema)}}


def _json_object(schema: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The form of llama-cpp-python's server."""
    return {"type": "json_object", "schema": dict(schema)}


SCHEMA_FORMS: tuple[SchemaForm, ...] = (_json_schema, _json_object)


def message(role: str, text: str) -> Message:
    return {"role": role, "content": text}


_MARKUP = re.compile(r"<(?=\S)|\[(?=/?[A-Z_]+\])")
"""Where chat markup and control tokens of every family begin: ``<|im_end|>``, ``</s>``, ``<__media__>``, ``[INST]``."""
_BREAK = "\u200b"
"""A zero-width space: the text reads the same and is no markup any more."""


def harmless(text: str) -> str:
    """``text`` of the phone as words only: servers read control tokens in a message as such."""
    return _MARKUP.sub(lambda match: match[0] + _BREAK, text)


def messages(prompt: Prompt, *, images: bool) -> list[Message]:
    """The two messages of a decision; pictures travel inside the second one."""
    parts: list[JsonValue] = []
    for part in prompt.user:
        if not isinstance(part, PromptImage):
            parts.append({"type": "text", "text": harmless(part.text)})
        elif images:
            parts.append({"type": "image_url", "image_url": {"url": _data_url(Path(part.path))}})
    texts = [harmless(part.text) for part in prompt.user if not isinstance(part, PromptImage)]
    plain = len(parts) == len(texts)  # some servers take no parts
    return [message("system", prompt.system), {"role": "user", "content": "".join(texts) if plain else parts}]


def body(config: OpenAIConfig, sent: Sequence[Message], response_format: Mapping[str, JsonValue]) -> Message:
    """A request for one answer."""
    return {
        "model": config.model,
        "messages": list(sent),
        "max_tokens": config.answer_tokens,
        "temperature": config.sampling.temperature,
        "top_p": config.sampling.top_p,
        "seed": config.sampling.seed,
        **({"response_format": dict(response_format)} if response_format else {}),
    }


def refused(response: httpx.Response) -> bool:
    """Whether the server does not know this kind of ``response_format``."""
    if _is_too_long(response):
        return False
    if response.status_code == HTTPStatus.INTERNAL_SERVER_ERROR:
        return "response_format" in response.text  # llama-cpp-python's way to say so
    return response.status_code in (HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.NOT_IMPLEMENTED)


def completion(response: httpx.Response, config: OpenAIConfig) -> Completion:
    """The answer in a response; ``ModelError`` says what the server refused and what to do."""
    if not response.is_success:
        raise _refusal(response, config)
    try:
        reply = _Reply.model_validate_json(response.content)
    except ValidationError as error:
        raise ModelError(
            msg("The model server {base_url} did not answer in OpenAI's format.", base_url=config.base_url),
            msg("Check models.openai.base_url; it usually ends in /v1."),
        ) from error
    choice, usage = reply.choices[0], reply.usage
    cached = usage.prompt_tokens_details.cached_tokens if usage.prompt_tokens_details else 0
    return Completion(
        text=(choice.message.content or "").replace(_BREAK, ""),
        finished=choice.finish_reason != "length",
        cost=DecisionCost(tokens_evaluated=usage.prompt_tokens - cached, tokens_reused=cached),
    )


class _Text(BaseModel):
    content: str | None = None


class _Choice(BaseModel):
    message: _Text
    finish_reason: str | None = None


class _Cached(BaseModel):
    cached_tokens: int = 0


class _Usage(BaseModel):
    prompt_tokens: int = 0
    prompt_tokens_details: _Cached | None = None


class _Reply(BaseModel):
    choices: list[_Choice] = Field(min_length=1)
    usage: _Usage = _Usage()


_REMEDIES: Mapping[int, Text] = {
    HTTPStatus.UNAUTHORIZED: msg("Set models.openai.api_key."),
    HTTPStatus.FORBIDDEN: msg("Set models.openai.api_key."),
    HTTPStatus.NOT_FOUND: msg("Check models.openai.model and models.openai.base_url; the latter usually ends in /v1."),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: msg("Set models.openai.images to false, or raise the server's limit."),
    HTTPStatus.TOO_MANY_REQUESTS: msg("Lower models.openai.in_flight, or wait."),
}


def _refusal(response: httpx.Response, config: OpenAIConfig) -> ModelError:
    remedy = _REMEDIES.get(response.status_code, msg("Check the server's log."))
    answer = f"{response.status_code}{_reason(response)}"
    if _is_too_long(response):
        message = msg("The prompt does not fit in the context of the model server {server}.", server=config.base_url)
        return PromptTooLongError(message, msg("Raise the server's context length, or use a shorter function pool."))
    return ModelError(
        msg("The model server {server} answered {answer}.", server=config.base_url, answer=answer), remedy
    )


def _is_too_long(response: httpx.Response) -> bool:
    """Whether the prompt does not fit: servers share no code for it, but the words."""
    return response.is_error and _TOO_LONG.search(response.text) is not None


def _reason(response: httpx.Response) -> str:
    """The server's own words, shortened; not where they may repeat the prompt."""
    if response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY or response.is_server_error:
        return ""
    try:
        given = response.json()["error"]["message"]
    except (ValueError, KeyError, TypeError):
        return ""
    words = re.sub(r"\s+", " ", str(given)).strip().rstrip(".")
    return f": {words[:_LONGEST_REASON]}" if words else ""


def _data_url(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ModelError(
            msg("The screenshot {path} cannot be read: {strerror}.", path=path, strerror=error.strerror)
        ) from error
    kind = "jpeg" if raw.startswith(b"\xff\xd8") else "png"
    return f"data:image/{kind};base64,{base64.b64encode(raw).decode()}"
