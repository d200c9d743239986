"""``heed config``: print the configuration in force."""

import typer

from agent import config as configuration
from agent.cli.options import ConfigOption, JsonOption, load_config
from heed.messages import msg
from heed.printing import console, print_json, say
from heed.safe_text import safe_markup


def register(app: typer.Typer) -> None:
    """Add ``config``."""
    app.command(name="config")(show_config)


def show_config(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Print the configuration in force: file, environment and defaults merged, secrets masked."""
    settings = load_config(config)
    path = config or configuration.default_path()
    if as_json:
        print_json({"file": str(path), "exists": path.exists(), "config": settings.model_dump(mode="json")})
        return
    if path.exists():
        console.print(f"[dim]# {safe_markup(str(path))}[/]", soft_wrap=True)
    else:
        say(msg("# {path} (does not exist: defaults)", path=path), settings.language, style="dim")
    for name, value in _flat(settings.model_dump(mode="json")):
        console.print(f"{name} = {safe_markup(repr(value))}", soft_wrap=True)


def _flat(values: dict[str, object], prefix: str = "") -> list[tuple[str, object]]:
    rows: list[tuple[str, object]] = []
    for name, value in values.items():
        if isinstance(value, dict):
            rows += _flat(value, f"{prefix}{name}.")
        else:
            rows.append((f"{prefix}{name}", value))
    return rows
