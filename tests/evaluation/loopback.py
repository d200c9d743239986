"""A scripted OpenAI-compatible server on the loopback: chat completions, and embeddings."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = Callable[[dict[str, Any]], str | int]
"""From a request to what the model says, or to an HTTP status that refuses it."""


class ScriptedServer:
    """A running server; ``asked`` has the body of every request."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}/v1"
        self.asked: list[dict[str, Any]] = []


@contextmanager
def scripted(reply: Reply, embed: Callable[[str], Sequence[float]] = lambda text: (1.0,)) -> Iterator[ScriptedServer]:
    """A server that answers with ``reply`` and embeds with ``embed``, while in the block."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.asked.append(asked)
            if self.path == "/v1/embeddings":
                rows = [{"index": number, "embedding": list(embed(text))} for number, text in enumerate(asked["input"])]
                self._send(200, {"data": rows})
                return
            said = reply(asked)
            if isinstance(said, int):
                self._send(said, {"error": {"message": "refused"}})
                return
            choice = {"index": 0, "message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            self._send(200, {"id": "1", "object": "chat.completion", "created": 0, "model": "scripted",
                             "choices": [choice], "usage": usage})  # fmt: skip

        def _send(self, status: int, answer: Any) -> None:
            body = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            """Nothing on the terminal."""

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server = ScriptedServer(listening.server_port)
    thread = threading.Thread(target=listening.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        listening.shutdown()
        thread.join()
        listening.server_close()
