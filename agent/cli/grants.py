"""``heed grants``: list what is always allowed, or revoke one grant."""

from collections.abc import Mapping
from typing import Annotated

import typer
from rich.table import Table

from agent.cli.options import MAX_ROW_ID, ConfigOption, JsonOption, load_config
from agent.cli.output import headed
from agent.compose import open_stores
from agent.journal import Grant
from agent.wording import scope_texts
from heed.errors import UsageError
from heed.language import Language
from heed.messages import msg
from heed.printing import console, print_json, say
from heed.safe_text import safe_markup


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
                raise UsageError(msg("There is no grant {number}.", number=revoke), msg("`heed grants` lists them."))
            say(msg("Grant {number} is revoked: heed asks again.", number=revoke), settings.language)
            return
        known = stores.grants.entries()
        phones = {grant.serial: stores.phones.name(grant.serial) for grant in known}
    if as_json:
        print_json(known)
    elif known:
        console.print(_table(known, phones, settings.language))
    else:
        say(msg("Nothing is always allowed: heed asks each time."), settings.language)


def _table(known: list[Grant], phones: Mapping[str, str], language: Language) -> Table:
    table = headed(msg("grant"), msg("since"), msg("phone"), msg("covers"), language=language)
    for grant in known:
        since, covered = grant.at.astimezone().strftime("%Y-%m-%d %H:%M"), "\n".join(scope_texts(grant.scope, language))
        table.add_row(str(grant.id), since, safe_markup(phones[grant.serial]), safe_markup(covered, multiline=True))
    return table
