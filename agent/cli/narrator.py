"""Prints the progress of the agent on a terminal."""

from rich.console import Console
from rich.markup import escape

from agent.consent.terminal import print_outcome
from agent.loop.progress import ActionUndone, ConsentAnswered, ContextRead, DecisionMade, ProgressEvent, StepFinished
from agent.policy.verdict import Decision
from agent.wording import channel_text, word
from heed.language import Language


class Narrator:
    """Prints each progress event as one or two lines. A question is shown by the channel that asks it, not here."""

    def __init__(self, console: Console, language: Language) -> None:
        self._console, self._language = console, language
        self._time = ""
        self._quiet = ""
        """Why heed last stayed silent, and when: several events of one minute are told once."""

    def tell(self, event: ProgressEvent) -> None:
        """Show one event."""
        match event:
            case ContextRead():
                self._time = f"{event.context.now:%H:%M}"
            case DecisionMade() if event.verdict.decision is Decision.SILENT:
                self._silent(event)
            case DecisionMade() if event.verdict.decision is Decision.ACT:
                self._line(f"[bold cyan]{escape(event.recommendation.rec)}[/]  [dim]{escape(event.reason)}[/]")
            case ConsentAnswered():
                where = channel_text(event.given.channel, self._language)
                answer = word(event.given.answer.value, self._language)
                self._line(f"{escape(event.request.sentence)} [bold]{answer}[/]  [dim]({escape(where)})[/]")
            case StepFinished():
                self._line(f"[dim]#{event.action_id}[/] {escape(event.step.call.name)}")
                print_outcome(self._console, event.outcome, self._language)
            case ActionUndone():
                self._time = f"{event.at:%H:%M}"
                self._line(f"[dim]#{event.action_id}[/] {word('undo', self._language)} {escape(event.step.call.name)}")
                print_outcome(self._console, event.outcome, self._language)

    def _silent(self, event: DecisionMade) -> None:
        told = f"{self._time} {event.reason}"
        if told != self._quiet:
            said = f"{word('silent', self._language)}{word('colon', self._language)}{event.reason}"
            self._line(f"[dim]{escape(said)}[/]")
            self._quiet = told

    def _line(self, text: str) -> None:
        self._console.print(f"[dim]{self._time}[/]  {text}", soft_wrap=True)
