"""Printing: the only module that writes to the terminal, so that no text from outside can act on it.

``safe_markup`` belongs around every value that goes into markup: it keeps the value on its line. Whatever a command
forgets, ``Printer`` lets no control, direction or invisible character through but rich's own colours.
"""

import contextlib
import io
import json
import os
import sys
import traceback
from collections.abc import Iterable
from types import TracebackType
from typing import Any

from pydantic import BaseModel
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text as Laid

from heed.language import Language, chosen
from heed.messages import ENGLISH, Text, translate
from heed.safe_text import inert, safe_markup, safe_message


class Printer(Console):
    """A rich console that prints no character by which a text could act on the terminal."""

    def __init__(self, *, stderr: bool = False, file: Any = None, width: int | None = None) -> None:
        super().__init__(stderr=stderr, file=file, width=width, highlight=False, emoji=False)

    def print(self, *objects: Any, soft_wrap: bool | None = None, **options: Any) -> None:
        """Print as rich does; ``soft_wrap`` keeps a line whole, but in a terminal it breaks between words.

        A line that has a word wider than the terminal, such as a link, stays whole there as well.
        """
        whole = soft_wrap and not (self.is_terminal and self._fits_by_words(objects))
        super().print(*objects, soft_wrap=whole, **options)

    def _fits_by_words(self, objects: Iterable[Any]) -> bool:
        return all(cell_len(word) <= self.width for one in objects for word in str(one).split())

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render as rich does, each piece of text without what a terminal would obey."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(inert(segment.text), segment.style)


console = Printer()
"""Standard output. Rich detects a terminal by itself and honours NO_COLOR."""
errors = Printer(stderr=True)
"""Standard error."""


def shown(text: Text, language: Language | None = None) -> str:
    """A sentence in the owner's language, its values safe for a terminal; None = the configured language."""
    return translate(safe_message(text), language or chosen())


def say(sentence: Text, language: Language | None = None, style: str = "") -> None:
    """Print a sentence in the owner's language; None = the configured one."""
    console.print(_markup(sentence, language), style=style or None, soft_wrap=True)


def complain(sentence: Text) -> None:
    """Print what went wrong on standard error, as one line that begins with ``heed:``."""
    errors.print(f"heed: {_markup(sentence, None)}", soft_wrap=True)


def print_lines(text: str) -> None:
    """Print a text of several lines that is laid out already, in no style."""
    console.print(Laid(text), soft_wrap=True)


def print_json(value: Any, indent: int | None = 2) -> None:
    """Print ``value`` as one JSON document; it may hold pydantic models. Without ``indent`` it is one line."""
    sys.stdout.write(f"{json_text(value, indent)}\n")


def json_text(value: Any, indent: int | None = 2) -> str:
    """``value`` as JSON that holds the same data and no character that a terminal obeys."""
    text = json.dumps(_plain(value), ensure_ascii=not _is_unicode(sys.stdout), indent=indent, default=str)
    return text if text.isascii() and "\x7f" not in text else "".join(map(_escaped, text))


def as_data(model: BaseModel, *, exclude: set[str] | None = None) -> dict[str, Any]:
    """``model`` as JSON data, with messages as English sentences."""
    return model.model_dump(mode="json", exclude=exclude, context=ENGLISH)


def prepare_streams() -> None:
    """Let standard output and error replace what the terminal's encoding lacks, and make tracebacks safe to print."""
    sys.excepthook = _print_traceback
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _print_traceback(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    errors.print(Laid("".join(traceback.format_exception(kind, error, trace))), soft_wrap=True, end="")


def discard_output() -> None:
    """Send the rest of the output nowhere: its reader closed it (``heed journal | head``), which is no error."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _markup(sentence: Text, language: Language | None) -> str:
    text = shown(sentence, language)
    return safe_markup(text, multiline=True, limit=max(len(text), 1))


def _is_unicode(stream: Any) -> bool:
    return str(getattr(stream, "encoding", None) or "ascii").lower().replace("-", "").startswith("utf")


def _escaped(char: str) -> str:
    return char if char == "\n" or char.isprintable() else json.dumps(char)[1:-1]


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return as_data(value)
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value
