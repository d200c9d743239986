"""What the code tells the owner in English, as templates with ``{}``: errors, refusals, the commands' own words."""

import ast
import builtins
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("heed", "function_pool", "android_bridge", "collectors", "models", "executors", "agent")
NOT_SHOWN = ("virtual_phone/", "models/perceptor/", "heed/scaffold.py")
"""Code whose errors the owner of a phone never meets: what the virtual phone prints, and makers' tools."""

BUILTIN = frozenset(name for name in dir(builtins) if name.endswith("Error"))


def templates() -> dict[str, str]:
    """Every template, with the place where it stands."""
    found: dict[str, str] = {}
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            place = path.relative_to(ROOT).as_posix()
            if not place.startswith(NOT_SHOWN):
                for line, text in _in_module(ast.parse(path.read_text("utf-8"))):
                    found.setdefault(text, f"{place}:{line}")
    return found


def _in_module(tree: ast.Module) -> Iterator[tuple[int, str]]:
    names = _named(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _is_error(node.func):
            for argument in node.args:
                for text in _texts(argument, names):
                    yield node.lineno, text
        elif isinstance(node, ast.Call):
            for argument in _said(node):
                for text in _texts(argument, names):
                    yield node.lineno, text


def _said(call: ast.Call) -> Iterator[ast.expr]:
    """What a call that is no error tells the owner: messages, what the commands say, and the doctor's findings."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    told = ("name", "found", "fix") if name == "Check" else ("message",)
    yield from (keyword.value for keyword in call.keywords if keyword.arg in told)
    if name in ("say", "translate"):
        yield from call.args[:1]
    elif name == "headed":
        yield from call.args


def _is_error(function: ast.expr) -> bool:
    name = (
        function.id if isinstance(function, ast.Name) else function.attr if isinstance(function, ast.Attribute) else ""
    )
    return name.endswith("Error") and name not in BUILTIN


def _named(tree: ast.Module) -> dict[str, list[ast.expr]]:
    """What is assigned to each name anywhere in the module."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, []).append(node.value)
    return found


def _texts(node: ast.expr, names: dict[str, list[ast.expr]]) -> Iterator[str]:
    """Every text that an argument can be: written there, or assigned to its name in the module."""
    match node:
        case ast.Constant(value=str(text)) if text:
            yield text
        case ast.JoinedStr(values=parts):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)
        case ast.Name(id=name):
            for value in names.get(name, []):
                yield from _texts(value, {})
        case _:
            for inner in _alternatives(node, names):
                yield from _texts(inner, names)


def _alternatives(node: ast.expr, names: dict[str, list[ast.expr]]) -> list[ast.expr]:
    match node:
        case ast.IfExp(body=yes, orelse=no):
            return [yes, no]
        case ast.BoolOp(values=values) | ast.Tuple(elts=values):
            return values
        case ast.Subscript(value=ast.Name(id=name)) | ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="get")):
            tables = [value for value in names.get(name, []) if isinstance(value, ast.Dict)]
            return [item for table in tables for item in table.values]
    return []
