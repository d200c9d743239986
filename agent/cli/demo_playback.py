"""Plays a demo in the terminal: on a virtual phone or on an emulator, with scripted answers or the owner's."""

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from agent.cli.progress_printer import ProgressPrinter
from agent.consent.request import Answer, Channel, ConsentRequest
from agent.consent.terminal import TerminalChannel, consent_panel
from agent.console.browser import has_display, open_page
from agent.demo import DemoMoment, PlaybackControl, ScriptedChannel, play_day, play_on_emulator
from agent.demo.changes import Change
from android_bridge.config import BridgeConfig
from heed.language import Language
from heed.messages import msg
from heed.printing import console, errors, say
from heed.safe_text import safe_markup
from models.config import ModelsConfig
from virtual_phone.scenario import Scenario, ScenarioEntry

DEFAULT_DELAY = 6.0
"""Seconds between two entries when the owner is asked: the demo takes about two minutes plus the time to answer."""


class _VisibleScriptedChannel(ScriptedChannel):
    """Answers from the scenario, and prints each consent request."""

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
    ask: bool,
    quiet: bool,
    show_console: bool = False,
    seconds: float | None = None,
    models: ModelsConfig | None = None,
) -> list[DemoMoment]:
    """Play ``scenario`` on a virtual phone and return its moments.

    Args:
        home: folder for journal and frames.
        ask: ask in the terminal; otherwise the scenario's answers are given.
        quiet: print nothing.
        show_console: open the web console.
        seconds: delay between two entries; None = ``DEFAULT_DELAY`` with ``ask``, otherwise none.
        models: what decides; None = the routines.
    """
    printer = ProgressPrinter(console, language)
    channel = _channel(language, ask=ask, quiet=quiet)
    if not quiet:
        say(msg("heed demo: a virtual phone, a real adb server, one day"), language, style="bold")
        console.print()
    if ask:
        say(msg("Between two moments, Enter pauses the day and lets it go on."), language, style="dim")
    day = play_day(
        home,
        scenario=scenario,
        language=language,
        channel=channel,
        listen=(lambda stage: None) if quiet else printer.print,
        announce=(lambda entry: None) if quiet else _print_entry,
        show_console=_show_console if show_console else None,
        control=_control(seconds, language, ask=ask),
        models=models,
    )
    moments = []
    async for moment in day:
        moments.append(moment)
        if not quiet:
            _print_changes("phone", moment.changes)
            _print_changes("phone", moment.undone)
    return moments


async def play_emulated(
    home: Path,
    bridge: BridgeConfig,
    scenario: Scenario,
    language: Language,
    *,
    ask: bool,
    quiet: bool,
    seconds: float | None = None,
    models: ModelsConfig | None = None,
) -> list[DemoMoment]:
    """Play ``scenario`` on the emulator of ``bridge`` and return its moments; arguments as of ``play``."""
    printer = ProgressPrinter(console, language)
    if not quiet:
        say(msg("heed demo: {serial}, untried on a real emulator", serial=bridge.serial), language, style="bold")
        console.print()
    day = play_on_emulator(
        home,
        bridge,
        scenario=scenario,
        language=language,
        channel=_channel(language, ask=ask, quiet=quiet),
        listen=(lambda stage: None) if quiet else printer.print,
        announce=(lambda entry: None) if quiet else _print_entry,
        warn=_warn,
        control=_control(seconds, language, ask=ask),
        models=models,
    )
    return [moment async for moment in day]


def _channel(language: Language, *, ask: bool, quiet: bool) -> Channel:
    if ask:
        return TerminalChannel(console, language)
    return ScriptedChannel() if quiet else _VisibleScriptedChannel(language)


def _warn(sentence: str) -> None:
    errors.print(f"[yellow]![/] {safe_markup(sentence)}", soft_wrap=True)


def _control(seconds: float | None, language: Language, *, ask: bool) -> PlaybackControl:
    if not ask:
        return PlaybackControl(seconds or 0.0)
    return PlaybackControl(DEFAULT_DELAY if seconds is None else seconds, partial(_pause_on_enter, language))


@contextmanager
def _pause_on_enter(language: Language, control: PlaybackControl) -> Iterator[None]:
    """Pause on Enter in the terminal and continue on the next one; not active while a question is open."""
    loop, descriptor = asyncio.get_running_loop(), sys.stdin.fileno()

    def read() -> None:
        if not os.read(descriptor, 4096):
            loop.remove_reader(descriptor)
            return
        control.set_paused(not control.paused)
        say(
            msg("The day is paused; Enter continues it.") if control.paused else msg("It goes on."),
            language,
            style="dim",
        )

    loop.add_reader(descriptor, read)
    try:
        yield
    finally:
        loop.remove_reader(descriptor)


def _print_entry(entry: ScenarioEntry) -> None:
    console.print(f"\n[bold]{safe_markup(entry.at)}  {safe_markup(entry.note)}[/]", soft_wrap=True)


def _show_console(link: str) -> None:
    if not (has_display() and open_page(link)):
        errors.print(f"Console: {safe_markup(link)}", soft_wrap=True)


def _print_changes(title: str, changes: tuple[Change, ...]) -> None:
    """Print changes of the phone's state; the same change of several items is one line."""
    grouped: dict[tuple[str, str, str], list[str]] = {}
    for change in changes:
        item, _, field = change.path.rpartition(".")
        grouped.setdefault((field, _shown(change.before), _shown(change.after)), []).append(item)
    for (field, before, after), items in grouped.items():
        path = items[0] if len(items) == 1 else f"{len(items)} × {items[0].partition('[')[0]}"
        line = f"{path} {field}: {before} → [bold]{after}[/]"
        console.print(f"  [green]{title}[/]  {line}", soft_wrap=True)


def _shown(value: object) -> str:
    return "none" if value is None else safe_markup(str(value))
