"""Loads YAML files with a schema; an error message names the file, the line and the mistake."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import TypeAdapter, ValidationError

from heed.errors import UsageError
from heed.library_messages import from_library
from heed.messages import msg

T = TypeVar("T")


def _child(node: yaml.Node, key: int | str) -> yaml.Node | None:
    if isinstance(node, yaml.SequenceNode) and isinstance(key, int) and key < len(node.value):
        item: yaml.Node = node.value[key]
        return item
    if isinstance(node, yaml.MappingNode):
        return next((value for name, value in node.value if name.value == str(key)), None)
    return None


def _line(text: str, place: Sequence[int | str]) -> int:
    """The 1-based line of ``place``; path elements that are not in the file (names of union members) are skipped."""
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    if node is None:
        return 1
    for key in place:
        node = _child(node, key) or node
    return int(node.start_mark.line) + 1


def parse_document(text: str, schema: TypeAdapter[T], where: str) -> T:
    """Parses YAML ``text`` by ``schema``; ``UsageError`` with ``where`` and the line of the first mistake."""
    try:
        data: Any = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise UsageError(
            msg("{where}, line {line}: {problem}.", where=where, line=line, problem=error.problem),
            msg("Correct the YAML there."),
        ) from error
    try:
        return schema.validate_python(data)
    except ValidationError as error:
        fault = error.errors()[0]
        name = ".".join(str(part) for part in fault["loc"])
        raise UsageError(
            msg(
                "{where}, line {line}: {name}: {fault}.",
                where=where,
                line=_line(text, fault["loc"]),
                name=name,
                fault=from_library(fault["msg"]),
            )
        ) from error


def load_document(path: Path, schema: TypeAdapter[T]) -> T:
    """Loads the file at ``path`` by ``schema``; ``UsageError`` when it cannot be read or is not valid."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(msg("Cannot read {path}: {error}.", path=path, error=error)) from error
    return parse_document(text, schema, str(path))
