"""A new plug-in, from templates (``templates/``): a source of facts and a test that work as they are."""

from pathlib import Path

from collectors.config import CollectorsConfig
from collectors.source import load_sources
from heed.errors import UsageError
from heed.messages import msg
from heed.scaffold import write_plug_in

_FILES = {
    "pyproject.toml.txt": "pyproject.toml",
    "package.py.txt": "heed_${name}/__init__.py",
    "test_package.py.txt": "tests/test_${name}.py",
}
"""Template to the file it becomes."""


def scaffold_collector(name: str, folder: Path) -> tuple[Path, ...]:
    """Write the plug-in for a source called ``name`` below ``folder``; the files that were written.

    Raises ``UsageError`` for a name that cannot be one, is taken, or whose folder is there already.
    """
    if name in {source.name for source in load_sources(CollectorsConfig())}:
        raise UsageError(msg("There is a source {name} already.", name=name), msg("Choose another name."))
    return write_plug_in("collectors", _FILES, name, folder)
