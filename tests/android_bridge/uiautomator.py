"""uiautomator2's server on the phone in miniature: HTTP JSON-RPC on the phone's port 9008, over adb.

It takes the place of the virtual phone's own, so ``app_process`` starts it. The unmodified uiautomator2 client speaks
to it; the methods are Python functions that a test can change.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest

from virtual_phone.adbd.transport import AdbStream

Method = Callable[..., Any]


class MiniServer:
    """A screen with one text field and a clipboard."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.field = "old"
        self.clipboard = "mine"
        self.answers = True
        """False: it takes requests and never answers."""
        self.accepts_text = True
        """False: the field ignores text that is set, as some web pages do."""
        self.methods: dict[str, Method] = {
            "deviceInfo": lambda: {"displayWidth": 1080, "displayHeight": 2400, "displayRotation": 0},
            "dumpWindowHierarchy": lambda *_: (
                "<?xml version='1.0'?><hierarchy rotation=\"0\">"
                '<node text="Hello" class="a.B" package="c.d" bounds="[0,0][10,20]"/></hierarchy>'
            ),
            "click": lambda *_: True,
            "swipe": lambda *_: True,
            "pressKey": lambda *_: True,
            "waitForExists": lambda selector, _: "text" not in selector or selector["text"] == "Hello",
            "exist": lambda selector: True,
            "objInfo": lambda _: {"bounds": {"left": 0, "top": 0, "right": 10, "bottom": 20}, "visibleBounds": {}},
            "setText": self._set_text,
            "getText": lambda _: self.field,
            "clearInputText": lambda: self._write(""),
            "clearTextField": lambda _: self._write(""),
            "getClipboard": lambda: self.clipboard,
            "setClipboard": self._set_clipboard,
            "pasteClipboard": lambda: self._write(self.field + self.clipboard),
        }

    def _set_text(self, _: object, text: str) -> bool:
        return self._write(text) if self.accepts_text else False

    def _write(self, text: str) -> bool:
        self.field = text
        return True

    def _set_clipboard(self, _: object, text: str) -> None:
        self.clipboard = text

    def installed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Has ``app_process`` start this server."""
        monkeypatch.setattr("virtual_phone.commands.app_process.AutomationServer", lambda *_: self)

    async def serve(self, stream: AdbStream) -> None:
        """Answers the request of one connection."""
        head = b""
        while b"\r\n\r\n" not in head:
            part = await stream.read()
            if not part:
                return
            head += part
        head, _, body = head.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        length = next((int(line.split(":")[1]) for line in lines if line.lower().startswith("content-length")), 0)
        body += await stream.read_exactly(length - len(body))
        while not self.answers and await stream.read():
            pass
        answer = b"pong" if lines[0].startswith("GET /ping") else self._rpc(json.loads(body))
        await stream.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(answer) + answer)

    def _rpc(self, request: dict[str, Any]) -> bytes:
        self.calls.append(request["method"])
        try:
            result = self.methods[request["method"]](*request["params"])
        except LookupError as error:
            return json.dumps({"id": 1, "error": {"code": -32001, "message": str(error), "data": ""}}).encode()
        return json.dumps({"id": 1, "result": result}).encode()


class FalseScreen(MiniServer):
    """An app on the phone that answers as the helper does, and shows a screen that is not there."""

    def __init__(self) -> None:
        super().__init__()
        self.connections = 0

    async def serve(self, stream: AdbStream) -> None:
        """Counts the connection and answers its request."""
        self.connections += 1
        await super().serve(stream)
