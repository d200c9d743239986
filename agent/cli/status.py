"""``heed status``: print the state of the daemon's phones and channels."""

import asyncio

import typer
from pydantic import TypeAdapter

from agent.channels.channel_status import ChannelStatus
from agent.cli.options import ConfigOption, JsonOption, load_config
from agent.loop import control_socket as control
from agent.loop.daemon import PhoneStatus
from agent.loop.daemon_requests import ChannelsRequest, StatusRequest
from agent.wording import state_text
from heed.errors import PersonError
from heed.messages import msg, translate
from heed.printing import console, print_json, shown
from heed.safe_text import safe_markup


def register(app: typer.Typer) -> None:
    """Add ``status``."""
    app.command(name="status")(show_status)


def show_status(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Print the state of each phone of the running daemon, and of each channel outside heed that is switched on."""
    language = load_config(config).language
    if not control.is_running():
        raise PersonError(msg("No daemon is running."), msg("Start one with `heed run`."))
    phones = asyncio.run(control.call(StatusRequest()))
    if as_json:
        print_json(phones)
        return
    for status in TypeAdapter(list[PhoneStatus]).validate_python(phones):
        name = f"{status.serial}  {status.name}" if status.name else status.serial
        state, reason = state_text(status.state, language), shown(status.reason, language)
        console.print(f"{safe_markup(name)}  {state}  {safe_markup(reason)}", soft_wrap=True)
        for text in status.pending:
            console.print(f"  {safe_markup(shown(text, language))}", soft_wrap=True)
    channels = asyncio.run(control.call(ChannelsRequest()))
    for channel in TypeAdapter(list[ChannelStatus]).validate_python(channels):
        name = translate(msg("channel {name}", name=channel.name), language)
        state, reason = state_text(channel.state, language), shown(channel.reason, language)
        console.print(f"{safe_markup(name)}  {state}  {safe_markup(reason)}", soft_wrap=True)
