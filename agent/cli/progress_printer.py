"""Prints the loop's progress on a terminal."""

from rich.console import Console
from rich.markup import escape

from agent.consent.terminal import print_outcome
from agent.loop.progress import Acted, Answered, Decided, Saw, Stage, Undid
from agent.policy.rules import Decision
from agent.wording import channel_text, word
from heed.language import Language


class ProgressPrinter:
    """Prints each progress event as one or two lines; a consent request is shown by its channel, not here."""

    def __init__(self, console: Console, language: Language) -> None:
        self._console, self._language = console, language
        self._time = ""
        self._last_silence = ""
        """Time and reason of the last silent decision: the same one within a minute is printed once."""

    def print(self, stage: Stage) -> None:
        """Print one progress event."""
        match stage:
            case Saw():
                self._time = f"{stage.context.now:%H:%M}"
            case Decided() if stage.verdict.decision is Decision.SILENT:
                self._print_silence(stage)
            case Decided() if stage.verdict.decision is Decision.ACT:
                self._print_line(f"[bold cyan]{escape(stage.recommendation.rec)}[/]  [dim]{escape(stage.reason)}[/]")
            case Answered():
                channel = channel_text(stage.given.channel, self._language)
                answer = word(stage.given.answer.value, self._language)
                self._print_line(f"{escape(stage.request.sentence)} [bold]{answer}[/]  [dim]({escape(channel)})[/]")
            case Acted():
                self._print_line(f"[dim]#{stage.action_id}[/] {escape(stage.step.call.name)}")
                print_outcome(self._console, stage.outcome, self._language)
            case Undid():
                self._time = f"{stage.at:%H:%M}"
                undo = word("undo", self._language)
                self._print_line(f"[dim]#{stage.action_id}[/] {undo} {escape(stage.step.call.name)}")
                print_outcome(self._console, stage.outcome, self._language)

    def _print_silence(self, stage: Decided) -> None:
        silence = f"{self._time} {stage.reason}"
        if silence != self._last_silence:
            sentence = f"{word('silent', self._language)}{word('colon', self._language)}{stage.reason}"
            self._print_line(f"[dim]{escape(sentence)}[/]")
            self._last_silence = silence

    def _print_line(self, text: str) -> None:
        self._console.print(f"[dim]{self._time}[/]  {text}", soft_wrap=True)
