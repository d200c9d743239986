"""Write the reference pages from the code: `make reference`. A test checks that they are current."""

import ast
import inspect
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from agent.config import Config
from heed.__main__ import build_app

DOCS = Path(__file__).parent.parent / "docs"
NOTE = "<!-- Written by `make reference` from the code; do not edit. -->\n\n"


def configuration() -> str:
    """Every field of the configuration with its section, default and meaning."""
    parts = [
        "# Configuration\n",
        NOTE + "`~/.config/heed/config.toml`, or the file named by `--config`. A flag is stronger than an environment",
        "variable (`HEED_POLICY__PER_DAY=3`), which is stronger than the file, which is stronger than the default.\n",
    ]
    for path, model in _sections(Config):
        parts.append(f"## {'`[' + path + ']`' if path else 'Top level'}\n")
        parts.append(f"{inspect.cleandoc(model.__doc__ or '')}\n")
        parts.append("| field | type | default | meaning |\n|---|---|---|---|")
        comments = _comments(model)
        parts += [
            f"| `{name}` | {_type(field)} | {_default(field)} | {_cell(comments.get(name, ''))} |"
            for name, field in model.model_fields.items()
            if not _is_section(field)
        ]
        parts.append("")
    return "\n".join(parts).rstrip() + "\n"


def commands() -> str:
    """Every command with its help."""
    parts = ["# Commands\n", NOTE + "`heed COMMAND --help` shows the same.\n"]
    root = typer.main.get_command(build_app())
    for name, command in _commands(root):
        context = typer.Context(command, info_name=f"heed {name}".strip())
        usage = " ".join(command.collect_usage_pieces(context))
        parts.append(f"## `heed {name}`\n\n{inspect.cleandoc(command.help or '')}\n\n`heed {name} {usage}`\n")
        rows = [record for parameter in command.params if (record := parameter.get_help_record(context))]
        if rows:
            parts.append("| option | meaning |\n|---|---|")
            parts += [f"| `{_cell(option)}` | {_cell(meaning)} |" for option, meaning in rows]
            parts.append("")
    return "\n".join(parts).rstrip() + "\n"


PAGES = {"configuration.md": configuration, "commands.md": commands}


def _sections(model: type[BaseModel], path: str = "") -> Iterator[tuple[str, type[BaseModel]]]:
    yield path, model
    for name, field in model.model_fields.items():
        if _is_section(field):
            assert isinstance(field.annotation, type)
            yield from _sections(field.annotation, f"{path}.{name}".lstrip("."))


def _is_section(field: FieldInfo) -> bool:
    return isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel)


def _comments(model: type[BaseModel]) -> dict[str, str]:
    """The string below each field: the code's own comment on it."""
    found: dict[str, str] = {}
    for owner in reversed(model.__mro__):
        if not issubclass(owner, BaseModel) or owner is BaseModel:
            continue
        body = ast.parse(textwrap.dedent(inspect.getsource(owner))).body[0]
        assert isinstance(body, ast.ClassDef)
        for field, text in zip(body.body, body.body[1:], strict=False):
            if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
                found[ast.unparse(field.target)] = inspect.cleandoc(str(text.value.value))
    return found


def _type(field: FieldInfo) -> str:
    annotation = field.annotation
    return _cell(annotation.__name__ if isinstance(annotation, type) else str(annotation).replace("typing.", ""))


def _default(field: FieldInfo) -> str:
    if field.default_factory is not None:
        return "in heed's folders" if field.annotation is Path else "see its section"
    value: Any = field.default
    if isinstance(value, frozenset):
        value = sorted(value)
    return f"`{_cell(str(value))}`" if str(value) else '`""`'


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _commands(group: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, command in sorted(group.commands.items()):
        full = f"{prefix} {name}".strip()
        if hasattr(command, "commands"):
            yield from _commands(command, full)
        else:
            yield full, command


def main() -> None:
    """Write every page."""
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
