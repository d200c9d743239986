"""Builds prompts, with constant parts first, so that engines can reuse their evaluation."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from collectors.context import RenderedContext, StoredFrame
from function_pool.spec import Pool
from heed.errors import UsageError
from heed.language import Language
from heed.messages import msg
from heed.model import Frozen
from models.grammar import Limits, OutputFormat
from models.prompt import pool_text
from models.prompt.template import Part, Template, Texts

_OMITTED = ("habits", "log")
"""Parts that are left out where there is nothing to say."""


class PromptText(Frozen):
    """Text; never tokenised as control tokens."""

    kind: Literal["text"] = "text"
    text: str


class PromptImage(Frozen):
    """A stored screenshot."""

    kind: Literal["image"] = "image"
    path: str
    sha256: str
    """Key of the picture in the engine's caches."""


class Prompt(Frozen):
    """The two messages of a decision, without any chat markup: engines add their model's own."""

    system: str
    """Instructions and pool: equal in every decision, so what an engine has computed of it is kept."""
    user: tuple[PromptText | PromptImage, ...]
    version: str
    """Template, language and format, e.g. ``heed-1/en/rec+func``."""


def question_prompt(system: str, question: str, picture: PromptImage | None = None) -> Prompt:
    """A prompt that is no decision: instructions, one question, and a picture that it is about."""
    images = (picture,) if picture else ()
    return Prompt(system=system, user=(*images, PromptText(text=question)), version="")


class PromptBuilder:
    """Renders contexts for one template, language and format."""

    def __init__(self, template: Template, language: Language, output: OutputFormat, limits: Limits) -> None:
        """``UsageError`` when the template has no text for the format."""
        self._template = template
        self.language = template.language(language)
        """Of the texts: the template's only one, where it has no other."""
        self._texts: Texts = template.texts[self.language]
        self._format = _format(template, self._texts, output)
        self._limits = limits
        self.version = f"{template.version}/{self.language}/{output}"

    def system(self, pool: Pool) -> str:
        """The part that is equal in every decision."""
        rendered = pool_text.compact(pool) if self._template.pool == "compact" else pool_text.as_json(pool)
        filled = {"calls": str(self._limits.calls), "format": self._format, "pool": rendered}
        text = self._texts.system
        for name, value in filled.items():
            text = text.replace(f"{{{name}}}", value, 1)
        return text

    def build(self, pool: Pool, context: RenderedContext, frames: Sequence[StoredFrame] = ()) -> Prompt:
        """The prompt of one decision; a frame whose file is gone is said to be."""
        parts = [piece for part in self._template.order for piece in self._part(part, context, frames)]
        return Prompt(system=self.system(pool), user=tuple(_joined(parts)), version=self.version)

    def _part(
        self, part: Part, context: RenderedContext, frames: Sequence[StoredFrame]
    ) -> Iterator[PromptText | PromptImage]:
        if part == "frames":
            yield from self._frames(frames)
            return
        value = getattr(context, part)
        if part in _OMITTED and not value:
            return
        if not isinstance(value, str):
            value = self._listed(value)
        yield PromptText(text=f"{getattr(self._texts, part)}\n{value or self._texts.nothing}\n\n")

    def _listed(self, lines: Sequence[str]) -> str:
        if self._template.pool == "json":
            return json.dumps(list(lines), ensure_ascii=False)
        return "\n".join(f"- {line}" for line in lines)

    def _frames(self, frames: Sequence[StoredFrame]) -> Iterator[PromptText | PromptImage]:
        if not frames:
            return
        yield PromptText(text=f"{self._texts.frames}\n")
        for frame in frames:
            if Path(frame.path).is_file():
                yield PromptImage(path=frame.path, sha256=frame.sha256)
            else:
                yield PromptText(text=self._texts.missing_frame)
        yield PromptText(text="\n\n")


def _format(template: Template, texts: Texts, output: OutputFormat) -> str:
    if output not in texts.formats:
        raise UsageError(
            msg("The prompt template {version} has no format {output}.", version=template.version, output=output),
            msg("Set models.prompt.format to one of: {formats}.", formats=list(texts.formats)),
        )
    return texts.formats[output]


def _joined(parts: Sequence[PromptText | PromptImage]) -> Iterator[PromptText | PromptImage]:
    """Neighbouring texts as one, so that they are tokenised as a fine-tune saw them; no blank end."""
    pending = ""
    for part in parts:
        if isinstance(part, PromptText):
            pending += part.text
            continue
        if pending:
            yield PromptText(text=pending)
            pending = ""
        yield part
    if pending.strip():
        yield PromptText(text=pending.rstrip())
