"""What somebody begins with, from templates (``templates/``): a plug-in that works as it is, and a recipe."""

from importlib.resources import files
from pathlib import Path
from string import Template

from executors.recipes.recipe import read_recipes
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


def scaffold_recipe(function: str, app: str, folder: Path) -> Path:
    """Writes ``FUNCTION.yaml`` with one recipe for ``app`` below ``folder`` and returns the file.

    Raises ``UsageError`` for an unknown function, a package that cannot be one, or a file that is there already.
    """
    spec = installed_pool().get(function)
    template = files("executors").joinpath("templates/recipe.yaml.txt").read_text("utf-8")
    text = Template(template).substitute(app=app, argument=next(iter(spec.parameters)), function=function)
    read_recipes(text, function, f"{function}.yaml")
    path = folder / f"{function}.yaml"
    if path.exists():
        raise UsageError(msg("{path} is there already.", path=path), msg("Choose another folder."))
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path
