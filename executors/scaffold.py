"""A new plug-in, from templates (``templates/``): a spec, an executor and a test that work as they are."""

import re
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from string import Template

from function_pool.plugins import installed_pool
from heed.errors import UsageError

_NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_FILES = {
    "pyproject.toml.txt": "pyproject.toml",
    "package.py.txt": "heed_{name}/__init__.py",
    "test_package.py.txt": "tests/test_{name}.py",
}
"""Template to the file it becomes."""


def scaffold_executor(name: str, folder: Path) -> tuple[Path, ...]:
    """Write the plug-in for a function called ``name`` below ``folder``; the files that were written.

    Raises ``UsageError`` for a name that cannot be one, is taken, or whose folder is there already.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no name for a function.", "Use lower case and underscores, like feed_cat.")
    if name in installed_pool():
        raise UsageError(f"There is a function {name} already.", "Choose another name.")
    dashed = name.replace("_", "-")
    root = folder / f"heed-{dashed}"
    if root.exists():
        raise UsageError(f"{root} is there already.", "Choose another name or folder.")
    camel = "".join(part.capitalize() for part in name.split("_"))
    words = {"name": name, "dashed": dashed, "camel": camel}
    return tuple(_write(template, root / target.format(**words), words) for template, target in _FILES.items())


def _write(template: str, target: Path, words: Mapping[str, str]) -> Path:
    text = files("executors").joinpath("templates", template).read_text("utf-8")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(Template(text).substitute(words), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"Cannot write {target}: {error.strerror}.") from error
    return target
