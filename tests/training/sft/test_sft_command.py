"""``python -m training.sft`` as far as it goes without PyTorch: records for other trainers, and mistakes."""

import json
import subprocess
import sys
from pathlib import Path

from tests.conftest import REPO

LABEL = {"id": "founder/en/0", "calls": [{"f": "order_food_delivery", "args": {"keyword": "grilled chicken bowl"}}]}


def sft(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "training.sft", *map(str, arguments)]
    return subprocess.run(command, cwd=REPO, capture_output=True, text=True, timeout=120, check=False)


def labels(tmp_path: Path) -> Path:
    path = tmp_path / "labels.jsonl"
    path.write_text(json.dumps(LABEL) + "\n", "utf-8")
    return path


def test_the_corpus_is_written_for_another_trainer(tmp_path: Path) -> None:
    done = sft("any/base", tmp_path, "--arguments", labels(tmp_path), "--held-out", "0", "--format", "ms-swift")
    assert done.returncode == 0, done.stderr
    lines = Path(done.stdout.strip()).read_text("utf-8").splitlines()
    answers = [json.loads(line)["messages"][2]["content"] for line in lines]
    assert len(answers) == 2
    assert sum("order_food_delivery" in answer for answer in answers) == 1


def test_an_export_is_learned_from(tmp_path: Path) -> None:
    said = {"profile": "", "phone": "", "world": "", "trace": []}
    export = tmp_path / "export.json"
    export.write_text(json.dumps([{"reference_information": said, "recommendation": []}]), "utf-8")
    options = ("--silence", "1", "--held-out", "0", "--format", "llama-factory")
    done = sft("any/base", tmp_path / "out", export, *options)
    assert done.returncode == 0, done.stderr
    assert "chats to learn from: 1" in done.stderr


def test_without_labels_it_says_what_to_name(tmp_path: Path) -> None:
    empty = tmp_path / "none.jsonl"
    empty.touch()
    done = sft("any/base", tmp_path / "out", "--arguments", empty)
    assert done.returncode == 2
    assert "--arguments" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_that_holds_no_records_is_a_mistake(tmp_path: Path) -> None:
    done = sft("any/base", tmp_path / "out", labels(tmp_path), "--format", "ms-swift")
    assert done.returncode == 2
    assert "records" in done.stderr


def test_no_usable_record_is_a_mistake(tmp_path: Path) -> None:
    export = tmp_path / "export.json"
    export.write_text("[]", "utf-8")
    done = sft("any/base", tmp_path / "out", export)
    assert done.returncode == 2
    assert "No record can be learned from" in done.stderr
