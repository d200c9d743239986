"""What the loop does, told on a terminal."""

from rich.console import Console
from rich.markup import escape

from agent.consent.terminal import print_outcome
from agent.loop.progress import Acted, Answered, Decided, Saw, Stage, Undid
from agent.policy.rules import Decision
from agent.wording import channel_text, word
from heed.language import Language
from heed.messages import translate


class Narrator:
    """Prints each stage as one or two lines. A question is shown by the channel that asks it, not here."""

    def __init__(self, console: Console, language: Language) -> None:
        self._console, self._language = console, language
        self._time = ""
        self._quiet = ""
        """Why heed last stayed silent, and when: several events of one minute are told once."""

    def tell(self, stage: Stage) -> None:
        """Show one stage."""
        match stage:
            case Saw():
                self._time = f"{stage.context.now:%H:%M}"
            case Decided() if stage.verdict.decision is Decision.SILENT:
                self._silent(stage)
            case Decided() if stage.verdict.decision is Decision.ACT:
                reason = translate(stage.reason, self._language)
                self._line(f"[bold cyan]{escape(stage.recommendation.rec)}[/]  [dim]{escape(reason)}[/]")
            case Answered():
                where = channel_text(stage.given.channel, self._language)
                answer = word(stage.given.answer.value, self._language)
                self._line(f"{escape(stage.request.sentence)} [bold]{answer}[/]  [dim]({escape(where)})[/]")
            case Acted():
                self._line(f"[dim]#{stage.action_id}[/] {escape(stage.step.call.name)}")
                print_outcome(self._console, stage.outcome, self._language)
            case Undid():
                self._time = f"{stage.at:%H:%M}"
                self._line(f"[dim]#{stage.action_id}[/] {word('undo', self._language)} {escape(stage.step.call.name)}")
                print_outcome(self._console, stage.outcome, self._language)

    def _silent(self, stage: Decided) -> None:
        reason = translate(stage.reason, self._language)
        told = f"{self._time} {reason}"
        if told != self._quiet:
            said = f"{word('silent', self._language)}{word('colon', self._language)}{reason}"
            self._line(f"[dim]{escape(said)}[/]")
            self._quiet = told

    def _line(self, text: str) -> None:
        self._console.print(f"[dim]{self._time}[/]  {text}", soft_wrap=True)
