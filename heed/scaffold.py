"""``heed scaffold``: where each room adds the kind of plug-in that it takes, and what writing one has in common."""

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
    """The commands of ``heed scaffold``; made by the first room that adds one."""
    known = next((group.typer_instance for group in app.registered_groups if group.name == _GROUP), None)
    if known is not None:
        return known
    group = typer.Typer(help="Begin a plug-in.", no_args_is_help=True)
    group.callback()(_begin)
    app.add_typer(group, name=_GROUP)
    return group


def _begin() -> None:
    """Begin a plug-in from a template."""


def write_plug_in(room: str, targets: Mapping[str, str], name: str, folder: Path) -> tuple[Path, ...]:
    """Fill the templates of a room (``<room>/templates/``) for a plug-in called ``name``; the files that were written.

    Args:
        targets: template to the file it becomes below ``heed-<name>``; both may name ``${name}``, ``${dashed}``
            (``feed-cat``) and ``${camel}`` (``FeedCat``).

    Raises ``UsageError`` for a name that cannot be one, or whose folder is there already.
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
        _write(room, template, root / Template(target).substitute(words), words) for template, target in targets.items()
    )


def _write(room: str, template: str, target: Path, words: Mapping[str, str]) -> Path:
    text = files(room).joinpath("templates", template).read_text("utf-8")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(Template(text).substitute(words), encoding="utf-8")
    except OSError as error:
        raise UsageError(msg("Cannot write {target}: {strerror}.", target=target, strerror=error.strerror)) from error
    return target
