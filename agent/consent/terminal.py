"""Consent in the terminal, and how plans and outcomes look there."""

import asyncio
import os
import select
import sys
import termios
from typing import TextIO

from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from agent.consent.request import Answer, ChannelName, ConsentRequest, StepView
from agent.wording import RISKS, word
from executors.plan import Outcome, OutcomeKind
from executors.wording import describe_outcome
from heed.language import Language
from heed.messages import translate
from heed.safe_text import safe_markup

_KEYS = {"o": Answer.ONCE, "a": Answer.ALWAYS, "n": Answer.NOT_NOW, "x": Answer.NEVER}
_CHUNK = 4096
"""Bytes read at a time."""

_EVIDENCE_SHOWN = 3
"""Newest lines that a suggestion rests on; `heed journal` shows all."""

_NOT_NOW_WORDS = {"", "no"}
_ONCE_WORDS = {"y", "yes"}

_OUTCOME_STYLE = {
    OutcomeKind.VERIFIED: ("✓", "green"),
    OutcomeKind.HANDED_OVER: ("→", "cyan"),
    OutcomeKind.ALREADY: ("=", "cyan"),
    OutcomeKind.REFUSED: ("✗", "yellow"),
    OutcomeKind.FAILED: ("✗", "red"),
    OutcomeKind.UNKNOWN: ("?", "red"),
}


class TerminalChannel:
    """Asks on a terminal: o once, a always, n not now, x never."""

    name = ChannelName.TERMINAL

    def __init__(self, console: Console, language: Language, source: TextIO | None = None) -> None:
        self._console, self._language = console, language
        self._source = source or sys.stdin
        self._typed = b""

    async def ask(self, request: ConsentRequest) -> Answer:
        """Show the request and wait for a key; a line that is none of them is asked again."""
        self._discard_typed_ahead()
        self._console.print(consent_panel(request, self._language))
        while True:
            self._console.print(self._question(request), end=" ")
            answer = _read_answer(await self._line(), may_always=request.may_always)
            if answer is not None:
                return answer

    def _discard_typed_ahead(self) -> None:
        """Forget what was typed before this question was shown, perhaps to one that another channel answered."""
        self._typed = b""
        descriptor = self._source.fileno()
        if os.isatty(descriptor):
            # A line without its end as well: the terminal still holds it.
            termios.tcflush(descriptor, termios.TCIFLUSH)
        while select.select([descriptor], [], [], 0)[0] and os.read(descriptor, _CHUNK):
            pass

    def _question(self, request: ConsentRequest) -> Text:
        keys = [key for key, answer in _KEYS.items() if answer is not Answer.ALWAYS or request.may_always]
        parts = [f"[{key}] {word(_KEYS[key].value, self._language)}" for key in keys]
        return Text("  ".join(parts) + "  >", style="bold")

    async def _line(self) -> str:
        """One line of input; at the end of input, "not now".

        The loop watches the file instead of a thread, so that a question can be withdrawn.
        """
        while b"\n" not in self._typed:
            chunk = await self._read_some()
            if not chunk:
                return ""
            self._typed += chunk
        line, _, self._typed = self._typed.partition(b"\n")
        return line.decode(errors="replace")

    async def _read_some(self) -> bytes:
        loop = asyncio.get_running_loop()
        ready: asyncio.Future[None] = loop.create_future()
        descriptor = self._source.fileno()

        def readable() -> None:
            if not ready.done():
                ready.set_result(None)

        loop.add_reader(descriptor, readable)
        try:
            await ready
        finally:
            loop.remove_reader(descriptor)
        return os.read(descriptor, _CHUNK)


def _read_answer(line: str, *, may_always: bool) -> Answer | None:
    key = line.strip().lower()
    if key in _NOT_NOW_WORDS:
        return Answer.NOT_NOW
    if key in _ONCE_WORDS:
        return Answer.ONCE
    answer = _KEYS.get(key[:1]) if len(key) == 1 else None
    return None if answer is Answer.ALWAYS and not may_always else answer


def consent_panel(request: ConsentRequest, language: Language) -> Panel:
    """The question: the sentence, why, exact effects, risk, undo, and what rests on other people's text."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column()
    grid.add_row(word("why", language), Text(request.why, overflow="fold"))
    for line in request.evidence[-_EVIDENCE_SHOWN:]:
        grid.add_row("", Text(line, style="dim"))
    if len(request.evidence) > _EVIDENCE_SHOWN:
        grid.add_row("", Text(f"+ {len(request.evidence) - _EVIDENCE_SHOWN}", style="dim"))
    for step in request.steps:
        _add_step(grid, step, language)
    grid.add_row(word("risk", language), f"{request.risk} · {translate(RISKS[request.risk], language)}")
    return Panel(grid, title=Text(request.sentence, style="bold"), title_align="left", border_style="cyan")


def _add_step(grid: Table, step: StepView, language: Language) -> None:
    for effect in step.effects:
        grid.add_row(word("will", language), Text(effect, overflow="fold"))
    for name, value in step.third_party.items():
        note = f"{word('third_party', language)}{word('colon', language)}{name} = {value}"
        grid.add_row("", Text(f"! {note}", style="yellow", overflow="fold"))
    for command in step.commands:
        grid.add_row(word("runs", language), Text(command, style="dim", overflow="fold"))
    for effect in step.undo or (word("cannot_undo", language),):
        grid.add_row(word("undo", language), Text(effect, overflow="fold"))


def print_outcome(console: Console, outcome: Outcome, language: Language) -> None:
    """How a step ended, with the proof."""
    mark, style = _OUTCOME_STYLE[outcome.kind]
    console.print(f"  [{style}]{mark}[/] {safe_markup(describe_outcome(outcome, language))}", soft_wrap=True)
    for proof in outcome.proof:
        console.print(
            f"    [dim]{safe_markup(_short(proof.command))} → {safe_markup(_short(proof.answer))}[/]", soft_wrap=True
        )


def _short(text: str, limit: int = 70) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"
