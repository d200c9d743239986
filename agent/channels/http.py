"""HTTP to the one server that a channel's settings name."""

import json
from collections.abc import AsyncGenerator, Mapping
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue

from agent.channels.service import ChannelError
from heed.messages import Text, msg

if TYPE_CHECKING:
    from httpx import Response

_OK = 300
_MOST_BYTES = 1_000_000
"""Bytes of an answer, and of one line of a stream."""
_CONNECT_SECONDS = 15.0
"""Seconds until a server has taken a connection and begun to answer."""


class ChannelHttp:
    """A service's HTTP interface with JSON requests and answers.

    Redirects are not followed and proxies of the environment are not used, so that requests go only to the address
    that the owner set. Errors never hold the address: some services have their token in it.

    Args:
        name: the service's name in sentences.
        headers: sent with every request.
    """

    def __init__(self, name: str, headers: Mapping[str, str] | None = None) -> None:
        self._name, self._headers = name, dict(headers or {})

    async def post(self, url: str, body: Mapping[str, JsonValue], *, seconds: float = _CONNECT_SECONDS) -> Any:
        """Send a POST request and return the decoded JSON; ``seconds`` is the longest silence of the server."""
        return await self._ask("POST", url, seconds, json=dict(body))

    async def get(self, url: str) -> Any:
        """Send a GET request and return the decoded JSON."""
        return await self._ask("GET", url, _CONNECT_SECONDS)

    async def lines(self, url: str, parameters: Mapping[str, str], *, silence: float) -> AsyncGenerator[str, None]:
        """Open a stream and yield its lines; ``ChannelError`` when it ends or is silent for ``silence`` seconds."""
        import httpx

        timeout = httpx.Timeout(_CONNECT_SECONDS, read=silence)
        try:
            async with (
                httpx.AsyncClient(timeout=timeout, trust_env=False, headers=self._headers) as client,
                client.stream("GET", url, params=dict(parameters)) as response,
            ):
                if response.status_code >= _OK:
                    raise self._refused(response.status_code, await self._body(response))
                rest = b""
                async for chunk in response.aiter_bytes():
                    *lines, rest = (rest + chunk).split(b"\n")
                    if len(rest) > _MOST_BYTES:
                        raise self._too_long()
                    for line in lines:
                        yield line.decode(errors="replace").rstrip("\r")
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise self._silent(error) from None

    async def _ask(self, method: str, url: str, seconds: float, **options: Any) -> Any:
        import httpx

        timeout = httpx.Timeout(_CONNECT_SECONDS, read=seconds)
        try:
            async with (
                httpx.AsyncClient(timeout=timeout, trust_env=False, headers=self._headers) as client,
                client.stream(method, url, **options) as response,
            ):
                body = await self._body(response)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            # The cause is left out: its text may hold the address.
            raise self._silent(error) from None
        if response.status_code >= _OK:
            raise self._refused(response.status_code, body)
        try:
            return json.loads(body)
        except ValueError as error:
            raise ChannelError(
                msg("{name} gave no JSON.", name=self._name), msg("Is that the address of its API?")
            ) from error

    async def _body(self, response: "Response") -> bytes:
        body = bytearray()
        async for chunk in response.aiter_bytes():
            body += chunk
            if len(body) > _MOST_BYTES:
                raise self._too_long()
        return bytes(body)

    def _too_long(self) -> ChannelError:
        return ChannelError(msg("{name} sends too much at once.", name=self._name))

    def _silent(self, error: Exception) -> ChannelError:
        return ChannelError(
            msg("{name} did not answer ({error}).", name=self._name, error=type(error).__name__),
            msg("Is its address right, and is it on?"),
        )

    def _refused(self, status: int, body: bytes) -> ChannelError:
        if status in (401, 403):
            return ChannelError(
                msg("{name} does not accept the access token.", name=self._name), msg("Make a new one and set it.")
            )
        said = _own_words(body)
        if said:
            return ChannelError(msg("{name} refused: {said}.", name=self._name, said=said))
        return ChannelError(msg("{name} answered with HTTP status {status}.", name=self._name, status=status))


def _own_words(body: bytes) -> Text:
    """What the service says about its refusal: Telegram's ``description``, ntfy's ``error``, Home Assistant's."""
    try:
        said = json.loads(body)
    except ValueError:
        return ""
    found = (said.get(field) for field in ("description", "error", "message")) if isinstance(said, dict) else ()
    return next((text.rstrip(".")[:200] for text in found if isinstance(text, str)), "")
