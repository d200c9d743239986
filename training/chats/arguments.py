"""Labelled arguments of the corpus's needs.

A line is a label: ``{"id": "WRITER/LANGUAGE/LINE", "calls": [{"f": FUNCTION, "args": {...}, "from": {...}, "open":
[...]}]}``, or ``{"id", "function", "args", "say"}`` with one call. ``LINE`` is counted from 0. A moment whose arguments
cannot be filled has no calls, or ``null`` for arguments.
"""

from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter, ValidationError

from function_pool.call import FunctionCall
from heed.errors import UsageError

Labels = Mapping[str, tuple[FunctionCall, ...]]
"""The calls of a need, by the id of its moment; none where they cannot be filled."""


class _Label(BaseModel):
    """What is read of a label; other fields are the labeller's notes."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class _LabelledCall(_Label):
    f: str
    args: dict[str, JsonValue]


class _Calls(_Label):
    id: str
    calls: tuple[_LabelledCall, ...]

    def made(self) -> tuple[FunctionCall, ...]:
        return tuple(FunctionCall(name=call.f, parameters=call.args) for call in self.calls)


class _OneCall(_Label):
    id: str
    function: str
    args: dict[str, JsonValue] | None = Field()

    def made(self) -> tuple[FunctionCall, ...]:
        return () if self.args is None else (FunctionCall(name=self.function, parameters=self.args),)


_LINE: TypeAdapter[_Calls | _OneCall] = TypeAdapter(_Calls | _OneCall)


def own_labels() -> tuple[Path, ...]:
    """The files of labels beside the corpus."""
    folder = Path(str(files("training"))) / "arguments" / "data"
    return tuple(sorted(folder.glob("*.jsonl")))


def read_labels(paths: Iterable[Path]) -> Labels:
    """The labels of the files; of two labels with one id the later is kept. ``UsageError`` names the line at fault."""
    found: dict[str, tuple[FunctionCall, ...]] = {}
    for path in paths:
        for number, line in enumerate(_lines(path), 1):
            try:
                label = _LINE.validate_json(line)
            except ValidationError as error:
                raise UsageError(
                    f"{path}: line {number} is no label of arguments: {error.errors()[0]['msg']}."
                ) from error
            found[label.id] = label.made()
    return found


def _lines(path: Path) -> list[str]:
    try:
        return [line for line in path.read_text("utf-8").splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        raise UsageError(f"Cannot read the labels {path}: {error}.") from error
