"""Write what is generated from the code: `make reference`. A test checks that it is current."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import typer
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from agent.config import Config
from heed.__main__ import build_app
from tools.commands import commands_of
from tools.manual import completion, manual
from tools.pages import NOTE, cell, comments
from tools.scenario_reference import scenario_reference

ROOT = Path(__file__).parent.parent


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
        said = comments(model)
        parts += [
            f"| `{name}` | {_type(field)} | {_default(field)} | {cell(said.get(name, ''))} |"
            for name, field in model.model_fields.items()
            if not _is_section(field)
        ]
        parts.append("")
    return "\n".join(parts).rstrip() + "\n"


def commands() -> str:
    """Every command with its help."""
    parts = ["# Commands\n", NOTE + "`heed COMMAND --help` shows the same.\n"]
    root = typer.main.get_command(build_app())
    for name, command in commands_of(root):
        context = typer.Context(command, info_name=f"heed {name}".strip())
        usage = " ".join(command.collect_usage_pieces(context))
        parts.append(f"## `heed {name}`\n\n{inspect.cleandoc(command.help or '')}\n\n`heed {name} {usage}`\n")
        rows = [record for parameter in command.params if (record := parameter.get_help_record(context))]
        if rows:
            parts.append("| option | meaning |\n|---|---|")
            parts += [f"| `{cell(option)}` | {cell(meaning)} |" for option, meaning in rows]
            parts.append("")
    return "\n".join(parts).rstrip() + "\n"


PAGES: Mapping[str, Callable[[], str]] = {
    "docs/configuration.md": configuration,
    "docs/commands.md": commands,
    "docs/scenario-reference.md": scenario_reference,
    "packaging/heed.1": manual,
    **{f"packaging/completions/heed.{shell}": partial(completion, shell) for shell in ("bash", "zsh", "fish")},
}
"""File -> what writes its text."""


def _sections(model: type[BaseModel], path: str = "") -> Iterator[tuple[str, type[BaseModel]]]:
    yield path, model
    for name, field in model.model_fields.items():
        if _is_section(field):
            assert isinstance(field.annotation, type)
            yield from _sections(field.annotation, f"{path}.{name}".lstrip("."))


def _is_section(field: FieldInfo) -> bool:
    return isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel)


def _type(field: FieldInfo) -> str:
    annotation = field.annotation
    return cell(annotation.__name__ if isinstance(annotation, type) else str(annotation).replace("typing.", ""))


def _default(field: FieldInfo) -> str:
    if field.default_factory is not None:
        return "in heed's folders" if field.annotation is Path else "see its section"
    value: Any = field.default
    if isinstance(value, frozenset):
        value = sorted(value)
    return f"`{cell(str(value))}`" if str(value) else '`""`'


def main() -> None:
    """Write every file."""
    for name, page in PAGES.items():
        (ROOT / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
