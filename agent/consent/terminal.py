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

from agent.consent.clarification import LONGEST_REPLY, Clarification, ClarificationReply
from agent.consent.effect_pages import effect_pages, fits
from agent.consent.request import Answer, ChannelName, ConsentRequest, Reply, StepView
from agent.policy.grants import StepField
from agent.wording import RISKS, WORDS, word
from executors.plan import Outcome, OutcomeKind
from executors.wording import describe_outcome
from heed.errors import PersonError
from heed.language import Language
from heed.messages import msg, translate
from heed.safe_text import safe_markup

_KEYS = {"o": Answer.ONCE, "a": Answer.ALWAYS, "n": Answer.NOT_NOW, "x": Answer.NEVER}
_CHUNK = 4096
"""Bytes read at a time."""

_EVIDENCE_SHOWN = 3
"""Newest lines that a suggestion rests on; `heed journal` shows all."""

_NOT_NOW_WORDS = {"", "no"}
_NO_WORDS = {"n", "no", "x"}
_ONCE_WORDS = {"y", "yes"}

_OUTCOME_STYLE = {
    OutcomeKind.VERIFIED: ("✓", "green"),
    OutcomeKind.HANDED_OVER: ("→", "cyan"),
    OutcomeKind.ALREADY: ("=", "cyan"),
    OutcomeKind.REFUSED: ("✗", "yellow"),
    OutcomeKind.FAILED: ("✗", "red"),
    OutcomeKind.UNKNOWN: ("?", "red"),
}


class EndOfInputError(PersonError):
    """Nobody can answer on the terminal any more, which is no answer."""


class TerminalChannel:
    """Asks on a terminal: o once, a always (and what to widen), n not now, x never."""

    name = ChannelName.TERMINAL

    def __init__(self, console: Console, language: Language, source: TextIO | None = None) -> None:
        self._console, self._language = console, language
        self._source = source or sys.stdin
        self._typed = b""

    async def ask(self, request: ConsentRequest) -> Answer | Reply:
        """Show the request and wait for a key; a line that is none of them is asked again."""
        self._discard_typed_ahead()
        panel = consent_panel(request, self._language)
        self._console.print(panel)
        if not fits(self._console, len(self._console.render_lines(panel))) and await self._declined_early(request):
            return Answer.NOT_NOW
        while True:
            self._console.print(self._question(request), end=" ")
            answer = _read_answer(await self._line(), may_always=request.may_always)
            if answer is Answer.ALWAYS:
                return Reply(answer, await self._widened(request))
            if answer is not None:
                return answer

    async def clarify(self, asked: Clarification) -> ClarificationReply:
        """Show a question about a request and wait for a number or words; an empty line leaves it open."""
        self._discard_typed_ahead()
        self._console.print(clarification_text(asked), end=" ")
        words = _chosen(await self._line(), asked)
        if not words or not asked.may_remember:
            return ClarificationReply(words=words)
        self._console.print(Text(word("remember", self._language)), end=" ")
        return ClarificationReply(words=words, remember=(await self._line()).strip().lower() in _ONCE_WORDS)

    async def _declined_early(self, request: ConsentRequest) -> bool:
        """Show the effects again, page by page, the last one right above the question; whether the owner said no.

        Before the last page nothing can be allowed: any other line shows the next page.
        """
        pages = effect_pages(request, self._console, self._language)
        for number, page in enumerate(pages, start=1):
            for line in page:
                self._console.print(line)
            if number < len(pages):
                more = msg("Page {number} of {count}: Enter shows the next one", number=number, count=len(pages))
                self._console.print(Text(f"{translate(more, self._language)}  >", style="bold"), end=" ")
                if (await self._line()).strip().lower() in _NO_WORDS:
                    return True
                # What was typed before a page was shown turns none and answers nothing.
                self._discard_typed_ahead()
        return False

    async def _widened(self, request: ConsentRequest) -> tuple[StepField, ...]:
        """The fields that the person widens, by their numbers; anything else that is typed is asked again."""
        if not request.widenings:
            return ()
        while True:
            self._console.print(widening_text(request, self._language), end=" ")
            numbers = _read_numbers(await self._line(), len(request.widenings))
            if numbers is not None:
                chosen = [request.widenings[number - 1] for number in numbers]
                return tuple(StepField(step=one.step, parameter=one.parameter) for one in chosen)

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
        """One line of input; ``EndOfInputError`` where nobody can type any more.

        The loop watches the file instead of a thread, so that a question can be withdrawn.
        """
        while b"\n" not in self._typed:
            try:
                chunk = await self._read_some()
            except asyncio.CancelledError:
                self._console.print()  # the question was withdrawn: what follows begins on a line of its own
                raise
            if not chunk:
                raise EndOfInputError(msg("The terminal's input has ended."))
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


