"""``heed grants``: list what is always allowed, or revoke one grant."""

from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from agent.cli.options import MAX_ROW_ID, ConfigOption, JsonOption, load_config
from agent.cli.output import console, print_json
from agent.compose import open_stores
from agent.journal import Grant
from agent.wording import scope_texts, word
from heed.errors import UsageError
from heed.language import Language


def register(app: typer.Typer) -> None:
    """Add ``grants``."""
    app.command()(grants)


def grants(
    revoke: Annotated[
        int | None, typer.Option("--revoke", min=1, max=MAX_ROW_ID, help="Number of a grant: heed asks again.")
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """List what heed does without asking: each "always" with the values that it covers; or revoke one."""
    settings = load_config(config)
    with open_stores(settings) as stores:
        if revoke is not None:
            if not stores.grants.revoke(revoke):
                raise UsageError(f"There is no grant {revoke}.", "`heed grants` lists them.")
            console.print(word("grant_revoked", settings.language).format(number=revoke))
            return
        known = stores.grants.entries()
    if as_json:
        print_json(known)
    elif known:
        console.print(_table(known, settings.language))
    else:
        console.print(word("grants_empty", settings.language))


def _table(known: list[Grant], language: Language) -> Table:
    table = Table(box=None, header_style="dim")
    for heading in ("grant", "since", "phone", "covers"):
        table.add_column(word(heading, language), overflow="fold")
    for grant in known:
        since, covered = grant.at.astimezone().strftime("%Y-%m-%d %H:%M"), "\n".join(scope_texts(grant.scope, language))
        table.add_row(str(grant.id), since, grant.serial, escape(covered))
    return table
