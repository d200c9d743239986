"""A new plug-in, from templates (``templates/``): a channel and a test that work as they are."""

from pathlib import Path

from agent.channels.registry import service_classes
from heed.errors import UsageError
from heed.messages import msg
from heed.scaffold import write_plug_in

_FILES = {
    "pyproject.toml.txt": "pyproject.toml",
    "package.py.txt": "heed_${name}/__init__.py",
    "test_package.py.txt": "tests/test_${name}.py",
}
"""Template to the file it becomes."""


def scaffold_channel(name: str, folder: Path) -> tuple[Path, ...]:
    """Write the plug-in for a channel called ``name`` below ``folder`` and return the written files.

    Raises ``UsageError`` for a name that cannot be one, is taken, or whose folder is there already.
    """
    if name in service_classes():
        raise UsageError(msg("There is a channel {name} already.", name=name), msg("Choose another name."))
    return write_plug_in("agent.channels", _FILES, name, folder)
