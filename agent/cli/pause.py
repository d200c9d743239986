"""``heed pause`` and ``heed resume``: no suggestions for a while, and again."""

import asyncio
import re
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from agent.cli.options import ConfigOption, JsonOption, load_config
from agent.compose import open_stores
from agent.loop import control_socket as control
from agent.loop.daemon_requests import LONGEST_PAUSE, PauseRequest, ResumeRequest
from agent.loop.pausing import PauseState, begin_pause, pause_state
from heed.clock import SystemClock
from heed.errors import UsageError
from heed.messages import msg
from heed.printing import print_json, say

_LENGTH = re.compile(r"(\d+(?:\.\d+)?)(min|m|h|d)")
_MINUTES = {"m": 1, "min": 1, "h": 60, "d": 24 * 60}


def register(app: typer.Typer) -> None:
    """Add ``pause`` and ``resume``."""
    app.command()(pause)
    app.command()(resume)


def pause(
    length: Annotated[str, typer.Argument(help="How long: 30m, 1h, 2d, or tomorrow = until the morning.")] = "1h",
    until_resumed: Annotated[bool, typer.Option("--until-resumed", help="Until `heed resume`.")] = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make no suggestions for a while; what you ask for yourself (`heed call`) is still done."""
    _carry_out(PauseRequest() if until_resumed else _request(length), config, as_json=as_json)


def resume(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """End the pause: heed makes suggestions again."""
    _carry_out(ResumeRequest(), config, as_json=as_json)


def _request(length: str) -> PauseRequest:
    if length == "tomorrow":
        return PauseRequest(until_tomorrow=True)
    match = _LENGTH.fullmatch(length)
    minutes = float(match[1]) * _MINUTES[match[2]] if match else 0.0
    if not 0 < minutes <= LONGEST_PAUSE:
        raise UsageError(
            msg("{length!r} is no length of a pause.", length=length),
            msg("Say 30m, 1h, 2d (7d at most), tomorrow, or --until-resumed."),
        )
    return PauseRequest(minutes=minutes)


def _carry_out(request: PauseRequest | ResumeRequest, config: Path | None, *, as_json: bool) -> None:
    """Through the daemon where one runs, since it knows the phone's time and shows the pause there."""
    settings = load_config(config)
    if control.is_running():
        state = PauseState.model_validate(asyncio.run(control.call(request)))
    else:
        with open_stores(settings) as stores:
            now: datetime = SystemClock().wall()
            if isinstance(request, PauseRequest):
                begin_pause(stores, request, now, settings.policy)
            else:
                stores.pauses.end()
            state = pause_state(stores, now)
    if as_json:
        print_json(state)
    else:
        say(state.text, settings.language)
