"""A public class's name says which class it is: no other package of the wheel defines one of that name."""

import ast
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.conftest import REPO


def modules() -> Iterator[Path]:
    """Every module of the wheel."""
    settings = tomllib.loads((REPO / "pyproject.toml").read_text(encoding="utf-8"))
    for package in settings["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]:
        yield from sorted((REPO / package).rglob("*.py"))


def public_classes(module: Path) -> list[str]:
    """The names of the module's own classes."""
    body = ast.parse(module.read_text(encoding="utf-8")).body
    return [node.name for node in body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]


def test_no_public_class_name_is_defined_twice() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for module in modules():
        for name in public_classes(module):
            places[name].append(module.relative_to(REPO).as_posix())
    assert {name: where for name, where in places.items() if len(where) > 1} == {}
