"""``heed export``: write the journal as benchmark records."""

import json
from pathlib import Path
from typing import Annotated

import typer

from agent.cli.options import ConfigOption, load_config
from agent.compose import open_stores
from agent.maintenance.export import benchmark_records
from heed.errors import UsageError
from heed.messages import msg
from heed.printing import print_json, say
from heed.write_errors import write_remedy


def register(app: typer.Typer) -> None:
    """Add ``export``."""
    app.command()(export)


def export(
    path: Annotated[Path | None, typer.Argument(help="File to write; by default standard output.")] = None,
    config: ConfigOption = None,
) -> None:
    """Write the journal as benchmark records: each context with the recommendation that was accepted."""
    settings = load_config(config)
    with open_stores(settings) as stores:
        records = benchmark_records(stores.journal, settings.language)
    if path is None:
        print_json(records)
        return
    try:
        path.write_text(json.dumps(records, ensure_ascii=False, indent=1), encoding="utf-8")
    except OSError as error:
        raise UsageError(
            msg("Cannot write {path}: {strerror}.", path=path, strerror=error.strerror),
            write_remedy(error, msg("Name another file.")),
        ) from error
    say(msg("Wrote {count} records to {path}.", count=len(records), path=path), settings.language)
