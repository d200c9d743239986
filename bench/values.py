"""How often ``models.values.fill`` reads the arguments that labelled messages state.

    python -m bench.values [FILE.jsonl ...] [--no-spans] [--misses] [--language zh] [--region GB]

Without a file, the messages of the hands that the reader did not learn from are read. A line is a message as
``{"kind": "need", "app", "from", "title", "text", "now", "calls": [{"function", "arguments", "spans"}]}``. Right are
times to the minute, numbers as numbers, texts of which one contains the other.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import yaml

from function_pool.spec import Meaning, ParameterSpec, default_pool
from heed.language import Language, language_of
from models.values.fill import fill
from models.values.incoming import IncomingText
from models.values.person import Person

MESSAGES = Path(__file__).parents[1] / "training" / "reader" / "data"
_TIMES = {Meaning.CLOCK_TIME, Meaning.DATE, Meaning.DATE_TIME}
Row = tuple[str, str, str, bool, str]
"""Language of the message, function, parameter, whether it is right, and the miss in words."""


def rows(path: Path, person: Person, *, spans: bool) -> Iterator[Row]:
    """One row per argument of every labelled call of a file."""
    for line in path.read_text("utf-8").splitlines():
        message = json.loads(line) if line.strip() else {}
        for call in message.get("calls") or ():
            yield from _call(message, call, person, spans=spans)


def _call(message: Mapping[str, Any], call: Mapping[str, Any], person: Person, *, spans: bool) -> Iterator[Row]:
    spec = default_pool().get(call["function"])
    text = IncomingText(
        app=message["app"],
        sender=str(message.get("from", "")),
        known=message.get("known"),
        title=message.get("title") or "",
        text=message["text"],
    )
    given = {name: span for name, span in (call.get("spans") or {}).items() if spans and isinstance(span, str)}
    found = fill(spec, given, text, datetime.fromisoformat(message["now"]), person) or {}
    language = language_of(text.text)
    for name, wanted in call["arguments"].items():
        if name in spec.parameters:
            ok = _right(spec.parameters[name], wanted, found.get(name))
            yield language, spec.name, name, ok, f"{wanted!r}, not {found.get(name)!r} <- {text.text[:90]!r}"


def _right(parameter: ParameterSpec, wanted: Any, found: Any) -> bool:
    if found is None:
        return False
    if parameter.meaning in _TIMES:
        return str(found).startswith(str(wanted)[:16])
    try:
        return float(str(wanted).replace(",", "")) == float(str(found).replace(",", ""))
    except ValueError:
        first, second = (re.sub(r"[\W_]", "", str(one).lower()) for one in (wanted, found))
        return bool(first and second) and (first in second or second in first)


def _kind(function: str, name: str) -> str:
    parameter = default_pool().get(function).parameters[name]
    if parameter.choices:
        return "choice"
    return str(parameter.meaning) if parameter.meaning is not Meaning.TEXT else parameter.type


def held_out_files() -> list[Path]:
    """The messages of the hands that the reader did not learn from."""
    hands = yaml.safe_load((MESSAGES / "hands.yaml").read_text("utf-8"))["choose"]
    return [MESSAGES / f"{hand}.jsonl" for hand in hands]


def main() -> None:
    """Prints the shares per language and kind of parameter."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, default=held_out_files())
    parser.add_argument("--no-spans", action="store_true")
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--language", type=Language, default=Language.EN)
    parser.add_argument("--region", default="")
    given = parser.parse_args()
    person = Person(language=given.language, region=given.region)
    total, right = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for path in given.files:
        for language, function, name, ok, miss in rows(path, person, spans=not given.no_spans):
            for key in ((language, _kind(function, name)), (language, "all")):
                total[key] += 1
                right[key] += ok
            if given.misses and not ok:
                print(f"{function}.{name}: {miss}")
    for key in sorted(total):
        print(f"{key[0]} {key[1]:<14} {right[key]:>5} of {total[key]:<5} {right[key] / total[key]:.0%}")


if __name__ == "__main__":
    main()
