"""Every regular expression of the product: those of its modules and tables, and those written into calls of ``re``."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import yaml

from bench.environment import ROOT
from models.routines.language import patterns as declared_patterns

SITUATIONS = ("models/routines/data/situations.yaml", "models/routines/data/phone_situations.yaml")
PACKAGES = (
    "heed",
    "virtual_phone",
    "android_bridge",
    "function_pool",
    "collectors",
    "models",
    "executors",
    "agent",
    "evaluation",
)
OPTIONAL = frozenset(
    {"llama_cpp", "llguidance", "gguf", "huggingface_hub", "torch", "rapidocr_onnxruntime", "httpx2", "knowu_bench"}
)
"""Packages that may be missing: a module that needs one is left out."""

_METHODS = frozenset({"search", "match", "fullmatch", "sub", "subn", "finditer", "findall", "split"})
_DEPTH = 6


class Source(NamedTuple):
    """One pattern, where it stands and how it is used."""

    pattern: re.Pattern[str]
    place: str
    methods: frozenset[str]


@cache
def sources() -> list[Source]:
    """All of them, each pattern once per place."""
    found: dict[tuple[str, int, str], Source] = {}
    for source in (*_in_modules(), *_in_calls(), *_in_tables()):
        if isinstance(source.pattern.pattern, str):
            found.setdefault((source.pattern.pattern, source.pattern.flags, source.place.partition(":")[0]), source)
    return list(found.values())


def _in_modules() -> Iterator[Source]:
    for module in _modules():
        path = Path(str(module.__file__))
        place = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else module.__name__
        tree = ast.parse(path.read_text("utf-8"))
        lines, methods = _assignments(tree), _uses(tree)
        for name, value in vars(module).items():
            if name in lines:
                for pattern in _patterns(value, _DEPTH):
                    yield Source(pattern, f"{place}:{lines[name]}", methods.get(name, _METHODS))


def _modules() -> Iterator[ModuleType]:
    for package in PACKAGES:
        root = importlib.import_module(package)
        for info in pkgutil.walk_packages(root.__path__, f"{package}."):
            if info.name.endswith("__main__") or ".templates" in info.name:
                continue
            try:
                yield importlib.import_module(info.name)
            except ModuleNotFoundError as error:
                if (error.name or "").partition(".")[0] not in OPTIONAL:
                    raise


def _assignments(tree: ast.Module) -> dict[str, int]:
    found: dict[str, int] = {}
    for node in tree.body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        names = [name for target in targets for name in (target.elts if isinstance(target, ast.Tuple) else [target])]
        found |= {name.id: node.lineno for name in names if isinstance(name, ast.Name)}
    return found


def _uses(tree: ast.Module) -> dict[str, frozenset[str]]:
    """The methods that are called on a name, where it is used in no other way."""
    called: dict[str, set[str]] = {}
    inside = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in _METHODS:
            called.setdefault(node.value.id, set()).add(node.attr)
            inside.add(id(node.value))
    loose = {
        n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and id(n) not in inside
    }
    return {name: frozenset(methods) for name, methods in called.items() if name not in loose}


def _patterns(value: Any, depth: int) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth and isinstance(value, Mapping):
        for item in value.values():
            yield from _patterns(item, depth - 1)
    elif depth and isinstance(value, (tuple, list, set, frozenset)):
        for item in value:
            yield from _patterns(item, depth - 1)
    elif depth and hasattr(value, "__dict__") and not isinstance(value, (type, ModuleType)) and not callable(value):
        yield from _patterns(vars(value), depth - 1)


def _in_calls() -> Iterator[Source]:
    """``re.search("…", text)`` and the like with a written pattern; those compiled in a function, too."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Call) and (source := _call(node, path.relative_to(ROOT).as_posix())):
                    yield source


def _call(node: ast.Call, place: str) -> Source | None:
    if not (
        isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and node.func.value.id == "re"
    ):
        return None
    method = node.func.attr
    if method not in _METHODS or not node.args or not isinstance(node.args[0], ast.Constant):
        return None
    if not isinstance(node.args[0].value, str):
        return None
    flags = re.NOFLAG
    for word in ast.walk(
        ast.Module([ast.Expr(item) for item in [*node.args[2:], *(k.value for k in node.keywords)]], [])
    ):
        if isinstance(word, ast.Attribute) and word.attr.isupper():
            flags |= getattr(re, word.attr)
    return Source(re.compile(node.args[0].value, flags), f"{place}:{node.lineno}", frozenset({method}))


def _in_tables() -> Iterator[Source]:
    loaded = declared_patterns.patterns()
    for name, value in (("entities", loaded.entities), ("phrases", loaded.phrases)):
        for pattern in _patterns(value, _DEPTH):
            yield Source(pattern, f"models/routines/data/patterns.yaml:{name}", frozenset({"search", "finditer"}))
    for path in SITUATIONS:
        for pattern in _conditions(yaml.safe_load((ROOT / path).read_text("utf-8"))):
            yield Source(pattern, path, frozenset({"search"}))


def _conditions(value: Any) -> Iterator[re.Pattern[str]]:
    if isinstance(value, Mapping):
        for name, item in value.items():
            if name in {"text", "matches"} and isinstance(item, str):
                yield re.compile(item, re.IGNORECASE)
            else:
                yield from _conditions(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _conditions(item)
