"""The HTTP server: ``/ping`` and ``/jsonrpc/0`` (tested with the client of uiautomator2 3.7.1)."""

import inspect
import json
import re
from typing import Any

from virtual_phone.adbd.faults import Faults
from virtual_phone.adbd.transport import AdbStream
from virtual_phone.automation.http import BadRequestError, HttpRequest, RequestReader, response
from virtual_phone.automation.methods import INJECTING, Methods, NoSuchViewError
from virtual_phone.ui.screen import Screen

_JSON, _TEXT = "application/json", "text/plain"
_NOT_FOUND, _INVALID, _FAILED = -32601, -32602, -32001


class AutomationServer:
    """One run of ``app_process com.wetest.uia2.Main`` on a phone."""

    def __init__(self, screen: Screen, faults: Faults) -> None:
        self._methods, self._faults = Methods(screen), faults

    async def serve(self, stream: AdbStream) -> None:
        """Answer the requests of one connection."""
        requests = RequestReader(stream)
        try:
            while (request := await requests.next()) is not None:
                await stream.write(await self._answer(request))
        except BadRequestError:
            await stream.write(response(400, b"BAD REQUEST", _TEXT))

    async def _answer(self, request: HttpRequest) -> bytes:
        if request.path == "/ping":
            return response(200, b"pong", _TEXT)
        if request.path != "/jsonrpc/0":
            return response(404, b"Not Found", _TEXT)
        try:
            call = json.loads(request.body)
        except ValueError as error:
            raise BadRequestError from error
        if not isinstance(call, dict):
            raise BadRequestError
        return response(200, json.dumps(await self._reply(call)).encode(), _JSON)

    async def _reply(self, call: dict[str, Any]) -> dict[str, Any]:
        reply = {"jsonrpc": "2.0", "id": call.get("id", 1)}
        name, arguments = str(call.get("method")), call.get("params") or []
        method = self._methods.table.get(name)
        if method is None:
            return reply | _error(_NOT_FOUND, "method not found", name)
        if name in INJECTING and self._faults.refuses_input:
            return reply | _error(_FAILED, "java.lang.SecurityException: Injecting events needs INJECT_EVENTS", name)
        try:
            inspect.signature(method).bind(*arguments)
        except TypeError as error:
            return reply | _error(_INVALID, "method parameters invalid", str(error))
        try:
            result = method(*arguments)
            return reply | {"result": await result if inspect.isawaitable(result) else result}
        except NoSuchViewError as error:
            return reply | _error(_FAILED, "androidx.test.uiautomator.UiObjectNotFoundException", str(error))
        except (re.error, TypeError, ValueError) as error:
            return reply | _error(_FAILED, "java.lang.IllegalArgumentException", str(error))


def _error(code: int, message: str, detail: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, "data": detail}}
