"""The commands that ask a model server, against a real one on the loopback."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from evaluation.cli import register
from evaluation.proactivemobile.metrics import ProactivePrediction
from function_pool.call import FunctionCall
from training.generator.__main__ import main

LATE = {"name": "send_sms", "parameters": {"recipient": "Bob", "content": "running late, sorry"}}
MOMENT = {
    "profile": "Ann, 34, a nurse.",
    "phone": "Battery 62%.",
    "world": "A working day.",
    "sentence": "Shall I?",
    "parameters": {},
}


class Answers(BaseHTTPRequestHandler):
    """Writes moments, finds no fault, and judges everything the same."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        question = json.loads(asked["messages"][1]["content"])
        body = json.dumps({"choices": [{"message": {"content": json.dumps(self.answer(question))}}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def answer(self, question: dict[str, Any]) -> Any:
        if "wanted" in question:
            return {"same": True}
        if "proposal" in question:
            return {"fault": ""}
        words = question["person"] * 9 + question["time"]
        said = "安" if question["language"] == "zh" else "Opened"
        return {**MOMENT, "profile": f"{said} {words}", "trace": [f"{said} {words} {step}" for step in range(4)]}

    def log_message(self, *args: object) -> None:
        """Nothing on the terminal."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_generator_writes_what_a_model_wrote_and_tells_what_was_rejected(tmp_path: Path, address: str) -> None:
    app = typer.Typer()
    app.command()(main)
    file = tmp_path / "made.json"
    result = CliRunner().invoke(app, [str(file), "--count", "12", "--model", address, "--model-name", "writer"])
    assert result.exit_code == 0, result.output
    made = json.loads(file.read_text("utf-8"))
    assert 6 <= len(made) <= 12
    assert all(record["benchmark_metadata"]["template"].endswith("/model") for record in made)
    assert "rejected" in result.stderr


def test_a_judge_looks_at_what_the_rules_do_not_settle(tmp_path: Path, address: str) -> None:
    said = {"profile": "", "phone": "It is Friday 6 March 2026, 21:00.", "world": "", "trace": ["Opened Messages"]}
    text = {"name": "send_sms", "parameters": {"recipient": "Bob", "content": "I will be ten minutes late"}}
    records = [
        {"benchmark_metadata": {"id": str(at)}, "reference_information": said, "recommendation": [{"function": [text]}]}
        for at in range(3)
    ]
    file, lines = tmp_path / "cases.json", tmp_path / "made.jsonl"
    file.write_text(json.dumps(records), "utf-8")
    known = [ProactivePrediction(id=str(at), calls=(FunctionCall.model_validate(LATE),)) for at in range(2)]
    lines.write_text("".join(f"{one.model_dump_json()}\n" for one in known), "utf-8")
    app = typer.Typer()
    register(app)
    options = ["--judge", address, "--judge-model", "judge", "--parallel", "2", "--predictions", str(lines), "--json"]
    result = CliRunner().invoke(app, ["eval", "proactivemobile", str(file), *options])
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout[result.stdout.index("{") :])
    assert figures["all"]["success_judged"] == pytest.approx(2 / 3)
    assert (figures["all"]["success_strict"], figures["judge_faults"]) == (0.0, 0)
    told = [ProactivePrediction.model_validate_json(line) for line in lines.read_text("utf-8").splitlines()]
    assert {one.id: one.judged for one in told} == {"0": True, "1": True, "2": False}
