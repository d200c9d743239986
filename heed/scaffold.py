"""``heed scaffold``: the command group to which packages add their plug-in templates, and writing a template."""

import re
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from string import Template

import typer

from heed.errors import UsageError
from heed.messages import msg

_NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_GROUP = "scaffold"


def scaffold_group(app: typer.Typer) -> typer.Typer:
    """Return the group ``heed scaffold`` of ``app``, and add it at the first call."""
    known = next((group.typer_instance for group in app.registered_groups if group.name == _GROUP), None)
    if known is not None:
        return known
    group = typer.Typer(help="Create a plug-in from a template.", no_args_is_help=True)
    group.callback()(_scaffold)
    app.add_typer(group, name=_GROUP)
    return group


def _scaffold() -> None:
    """Create a plug-in from a template."""


def write_plug_in(package: str, targets: Mapping[str, str], name: str, folder: Path) -> tuple[Path, ...]:
    """Write a plug-in from the templates of a package, and return the files.

    Args:
        package: the package with the folder ``templates``.
        targets: template to the file below ``heed-<name>``; both may contain ``${name}``, ``${dashed}``
            (``feed-cat``) and ``${camel}`` (``FeedCat``).
        name: the plug-in's name, like ``feed_cat``.
        folder: where the plug-in's own folder is created.

    Raises ``UsageError`` for an invalid name, or when the plug-in's folder exists.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(
            msg("{name!r} is not a valid name for a plug-in.", name=name),
            msg("Use lower case and underscores, like feed_cat."),
        )
    dashed = name.replace("_", "-")
    root = folder / f"heed-{dashed}"
    if root.exists():
        raise UsageError(msg("{root} is there already.", root=root), msg("Choose another name or folder."))
    words = {"name": name, "dashed": dashed, "camel": "".join(part.capitalize() for part in name.split("_"))}
    return tuple(
        _write(package, template, root / Template(target).substitute(words), words)
        for template, target in targets.items()
    )


def _write(package: str, template: str, target: Path, words: Mapping[str, str]) -> Path:
    text = files(package).joinpath("templates", template).read_text("utf-8")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(Template(text).substitute(words), encoding="utf-8")
    except OSError as error:
        raise UsageError(msg("Cannot write {target}: {strerror}.", target=target, strerror=error.strerror)) from error
    return target
