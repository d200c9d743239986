"""The effects of a plan in pages of the terminal, so that none has scrolled away when the question is answered."""

from rich.console import Console
from rich.text import Text

from agent.consent.request import ConsentRequest
from agent.wording import word
from heed.language import Language

_PROMPT_LINES = 4
"""Lines below a page: the question, which may be wrapped, and what is typed."""
_SHORTEST = 3
"""Lines of a page, however small the terminal."""


def effect_pages(request: ConsentRequest, console: Console, language: Language) -> list[list[Text]]:
    """Returns the lines of all effects and of what cannot be undone, by pages that fit above the prompt."""
    lines = [line for text in _texts(request, language) for line in text.wrap(console, console.width, overflow="fold")]
    size = max(_SHORTEST, console.height - _PROMPT_LINES)
    return [lines[start : start + size] for start in range(0, len(lines), size)]


def fits(console: Console, lines: int) -> bool:
    """Whether a question of so many lines and its prompt are on the screen at once; a file or pipe has no screen."""
    return not console.is_terminal or lines + _PROMPT_LINES <= console.height


def _texts(request: ConsentRequest, language: Language) -> list[Text]:
    colon = word("colon", language)
    texts: list[Text] = []
    for step in request.steps:
        texts += [Text(f"{word('will', language)}{colon}{effect}", style="bold") for effect in step.effects]
        if not step.undo:
            texts.append(Text(word("cannot_undo", language), style="yellow"))
    return texts
