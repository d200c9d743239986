"""One OpenAI-compatible server: asks it, with a JSON schema in the form that it takes."""

import asyncio
import socket
from collections.abc import Mapping, Sequence
from ipaddress import ip_address
from urllib.parse import urlsplit

import httpx
from pydantic import JsonValue

from heed.errors import ModelError, UsageError
from heed.messages import msg
from models.config import OpenAIConfig
from models.engine import Completion
from models.openai import wire
from models.output import json_object
from models.prompt import PromptImage, question_prompt


def _proxy(config: OpenAIConfig) -> httpx.Proxy | None:
    """The configured proxy; None for a server on this machine. ``UsageError`` for an address that is none."""
    if not config.proxy or _is_local(urlsplit(config.base_url).hostname or ""):
        return None
    try:
        return httpx.Proxy(config.proxy)
    except (ValueError, httpx.InvalidURL) as error:
        raise UsageError(
            msg("{address} is not the address of a proxy.", address=config.proxy),
            msg("Correct models.openai.proxy, such as http://proxy.example:3128."),
        ) from error


def _is_local(host: str) -> bool:
    """Whether a host is this machine by its name or address; names are not resolved."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        # Also the short forms, such as 127.1.
        address = ip_address(host) if ":" in host else ip_address(socket.inet_aton(host))
    except (ValueError, OSError):
        return False
    mapped = getattr(address, "ipv4_mapped", None) or address
    return bool(mapped.is_loopback or mapped.is_unspecified)


class ModelServer:
    """Several requests may be in flight, ``in_flight`` at most. Raises ``ModelError`` when it cannot answer."""

    def __init__(self, config: OpenAIConfig) -> None:
        self._config = config
        key = config.api_key.get_secret_value()
        self._client = httpx.AsyncClient(
            base_url=config.base_url.rstrip("/") + "/",
            headers={"Authorization": f"Bearer {key}"} if key else {},
            trust_env=False,  # a proxy of the environment never sees a prompt
            proxy=_proxy(config),
            timeout=None,  # noqa: S113  each decision has its own deadline
            limits=httpx.Limits(max_connections=config.in_flight),
        )
        self.slots = asyncio.Semaphore(config.in_flight)
        """One request each; several requests that belong together may share one."""
        self._schema_forms = list(wire.SCHEMA_FORMS) if config.constraint == "schema" else []
        """Ways to ask for a JSON schema that the server has not refused yet; the first one is used."""

    async def ask(self, messages: Sequence[wire.Message], schema: Mapping[str, JsonValue]) -> Completion:
        """The answer to ``messages``, held to ``schema`` where the server does that."""
        while True:
            form = self._schema_forms[0] if self._schema_forms else None
            body = wire.body(self._config, messages, form(schema) if form else {})
            response = await self._post(body)
            if form is None or not wire.refused(response):
                return wire.completion(response, self._config)
            self._schema_forms = [other for other in self._schema_forms if other is not form]

    async def data(
        self,
        system: str,
        question: str,
        schema: Mapping[str, JsonValue],
        *,
        timeout: float,
        picture: PromptImage | None = None,
    ) -> dict[str, JsonValue]:
        """The answer to one question as a JSON object; ``InvalidAnswer`` when it is none."""
        prompt = question_prompt(system, question, picture)
        asked = wire.messages(prompt, images=self._config.images)
        try:
            async with asyncio.timeout(timeout), self.slots:
                completion = await self.ask(asked, schema)
        except TimeoutError as error:
            raise too_late(timeout) from error
        return json_object(completion.text)

    async def close(self) -> None:
        """Let go of the connections; safe to call twice."""
        await self._client.aclose()

    async def _post(self, body: Mapping[str, JsonValue]) -> httpx.Response:
        try:
            return await self._client.post("chat/completions", json=body)
        except httpx.ConnectError as error:
            raise ModelError(
                msg("The model server {base_url} cannot be reached.", base_url=self._config.base_url),
                msg("Start it, or check models.openai.base_url."),
            ) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ModelError(
                msg(
                    "The connection to the model server {base_url} broke: {error}.",
                    base_url=self._config.base_url,
                    error=error,
                ),
                msg("The next decision tries again; check the server's log."),
            ) from error


def too_late(timeout: float) -> ModelError:
    """What is raised when an answer did not come in time."""
    return ModelError(
        msg("The model server did not answer within {timeout:.0f} s.", timeout=timeout),
        msg("Give it more time, or a smaller model."),
    )
