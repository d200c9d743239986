"""``heed undo``: undo one action, through the daemon if one is running, otherwise in this process."""

import asyncio
from typing import Annotated

import typer

from agent.cli.options import MAX_ROW_ID, ConfigOption, JsonOption, load_config
from agent.compose import open_stores, phone_agent
from agent.config import Config
from agent.consent.terminal import print_outcome
from agent.loop import control_socket as control
from agent.loop.daemon_requests import UndoRequest
from executors.plan import Outcome
from heed.errors import ExitCode
from heed.printing import console, print_json


def register(app: typer.Typer) -> None:
    """Add ``undo``."""
    app.command()(undo)


def undo(
    action: Annotated[int, typer.Argument(min=1, max=MAX_ROW_ID, help="The action's number in `heed journal`.")],
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Undo one action: restore what was recorded before it, and verify it on the phone."""
    settings = load_config(config)
    outcome = asyncio.run(_undo(settings, action))
    if as_json:
        print_json(outcome)
    else:
        print_outcome(console, outcome, settings.language)
    if not outcome.ok:
        raise typer.Exit(ExitCode.FAILURE)


async def _undo(settings: Config, action_id: int) -> Outcome:
    if control.is_running():
        return Outcome.model_validate(await control.call(UndoRequest(action=action_id)))
    with open_stores(settings) as stores:
        serial = stores.phones.address(stores.journal.action(action_id).phone_id)
    bridge = settings.bridge.model_copy(update={"serial": serial})
    async with phone_agent(settings.model_copy(update={"bridge": bridge})) as agent:
        return await agent.undo(action_id)
