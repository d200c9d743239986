"""``heed export``: write the journal as benchmark records."""

import json
from pathlib import Path
from typing import Annotated

import typer

from agent.cli.options import ConfigOption, load_config
from agent.compose import behaviour_log_reader, learned_habits, open_stores
from agent.config import Config
from agent.maintenance.export import Record, benchmark_records, no_pictures, pictures_beside
from executors.taught.pool import known_pool
from heed.errors import UsageError
from heed.messages import msg
from heed.printing import print_json, say
from heed.write_errors import write_remedy
from models.prompt.history import HistoryReader


def register(app: typer.Typer) -> None:
    """Add ``export``."""
    app.command()(export)


def export(
    path: Annotated[
        Path | None, typer.Argument(help="File to write, with a folder of pictures beside; else standard output.")
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Write the journal as benchmark records: contexts with what you accepted or declined there."""
    settings = load_config(config)
    if path is None:
        print_json(_records(settings, None))
        return
    try:
        records = _records(settings, path)
        path.write_text(json.dumps(records, ensure_ascii=False, indent=1), encoding="utf-8")
    except OSError as error:
        raise UsageError(
            msg("Cannot write {path}: {strerror}.", path=path, strerror=error.strerror),
            write_remedy(error, msg("Name another file.")),
        ) from error
    say(msg("Wrote {count} records to {path}.", count=len(records), path=path), settings.language)


def _records(settings: Config, path: Path | None) -> list[Record]:
    tokens = settings.models.prompt.history_tokens
    with open_stores(settings) as stores:
        habits = learned_habits(settings, known_pool(settings.executors), stores)
        history = HistoryReader(habits, behaviour_log_reader(settings), tokens) if tokens else None
        keep = pictures_beside(path) if path else no_pictures
        return benchmark_records(stores.journal, settings.language, history=history, keep=keep)
