"""HTTP requests to the services whose addresses the owner has set; no other host is contacted."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue

from executors.executor import HostError
from heed.messages import msg

if TYPE_CHECKING:
    from httpx import Response

_MOST_BYTES = 4_000_000
_OK = 300


class Service:
    """One HTTP service with JSON requests and answers.

    Redirects are not followed and proxies of the environment are not used, so that requests go only to the address that
    the owner set. Raises ``HostError`` when the service does not answer, refuses, or answers without JSON.
    """

    def __init__(self, name: str, timeout: float, headers: Mapping[str, str] | None = None) -> None:
        self._name, self._timeout, self._headers = name, timeout, dict(headers or {})

    async def get(self, url: str, parameters: Mapping[str, str] | None = None) -> Any:
        """Sends a GET request and returns the decoded JSON."""
        return await self._ask("GET", url, params=dict(parameters or {}))

    async def post(self, url: str, body: Mapping[str, JsonValue]) -> Any:
        """Sends a POST request with a JSON body and returns the decoded JSON."""
        return await self._ask("POST", url, json=dict(body))

    async def _ask(self, method: str, url: str, **options: Any) -> Any:
        # The import takes 0.1 s and is needed only where a service is configured.
        import httpx

        try:
            async with (
                httpx.AsyncClient(timeout=self._timeout, trust_env=False, headers=self._headers) as client,
                client.stream(method, url, **options) as response,
            ):
                body = await _read(response)
                status = response.status_code
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            what = str(error) or type(error).__name__
            raise HostError(
                msg("{name} did not answer: {what}.", name=self._name, what=what),
                msg("Is its address right, and is it on?"),
            ) from error
        if status in (401, 403):
            raise HostError(
                msg("{name} does not accept the access token.", name=self._name), msg("Make a new one and set it.")
            )
        if status >= _OK:
            raise HostError(msg("{name} answered with HTTP status {status}.", name=self._name, status=status))
        try:
            return json.loads(body)
        except ValueError as error:
            raise HostError(
                msg("{name} gave no JSON.", name=self._name), msg("Is that the address of its API?")
            ) from error


async def _read(response: "Response") -> bytes:
    from httpx import DecodingError

    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > _MOST_BYTES:
            raise DecodingError(f"more than {_MOST_BYTES} bytes")
    return bytes(body)
