"""Prints the loop's progress on a terminal."""

from rich.console import Console

from agent.consent.terminal import print_outcome
from agent.loop.progress import ActionUndone, ConsentAnswered, ContextRead, DecisionMade, ProgressEvent, StepFinished
from agent.policy.verdict import Decision
from agent.wording import channel_text, word
from heed.language import Language
from heed.messages import translate
from heed.safe_text import safe_markup


class ProgressPrinter:
    """Prints each progress event as one or two lines; a consent request is shown by its channel, not here."""

    def __init__(self, console: Console, language: Language) -> None:
        self._console, self._language = console, language
        self._time = ""
        self._phone = ""
        self._phones: set[str] = set()
        """The names of the phones that anything was printed about; with two, each line names its phone."""
        self._last_silence = ""
        """Time and reason of the last silent decision: the same one within a minute is printed once."""

    def print(self, event: ProgressEvent) -> None:
        """Print one progress event."""
        self._phone = event.phone
        self._phones.add(event.phone)
        match event:
            case ContextRead():
                self._time = f"{event.context.now:%H:%M}"
            case DecisionMade() if event.verdict.decision is Decision.SILENT:
                self._print_silence(event)
            case DecisionMade() if event.verdict.decision is Decision.ACT:
                reason = translate(event.reason, self._language)
                self._print_line(
                    f"[bold cyan]{safe_markup(event.recommendation.rec)}[/]  [dim]{safe_markup(reason)}[/]"
                )
            case ConsentAnswered():
                channel = channel_text(event.given.channel, self._language)
                answer = word(event.given.answer.value, self._language)
                self._print_line(
                    f"{safe_markup(event.request.sentence)} [bold]{answer}[/]  [dim]({safe_markup(channel)})[/]"
                )
            case StepFinished():
                self._print_line(f"[dim]#{event.action_id}[/] {safe_markup(event.step.call.name)}")
                print_outcome(self._console, event.outcome, self._language)
            case ActionUndone():
                self._time = f"{event.at:%H:%M}"
                undo = word("undo", self._language)
                self._print_line(f"[dim]#{event.action_id}[/] {undo} {safe_markup(event.step.call.name)}")
                print_outcome(self._console, event.outcome, self._language)

    def _print_silence(self, event: DecisionMade) -> None:
        reason = translate(event.reason, self._language)
        silence = f"{self._time} {event.phone} {reason}"
        if silence != self._last_silence:
            sentence = f"{word('silent', self._language)}{word('colon', self._language)}{reason}"
            self._print_line(f"[dim]{safe_markup(sentence)}[/]")
            self._last_silence = silence

    def _print_line(self, text: str) -> None:
        name = f"[dim]{safe_markup(self._phone)}[/]  " if len(self._phones) > 1 else ""
        self._console.print(f"[dim]{self._time}[/]  {name}{text}", soft_wrap=True)
