"""Does a command follow its documented usage? The table is ``usage.yaml``."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from android_bridge.screen_helper import JAR, jar_hash

_PACKAGE = r"[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*"


def _like(pattern: str) -> Callable[[str], bool]:
    return lambda word: bool(re.fullmatch(pattern, word, re.ASCII | re.DOTALL))


KINDS: Mapping[str, Callable[[str], bool]] = {
    "any": lambda word: True,
    "flagless": lambda word: bool(word) and not word.startswith("--"),
    "token": _like(r"[A-Za-z][\w.]*"),
    "word": _like(r"[a-z_]+"),
    "package": _like(_PACKAGE),
    "component": _like(rf"{_PACKAGE}/[\w.$]+"),
    "uri": lambda word: bool(re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", word)) and not word.startswith(("intent:", "file:")),
    "content": _like(r"content://[\w.-]+(?:/[\w.%-]+)*"),
    "mime": _like(r"[a-z][\w.+-]*/(?:\*|[\w.+-]+)"),
    "int": _like(r"-?\d{1,19}"),
    "float": _like(r"-?\d+(?:\.\d+)?"),
    "number": _like(r"-?\d+(?:\.\d+)?"),
    "ints": _like(r"\d+(?:,\d+)*"),
    "bool": _like("true|false"),
    "bit": _like("[01]"),
    "enable": _like("enable|disable"),
    "enabled": _like("enabled|disabled"),
    "security": _like("open|wpa2|wpa3"),
    "ringer": _like("NORMAL|VIBRATE|SILENT"),
    "key": _like(r"[a-z#][\w.#:/-]*"),
    "user": _like(r"current|\d+"),
    "columns": _like(r"\w+(?::\w+)*"),
    "sort": _like(r"\w+(?: (?:ASC|DESC))?(?:, ?\w+(?: (?:ASC|DESC))?)*"),
    "extra": _like(r"[a-z\\:.-]+:i:\d+"),
    "binding": _like(r"\w+:[snilfdb]:.*"),
    "namespace": _like("system|secure|global"),
    "path": _like(r"/.+"),
}


@cache
def _table() -> Sequence[Mapping[str, Any]]:
    raw = yaml.safe_load(Path(__file__).with_name("usage.yaml").read_text("utf-8"))
    return tuple(raw["commands"])


_HELPER = (
    f"cat /proc/net/tcp /proc/net/tcp6|chmod 400 {JAR}|rm -f {JAR}|stat -c %u:%a {JAR}|sha256sum {JAR}|id -u"
    "|[ 2000:400 = 2000:400 ]|app_process / com.wetest.uia2.Main -p 9008"
    "|exec app_process / com.wetest.uia2.Main -p 9008"
    f"|[ {jar_hash()}  {JAR} = {jar_hash()}  {JAR} ]"
).split("|")


def of_the_helper(command: Sequence[str]) -> bool:
    """Whether it starts or proves uiautomator2's helper (``tests/android_bridge/test_screen_helper.py``)."""
    return " ".join(command) in _HELPER


def fault(command: Sequence[str]) -> str:
    """What is wrong with a command; empty when it follows its usage."""
    rows = [row for row in _table() if tuple(command[: 1 + _length(row)]) == (row["program"], *_verb(row))]
    if not rows:
        return f"no documented usage for {' '.join(command[:3])}"
    row = max(rows, key=_length)
    return _fault(list(command[1 + _length(row) :]), row.get("options", {}), row.get("words", []))


def _verb(row: Mapping[str, Any]) -> list[str]:
    return str(row["verb"]).split()


def _length(row: Mapping[str, Any]) -> int:
    return len(_verb(row))


def _fault(words: list[str], options: Mapping[str, Sequence[str]], alone: Sequence[str]) -> str:
    standing = []
    while words:
        word = words.pop(0)
        if word in options:
            kinds = options[word]
            values, words = words[: len(kinds)], words[len(kinds) :]
            if len(values) < len(kinds) or not all(
                KINDS[kind](value) for kind, value in zip(kinds, values, strict=True)
            ):
                return f"{word} takes {' '.join(kinds)}, not {values}"
        else:
            standing.append(word)
    needed = [kind for kind in alone if not kind.endswith("?")]
    kinds = [kind.removesuffix("?") for kind in alone]
    if not len(needed) <= len(standing) <= len(kinds):
        return f"takes {alone}, not {standing}"
    wrong = [word for kind, word in zip(kinds, standing, strict=False) if not KINDS[kind](word)]
    return f"not as documented: {wrong}" if wrong else ""
