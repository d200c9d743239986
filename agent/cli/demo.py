"""``heed demo``: a day of a virtual phone, attended for real."""

import asyncio
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from agent.cli.common import JsonOption, console, load_config, print_json, run, say
from agent.cli.narrator import Narrator
from agent.consent.request import Answer, Channel, ConsentRequest
from agent.consent.terminal import TerminalChannel, consent_panel
from agent.console.browser import has_display, open_page
from agent.demo import Moment, Pace, ScriptedChannel, play_day, play_on_emulator
from agent.demo.changes import Change
from android_bridge.config import BridgeConfig
from heed import paths
from heed.errors import Bug
from heed.language import Language
from heed.messages import Text, msg, translate
from virtual_phone.scenario import Entry, Scenario, shipped

UNHURRIED = 6.0
"""Seconds between two moments for somebody who watches: the day takes about two minutes, and her thinking."""


def register(app: typer.Typer) -> None:
    """Add ``demo``."""
    app.command()(demo)


def demo(
    scenario: Annotated[
        str, typer.Option("--scenario", help=f"A file, or one that ships with heed: {', '.join(shipped())}.")
    ] = "demo",
    language: Annotated[
        Language | None, typer.Option("--language", help="Language of the day; by default the scenario's own.")
    ] = None,
    keep: Annotated[Path | None, typer.Option("--keep", help="Folder to leave journal and frames in.")] = None,
    script: Annotated[bool, typer.Option("--script", help="Do not ask me; play the answers.")] = False,
    with_console: Annotated[
        bool | None, typer.Option("--console/--no-console", help="Open the web console beside the terminal.")
    ] = None,
    pace: Annotated[
        float | None, typer.Option("--pace", min=0, max=600, help="Seconds between moments; Enter pauses the day.")
    ] = None,
    emulator: Annotated[
        str,
        typer.Option(
            "--emulator",
            help="Play on this running Android emulator, such as emulator-5554, instead of the virtual phone: events "
            "come through its console and adb, what cannot be done is named first. Untried on a real emulator.",
        ),
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """Play a day on a virtual phone: moments that need something, and moments at which silence is right."""
    day = Scenario.load(scenario)
    language = language or Language(day.language)
    asks = sys.stdin.isatty() and not script and not as_json
    with tempfile.TemporaryDirectory(prefix="heed-demo-") as scratch:
        home = keep or Path(scratch)
        paths.made(home)
        if emulator:
            bridge = load_config(None, emulator).bridge
            moments = run(play_emulated(home, bridge, day, language, asks=asks, quiet=as_json, seconds=pace))
        else:
            shows = asks and has_display() if with_console is None else with_console
            moments = run(play(home, day, language, asks=asks, quiet=as_json, shows=shows, seconds=pace))
    if as_json:
        print_json(moments)
    elif keep:
        console.print()
        say(msg("Journal and frames are in {keep}.", keep=keep), language)
    # An emulator has apps, people and a clock of its own: what is to be expected there is not known.
    if not asks and not emulator and not all(moment.as_expected for moment in moments):
        raise Bug(f"the demo's day did not go as expected: {_unexpected(moments)}")


class _ShownScript(ScriptedChannel):
    """The script's answers, with the question shown as a person would see it."""

    def __init__(self, language: Language) -> None:
        self._language = language

    async def ask(self, request: ConsentRequest) -> Answer:
        console.print(consent_panel(request, self._language))
        return await super().ask(request)


async def play(
    home: Path,
    scenario: Scenario,
    language: Language,
    *,
    asks: bool,
    quiet: bool,
    shows: bool = False,
    seconds: float | None = None,
) -> list[Moment]:
    """The day in ``home``: ``asks`` the person instead of the script, is ``quiet``, ``shows`` the console.

    ``seconds`` lie between two moments; None = unhurried where somebody is asked, else none.
    """
    narrator = Narrator(console, language)
    channel = _channel(language, asks=asks, quiet=quiet)
    if not quiet:
        say(msg("heed demo: a virtual phone, a real adb server, one day"), language, style="bold")
        console.print()
    if asks:
        say(msg("Enter pauses the day between two moments, and continues it."), language, style="dim")
    day = play_day(
        home,
        scenario=scenario,
        language=language,
        channel=channel,
        listen=(lambda stage: None) if quiet else narrator.tell,
        announce=(lambda entry: None) if quiet else _announce,
        show_console=partial(_show_console, language) if shows else None,
        pace=_pace(seconds, language, asks=asks),
    )
    moments = []
    async for moment in day:
        moments.append(moment)
        if not quiet:
            _tell_changes(language, moment.changes)
            _tell_changes(language, moment.undone)
    return moments


async def play_emulated(
    home: Path,
    bridge: BridgeConfig,
    scenario: Scenario,
    language: Language,
    *,
    asks: bool,
    quiet: bool,
    seconds: float | None = None,
) -> list[Moment]:
    """The same on the emulator of ``bridge``."""
    narrator = Narrator(console, language)
    if not quiet:
        say(msg("heed demo: {serial}, untried on a real emulator", serial=bridge.serial), language, style="bold")
        console.print()
    day = play_on_emulator(
        home,
        bridge,
        scenario=scenario,
        language=language,
        channel=_channel(language, asks=asks, quiet=quiet),
        listen=(lambda stage: None) if quiet else narrator.tell,
        announce=(lambda entry: None) if quiet else _announce,
        warn=partial(_warn, language),
        pace=_pace(seconds, language, asks=asks),
    )
    return [moment async for moment in day]


def _channel(language: Language, *, asks: bool, quiet: bool) -> Channel:
    if asks:
        return TerminalChannel(console, language)
    return ScriptedChannel() if quiet else _ShownScript(language)


def _warn(language: Language, sentence: Text) -> None:
    told = escape(translate(sentence, language))
    Console(stderr=True, highlight=False).print(f"[yellow]![/] {told}", soft_wrap=True)


def _pace(seconds: float | None, language: Language, *, asks: bool) -> Pace:
    if not asks:
        return Pace(seconds or 0.0)
    return Pace(UNHURRIED if seconds is None else seconds, partial(_enter_pauses, language))


@contextmanager
def _enter_pauses(language: Language, pace: Pace) -> Iterator[None]:
    """While nobody is asked anything, a line on the terminal pauses the day, and the next one lets it go on."""
    loop, descriptor = asyncio.get_running_loop(), sys.stdin.fileno()

    def read() -> None:
        if not os.read(descriptor, 4096):
            loop.remove_reader(descriptor)
            return
        pace.hold(not pace.paused)
        say(
            msg("The day is paused; Enter continues it.") if pace.paused else msg("The day continues."),
            language,
            style="dim",
        )

    loop.add_reader(descriptor, read)
    try:
        yield
    finally:
        loop.remove_reader(descriptor)


def _announce(entry: Entry) -> None:
    console.print(f"\n[bold]{escape(entry.at)}  {escape(entry.note)}[/]", soft_wrap=True)


def _show_console(language: Language, link: str) -> None:
    if not (has_display() and open_page(link)):
        Console(stderr=True).print(translate(msg("Console: {link}", link=link), language), soft_wrap=True)


def _tell_changes(language: Language, changes: tuple[Change, ...]) -> None:
    """What the phone itself shows; the same change of many items is one line."""
    alike: dict[tuple[str, str, str], list[str]] = {}
    for change in changes:
        item, _, field = change.where.rpartition(".")
        alike.setdefault((field, _shown(change.before, language), _shown(change.after, language)), []).append(item)
    title = translate(msg("phone"), language)
    for (field, before, after), items in alike.items():
        where = items[0] if len(items) == 1 else f"{len(items)} × {items[0].partition('[')[0]}"
        line = f"{where} {field}: {before} → [bold]{after}[/]"
        console.print(f"  [green]{title}[/]  {line}", soft_wrap=True)


def _shown(value: object, language: Language) -> str:
    return translate(msg("none"), language) if value is None else escape(str(value))


def _unexpected(moments: list[Moment]) -> str:
    return "; ".join(
        f"{moment.at} {moment.note} (expected {moment.expected or 'nothing'}, {moment.decision}: {moment.reason})"
        for moment in moments
        if not moment.as_expected
    )
