"""The KnowU cases in disguise: everything that a benchmark-minded lexicon could key on is another."""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import yaml

_RULES = yaml.safe_load((Path(__file__).parent / "disguise.yaml").read_text("utf-8"))
_ISO = re.compile(r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}")
_CLOCK = re.compile(r"(?<![\d:.])([01]\d|2[0-3]):([0-5]\d)(?![\d:])")


def disguise(source: Path, target: Path, *, shift: timedelta) -> Path:
    """The data set below ``source``, renamed, paraphrased and shifted in time, written below ``target``."""
    for path in sorted(source.rglob("*.jsonl")):
        lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        written = "\n".join(json.dumps(_entry(line, shift), ensure_ascii=False) for line in lines)
        _write(target / path.relative_to(source), written)
    for name in ("cases.json", "reject_cases.json"):
        cases = json.loads((source / name).read_text("utf-8"))
        _write(target / name, json.dumps([_case(case, shift) for case in cases], ensure_ascii=False))
    return target


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def _entry(entry: Mapping[str, str], shift: timedelta) -> dict[str, str]:
    action = _rewritten(_clocks(_renamed(entry["action"]), shift), _RULES["actions"])
    return {"time": _moved(entry["time"], shift), "location": _renamed(entry["location"]), "action": action}


def _case(case: Mapping[str, Any], shift: timedelta) -> dict[str, Any]:
    fixed = {name: case[name] for name in ("id", "role", "logs", "profile", "contested", "notes") if name in case}
    moved: dict[str, Any] = _deep({name: value for name, value in case.items() if name not in fixed}, shift)
    return {**moved, **fixed}


def _deep(value: Any, shift: timedelta) -> Any:
    if isinstance(value, dict):
        return {_text(key, shift) if "." in key else key: _deep(member, shift) for key, member in value.items()}
    if isinstance(value, list):
        return [_deep(member, shift) for member in value]
    if isinstance(value, str):
        return _moved(value, shift) if _ISO.match(value) else _text(value, shift)
    return value


def _text(text: str, shift: timedelta) -> str:
    return _rewritten(_clocks(_renamed(text), shift), _RULES["events"])


def _renamed(text: str) -> str:
    for old, new in _RULES["renames"].items():
        text = re.sub(rf"(?<![\w]){re.escape(old)}(?![\w])" if old.isascii() else re.escape(old), new, text)
    return text


def _rewritten(text: str, rules: Sequence[tuple[str, str]]) -> str:
    for pattern, replacement in rules:
        text = re.sub(pattern, replacement, text)
    return text


def _moved(moment: str, shift: timedelta) -> str:
    return (datetime.fromisoformat(moment) + shift).isoformat()


def _clocks(text: str, shift: timedelta) -> str:
    def move(match: re.Match[str]) -> str:
        then = datetime(2026, 1, 1, int(match[1]), int(match[2])) + shift  # noqa: DTZ001
        return f"{then:%H:%M}"

    return _CLOCK.sub(move, text)
