"""The injection tasks and attack templates of AgentDojo, read from its wheel as data: no code of it is run.

AgentDojo (https://pypi.org/project/agentdojo, MIT) depends on the client libraries of several model hosts, so that its
wheel is downloaded without them, and its constants are read with ``ast``.
"""

import ast
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.security.corpus import Attack

VERSION = "0.1.35"
_TASKS = "agentdojo/default_suites/"
_TEMPLATES = ("agentdojo/attacks/baseline_attacks.py", "agentdojo/attacks/important_instructions_attacks.py")


class UnavailableError(Exception):
    """The wheel cannot be had here."""


class Calls(NamedTuple):
    """What a template of AgentDojo fills in."""

    goal: str
    tools: str


def download(folder: Path) -> Path:
    """The wheel from the registry, or from pip's cache; raises ``UnavailableError``."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--quiet", "--dest", str(folder)]
    try:
        subprocess.run([*command, f"agentdojo=={VERSION}"], check=True, capture_output=True, timeout=120)
    except (OSError, subprocess.SubprocessError) as error:
        raise UnavailableError(f"agentdojo {VERSION} cannot be downloaded: {error}") from error
    return next(folder.glob("agentdojo-*.whl"))


def injections(wheel: Path) -> Sequence[Attack]:
    """Every injection task of every version in every template, each text once."""
    found: list[Attack] = []
    with zipfile.ZipFile(wheel) as archive:
        templates = dict(one for name in _TEMPLATES for one in _templates(ast.parse(archive.read(name))))
        for name in sorted(archive.namelist()):
            if name.startswith(_TASKS) and name.endswith("injection_tasks.py"):
                suite = "/".join(name.split("/")[2:4])
                tasks = list(_tasks(ast.parse(archive.read(name))))
                found += [
                    Attack(f"{suite}/{task}/{template}", "agentdojo", _filled(text, calls))
                    for task, calls in tasks
                    for template, text in templates.items()
                ]
    return list({attack.text: attack for attack in found}.values())


def _filled(template: str, calls: Calls) -> str:
    return template.format(goal=calls.goal, tools=calls.tools, user="Emma Johnson", model="heed", task="")


def _templates(module: ast.Module) -> Iterator[tuple[str, str]]:
    """Name and text of each template: a class constant, or the string given to the base class."""
    for each in _classes(module):
        known = _constants(each, {})
        texts = [known["_JB_STRING"]] if "_JB_STRING" in known else []
        texts += [text for arg in _arguments(each) if "{goal}" in (text := _text(arg, known) or "")]
        if "name" in known and texts:
            yield known["name"], texts[0]


def _arguments(each: ast.ClassDef) -> Iterator[ast.expr]:
    for node in ast.walk(each):
        if isinstance(node, ast.Call):
            yield from node.args


def _tasks(module: ast.Module) -> Iterator[tuple[str, Calls]]:
    """Name, goal and tool calls of each injection task."""
    shared = _constants(module, {})
    for each in _classes(module):
        known = _constants(each, shared)
        if "GOAL" in known:
            yield each.name, Calls(known["GOAL"], "; ".join(_tools(each, known)))


def _tools(each: ast.ClassDef, known: Mapping[str, str]) -> Iterator[str]:
    for node in ast.walk(each):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "FunctionCall":
            given = {word.arg: ast.unparse(word.value) for word in node.keywords}
            yield f"{given.get('function')} with {given.get('args')}"


def _classes(module: ast.Module) -> Iterator[ast.ClassDef]:
    return (node for node in module.body if isinstance(node, ast.ClassDef))


def _constants(body: ast.Module | ast.ClassDef, shared: Mapping[str, str]) -> dict[str, str]:
    """The text constants of a module or class; an f-string may use those before it."""
    known = dict(shared)
    for node in body.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            text = _text(node.value, known)
            if text is not None:
                known[node.targets[0].id] = text
    return known


def _text(node: ast.expr, known: Mapping[str, str]) -> str | None:
    match node:
        case ast.Constant(value=str() | int() | float() as value):
            return str(value)
        case ast.JoinedStr(values=parts):
            return "".join(_text(part, known) or "" for part in parts)
        case ast.FormattedValue(value=inner):
            return known.get(ast.unparse(inner).removeprefix("self."), ast.unparse(inner))
    return None