def _read_numbers(line: str, most: int) -> tuple[int, ...] | None:
    """The numbers on a line, none on an empty one; None when it holds anything else."""
    words = line.replace(",", " ").split()
    numbers = tuple(int(word) for word in words if word.isascii() and word.isdigit() and len(word) <= len(str(most)))
    return numbers if len(numbers) == len(words) and all(1 <= number <= most for number in numbers) else None


def _chosen(line: str, asked: Clarification) -> str:
    """The choice with the number on a line, or the line itself."""
    said = line.strip()[:LONGEST_REPLY]
    number = int(said) if said.isascii() and said.isdigit() and len(said) == 1 else 0
    return asked.choices[number - 1] if 1 <= number <= len(asked.choices) else said


def clarification_text(asked: Clarification) -> Text:
    """The question, with its choices numbered."""
    choices = [f"  [{number}] {choice}" for number, choice in enumerate(asked.choices, start=1)]
    return Text("\n".join([asked.question, *choices, "  >"]), overflow="fold")


def widening_text(request: ConsentRequest, language: Language) -> Text:
    """The fields that "always" may be widened by, numbered."""
    lines = [
        f"  [{number}] {translate(WORDS['instead_of'].filled(wide=one.text, shown=one.shown), language)}"
        for number, one in enumerate(request.widenings, start=1)
    ]
    return Text("\n".join([word("widen", language), *lines, "  >"]), overflow="fold")


def consent_panel(request: ConsentRequest, language: Language) -> Panel:
    """The question: the sentence, why, exact effects, risk, undo, and what rests on other people's text."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column()
    # Not as the panel's title, which is cut at its width; in this column no line of it can look like a row.
    grid.add_row("", Text(request.sentence, style="bold", overflow="fold"))
    if request.phone_name:
        grid.add_row(word("phone", language), Text(request.phone_name, overflow="fold"))
    grid.add_row(word("why", language), Text(request.why, overflow="fold"))
    for line in request.evidence[-_EVIDENCE_SHOWN:]:
        grid.add_row("", Text(line, style="dim"))
    if len(request.evidence) > _EVIDENCE_SHOWN:
        grid.add_row("", Text(f"+ {len(request.evidence) - _EVIDENCE_SHOWN}", style="dim"))
    if request.is_influenced:
        grid.add_row("", Text(f"! {word('influenced', language)}", style="yellow", overflow="fold"))
    for step in request.steps:
        _add_step(grid, step, language)
    if request.picture:
        grid.add_row(word("picture", language), Text(request.picture, overflow="fold"))
    grid.add_row(word("risk", language), f"{request.risk} · {translate(RISKS[request.risk], language)}")
    return Panel(grid, border_style="cyan")


def _add_step(grid: Table, step: StepView, language: Language) -> None:
    for effect in step.effects:
        grid.add_row(word("will", language), Text(effect, overflow="fold"))
    for name, value in step.third_party.items():
        note = f"{word('third_party', language)}{word('colon', language)}{name} = {value}"
        grid.add_row("", Text(f"! {note}", style="yellow", overflow="fold"))
    for command in step.commands:
        grid.add_row(word("runs", language), Text(command, style="dim", overflow="fold"))
    without = word("nothing_to_undo" if step.changes_nothing else "cannot_undo", language)
    for effect in step.undo or (without,):
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
