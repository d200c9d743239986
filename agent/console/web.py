"""Shared by both pages: the static files, the server's headers, and the checks of a request's origin and session."""

import json
from collections.abc import Mapping
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from agent.consent.pending_requests import RequestClosedError
from agent.console.browser_sessions import NotAllowedError
from collectors.frames import NoFrameError
from heed.errors import DeviceError, NoDeviceError, PersonError
from heed.language import Language
from heed.messages import translate

STATIC = Path(__file__).parent / "static"
MAX_BODY = 16 * 1024
"""Bytes of a request; the largest is an answer."""

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
"""Nothing but our own files runs or loads, and no script may turn text into markup."""

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}

_READS = ("GET", "HEAD")
_STATUS: tuple[tuple[type[PersonError], int], ...] = (
    (NotAllowedError, 401),
    (RequestClosedError, 409),
    (NoDeviceError, 404),
    (NoFrameError, 503),
    (DeviceError, 503),
)


class RequestGuard:
    """Lets only requests through that our own page sent to our own address.

    The Host header is checked against DNS rebinding (a foreign name that was pointed at this machine), Origin and
    Sec-Fetch-Site against other pages, those of other ports of this machine included. Every answer gets ``HEADERS``.
    """

    def __init__(self, app: ASGIApp, port: int) -> None:
        """``port`` is the one in the page's address."""
        self._app = app
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        fault = self._fault(scope["method"], scope["path"], Headers(scope=scope))
        app = _refusal(fault) if fault else self._app
        await app(scope, receive, _with_headers(send))

    def _fault(self, method: str, path: str, headers: Headers) -> str:
        host, origin = headers.get("host", ""), headers.get("origin")
        if host not in self._hosts:
            return "This is not the console's address."
        if origin is not None and origin != f"http://{host}":
            return "The request came from another page."
        if origin is None and method not in _READS:
            return "A change must say which page it comes from."
        # The empty frame of the page may be opened by a link on another page; nothing else may.
        if path != "/" and headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return "The request came from another page."
        return ""


def _refusal(fault: str) -> ASGIApp:
    return JSONResponse({"error": fault, "remedy": ""}, status_code=403)


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
        await send(message)

    return sending


def new_app(language: Language) -> FastAPI:
    """An application with the static files and nothing else: no generated documentation, no telemetry.

    What the person can fix is explained in ``language``.
    """
    app = FastAPI(
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        max_body_size=MAX_BODY,
        # Its default would follow an environment variable and send traces to a server.
        telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},
    )
    app.mount("/static", StaticFiles(directory=STATIC))

    async def explain(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, PersonError)  # noqa: S101 - registered for these only
        return _explained(error, language)

    app.add_exception_handler(PersonError, explain)
    return app


def _explained(error: PersonError, language: Language) -> JSONResponse:
    """A ``PersonError`` as data; the one place where errors become answers."""
    status = next((code for kind, code in _STATUS if isinstance(error, kind)), 400)
    said = {"error": translate(error.message, language), "remedy": translate(error.remedy, language)}
    return JSONResponse(said, status_code=status)


def compact(value: object) -> str:
    """JSON on one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
