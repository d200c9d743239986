"""A new plug-in, from templates (``templates/``): a spec, an executor and a test that work as they are."""

from pathlib import Path

from function_pool.plugins import installed_pool
from heed.errors import UsageError
from heed.messages import msg
from heed.scaffold import write_plug_in

_FILES = {
    "pyproject.toml.txt": "pyproject.toml",
    "package.py.txt": "heed_${name}/__init__.py",
    "test_package.py.txt": "tests/test_${name}.py",
}
"""Template to the file it becomes."""


def scaffold_executor(name: str, folder: Path) -> tuple[Path, ...]:
    """Writes the plug-in for a function called ``name`` below ``folder`` and returns the written files.

    Raises ``UsageError`` for a name that cannot be one, is taken, or whose folder is there already.
    """
    if name in installed_pool():
        raise UsageError(msg("There is a function {name} already.", name=name), msg("Choose another name."))
    return write_plug_in("executors", _FILES, name, folder)
