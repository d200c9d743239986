"""``heed status``: print the state of the daemon, its phones and its channels."""

import asyncio
from typing import Any

import typer
from pydantic import TypeAdapter

from agent.channels.channel_status import ChannelStatus
from agent.cli.options import ConfigOption, JsonOption, load_config
from agent.loop import control_socket as control
from agent.loop.daemon_info import DaemonInfo, LastDecision
from agent.loop.daemon_requests import ChannelsRequest, DaemonInfoRequest, StatusRequest
from agent.loop.phone_status import PhoneStatus
from agent.wording import state_text
from heed.errors import PersonError
from heed.language import Language
from heed.messages import Message, Text, msg, translate
from heed.printing import console, print_json, say, shown
from heed.safe_text import safe_markup


def register(app: typer.Typer) -> None:
    """Add ``status``."""
    app.command(name="status")(show_status)


def show_status(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Print how long the daemon has run, what decides, its console, a pause, its last decision, phones and channels."""
    language = load_config(config).language
    if not control.is_running():
        raise PersonError(msg("No daemon is running."), msg("Start one with `heed run`."))
    info, phones, channels = asyncio.run(_ask())
    if as_json:
        print_json({"daemon": info, "phones": phones, "channels": channels})
        return
    for line in _lines(info):
        say(line, language)
    for status in TypeAdapter(list[PhoneStatus]).validate_python(phones):
        _show_phone(status, language)
    for channel in TypeAdapter(list[ChannelStatus]).validate_python(channels):
        name = translate(msg("channel {name}", name=channel.name), language)
        _show_line(name, state_text(channel.state, language), shown(channel.reason, language))


async def _ask() -> tuple[DaemonInfo, Any, Any]:
    info, phones, channels = await asyncio.gather(
        control.call(DaemonInfoRequest()), control.call(StatusRequest()), control.call(ChannelsRequest())
    )
    return DaemonInfo.model_validate(info), phones, channels


def _lines(info: DaemonInfo) -> list[Text]:
    """The daemon in sentences; what it does not have is left out."""
    return [
        msg("heed {version} has run for {time}.", version=info.version, time=_duration(info.uptime_seconds)),
        *([info.pause.text] if info.pause.paused else []),
        msg("Decides by: {reasoner}", reasoner=info.reasoner),
        *([msg("Console: {address} (`heed console` opens it)", address=info.console)] if info.console else []),
        *([_last(info.last_decision)] if info.last_decision else []),
    ]


def _last(decision: LastDecision) -> Message:
    return msg(
        "Last decision: {time}, {phone}: {what}",
        time=f"{decision.at:%m-%d %H:%M}",
        phone=decision.phone,
        what=decision.sentence or msg("silent, {reason}", reason=decision.reason),
    )


def _duration(seconds: float) -> Message:
    minutes = int(seconds // 60)
    if minutes < 60:
        return msg("{minutes} min", minutes=minutes)
    if minutes < 24 * 60:
        return msg("{hours} h {minutes} min", hours=minutes // 60, minutes=minutes % 60)
    return msg("{days} d {hours} h", days=minutes // (24 * 60), hours=minutes // 60 % 24)


def _show_phone(status: PhoneStatus, language: Language) -> None:
    name = f"{status.serial}  {status.name}" if status.name else status.serial
    state, reason = state_text(status.state, language), shown(status.reason, language)
    _show_line(name, state, reason)
    for text in status.pending:
        console.print(f"  {safe_markup(shown(text, language))}", soft_wrap=True)


def _show_line(name: str, state: str, reason: str) -> None:
    console.print(f"{safe_markup(name)}  {state}  {safe_markup(reason)}", soft_wrap=True)
