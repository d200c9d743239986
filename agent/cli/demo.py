"""``heed demo``: play a scenario on a virtual phone, or on an emulator."""

import asyncio
import os
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from agent.cli.demo_playback import play, play_emulated
from agent.cli.options import JsonOption, load_config
from agent.console.browser import has_display
from agent.demo import DemoMoment
from heed import paths
from heed.errors import Bug
from heed.language import Language
from heed.messages import msg, translate
from heed.printing import console, print_json, say
from heed.safe_text import safe_markup
from models.config import ModelsConfig, ReasonerKind
from virtual_phone.scenario import Scenario, shipped


def register(app: typer.Typer) -> None:
    """Add ``demo``."""
    app.command()(demo)


def demo(
    scenario: Annotated[
        str, typer.Option("--scenario", help=f"Scenario: a file, or one that ships with heed: {', '.join(shipped())}.")
    ] = "demo",
    language: Annotated[
        Language | None, typer.Option("--language", help="Language of the suggestions; by default the scenario's.")
    ] = None,
    keep: Annotated[Path | None, typer.Option("--keep", help="Folder in which journal and frames are kept.")] = None,
    script: Annotated[
        bool, typer.Option("--script", help="Take the answers from the scenario instead of asking.")
    ] = False,
    with_console: Annotated[
        bool | None, typer.Option("--console/--no-console", help="Open the web console too.")
    ] = None,
    pace: Annotated[
        float | None,
        typer.Option("--pace", min=0, max=600, help="Seconds between entries; Enter pauses and continues."),
    ] = None,
    emulator: Annotated[
        str,
        typer.Option(
            "--emulator",
            help="Play on this running Android emulator (emulator-5554) instead of the virtual phone: events are "
            "sent through its console and adb, unsupported ones are listed first. Untried on a real emulator.",
        ),
    ] = "",
    reasoner: Annotated[
        ReasonerKind, typer.Option("--reasoner", help="What decides; a language model as it is configured.")
    ] = ReasonerKind.ROUTINES,
    as_json: JsonOption = False,
) -> None:
    """Play a scenario on a virtual phone: a day on which some entries call for a suggestion and others for silence."""
    loaded = Scenario.load(scenario)
    language = language or Language(loaded.language)
    ask = sys.stdin.isatty() and not script and not as_json
    with tempfile.TemporaryDirectory(prefix="heed-demo-") as scratch:
        home = keep or Path(scratch)
        paths.create_folder(home)
        if emulator:
            bridge = load_config(None, emulator).bridge
            play_it = partial(play_emulated, home, bridge)
        else:
            show_console = ask and has_display() if with_console is None else with_console
            play_it = partial(play, home, show_console=show_console)
        moments = asyncio.run(play_it(loaded, language, ask=ask, quiet=as_json, seconds=pace, models=_models(reasoner)))
    if as_json:
        print_json(moments)
    elif keep:
        console.print()
        say(msg("Journal and frames are in {keep}.", keep=keep), language)
    if not as_json:
        _print_next_steps(language)
    # What to expect of an emulator, which has its own apps and clock, or of a language model is not known.
    known = not emulator and reasoner is ReasonerKind.ROUTINES
    if not ask and known and not all(moment.as_expected for moment in moments):
        raise Bug("the demo did not go as expected: " + _unexpected(moments))


def _print_next_steps(language: Language) -> None:
    """Print what to do after the demo, with the path of `heed` where it is not on the shell's own."""
    heed = "heed" if shutil.which("heed") else os.path.relpath(sys.argv[0])
    console.print()
    say(msg("Next, with your own phone:"), language, style="bold")
    for command, purpose in _NEXT_STEPS:
        console.print(f"  {safe_markup(f'{heed} {command}'):<30}  {translate(purpose, language)}", soft_wrap=True)


_NEXT_STEPS = (
    ("init", msg("language, quiet hours, and the situations in which heed may suggest something")),
    ("try low_battery", msg("what heed would say in one of them, without a phone")),
    ("pair", msg("connect a phone over Wi-Fi; or plug in a cable with USB debugging on")),
    ("run", msg("monitor it; `{command}` shows the console").filled(command="heed console")),
)


def _models(reasoner: ReasonerKind) -> ModelsConfig:
    """The built-in routines whatever is configured, or the configured language model."""
    if reasoner is ReasonerKind.ROUTINES:
        return ModelsConfig()
    return load_config(None, models={"reasoner": reasoner}).models


def _unexpected(moments: list[DemoMoment]) -> str:
    return "; ".join(
        f"{moment.at} {moment.note} (expected {moment.expected or 'nothing'}, {moment.decision}: {moment.reason})"
        for moment in moments
        if not moment.as_expected
    )
