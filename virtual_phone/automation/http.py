"""The subset of HTTP/1.1 that the server on the phone speaks: one request after the other on a stream."""

from typing import NamedTuple

from virtual_phone.adbd.transport import AdbStream

_MAX_HEAD, _MAX_BODY = 65536, 16 * 1024 * 1024
_REASONS = {200: "OK", 400: "BAD REQUEST", 404: "Not Found"}


class BadRequestError(Exception):
    """Bytes that are not a request, or too many of them."""


class HttpRequest(NamedTuple):
    """One request."""

    method: str
    path: str
    body: bytes


class RequestReader:
    """Reads requests from a stream."""

    def __init__(self, stream: AdbStream) -> None:
        self._stream, self._rest = stream, b""

    async def next(self) -> HttpRequest | None:
        """The next request; None at the end of the stream. Raises ``BadRequestError`` for anything else."""
        while b"\r\n\r\n" not in self._rest:
            part = await self._stream.read()
            if not part:
                return None
            self._rest += part
            if len(self._rest) > _MAX_HEAD + _MAX_BODY:
                raise BadRequestError
        head, _, self._rest = self._rest.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        words = lines[0].split(" ")
        if len(words) != 3:
            raise BadRequestError
        return HttpRequest(words[0], words[1], await self._body(_length(lines[1:])))

    async def _body(self, length: int) -> bytes:
        if len(self._rest) < length:
            self._rest += await self._stream.read_exactly(length - len(self._rest))
        body, self._rest = self._rest[:length], self._rest[length:]
        return body


def _length(headers: list[str]) -> int:
    for header in headers:
        name, _, value = header.partition(":")
        if name.lower() == "content-length":
            if not value.strip().isdecimal() or int(value) > _MAX_BODY:
                raise BadRequestError
            return int(value)
    return 0


def response(status: int, body: bytes, kind: str) -> bytes:
    """A complete response."""
    head = f"HTTP/1.1 {status} {_REASONS[status]}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body
