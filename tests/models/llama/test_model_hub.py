"""Models from the hub, against a server on this machine that answers as the hub does."""

import hashlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from heed.errors import ModelError, UsageError
from models.llama import hub

CONTENT = b"GGUF and then some weights" * 1000
COMMIT = "a" * 40


class Hub(BaseHTTPRequestHandler):
    """Serves one large file; ``broken`` ones have other bytes than their hash says."""

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def do_GET(self) -> None:
        self._answer(body=True)

    def _answer(self, *, body: bool) -> None:
        if not self.path.startswith("/org/repo/resolve/"):
            self.send_response(404)
            self.send_header("X-Error-Code", "RepoNotFound")
            self.end_headers()
            return
        if "missing" in self.path:
            self.send_response(404)
            self.send_header("X-Error-Code", "EntryNotFound")
            self.end_headers()
            return
        content = CONTENT[::-1] if "broken" in self.path else CONTENT
        self.send_response(200)
        self.send_header("ETag", f'"{hashlib.sha256(CONTENT).hexdigest()}"')
        self.send_header("X-Repo-Commit", COMMIT)
        self.send_header("X-Linked-Size", str(len(content)))
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if body:
            self.wfile.write(content[: len(content) // 2] if "cut" in self.path else content)

    def log_message(self, *args: object) -> None:
        """Quiet."""


@pytest.fixture
def endpoint() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_file_is_downloaded_once_and_then_found_without_a_server(endpoint: str, tmp_path: Path) -> None:
    path = hub.fetch("hf:org/repo/sub/model.gguf", cache=tmp_path, endpoint=endpoint)
    assert path.read_bytes() == CONTENT
    assert hub.fetch("hf:org/repo/sub/model.gguf", cache=tmp_path, endpoint="http://127.0.0.1:9") == path


def test_a_download_that_differs_from_its_hash_is_deleted(endpoint: str, tmp_path: Path) -> None:
    for _ in range(2):
        with pytest.raises(ModelError, match="damaged"):
            hub.fetch("hf:org/repo/broken.gguf", cache=tmp_path, endpoint=endpoint)
    assert not list(tmp_path.rglob("*.gguf"))


def test_a_download_that_breaks_off_can_be_tried_again(
    endpoint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.file_download.time.sleep", lambda seconds: None)  # its pauses between tries
    with pytest.raises(ModelError, match="failed"):
        hub.fetch("hf:org/repo/cut.gguf", cache=tmp_path, endpoint=endpoint)


@pytest.mark.parametrize(
    ("reference", "sentence"),
    [("hf:org/repo/missing.gguf", "There is no"), ("hf:org/other/model.gguf", "There is no")],
)
def test_what_the_hub_does_not_have_is_named(endpoint: str, tmp_path: Path, reference: str, sentence: str) -> None:
    with pytest.raises(ModelError, match=sentence) as caught:
        hub.fetch(reference, cache=tmp_path, endpoint=endpoint)
    assert reference in str(caught.value.message)


def test_a_hub_out_of_reach_is_said_to_be(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot be reached"):
        hub.fetch("hf:org/repo/model.gguf", cache=tmp_path, endpoint="http://127.0.0.1:9")


@pytest.mark.parametrize("reference", ["hf:", "hf:model.gguf", "hf:org/repo", "hf:org//model.gguf"])
def test_a_reference_without_a_file_is_a_usage_error(reference: str) -> None:
    with pytest.raises(UsageError, match="names no file"):
        hub.parse(reference)


def test_a_reference_may_name_a_revision() -> None:
    assert hub.parse("hf:org/repo/a/b.gguf@v1") == hub.HubFile("org/repo", "a/b.gguf", "v1")
    assert hub.parse("hf:org/repo/b.gguf").revision == "main"
