"""Chats as tokens, exactly as the engine makes them of a prompt.

Markup, words and pictures are tokenised one by one, and words never as control tokens (``models/llama/worker.py``). The
answer is followed by the token that ends a turn.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from gguf import SpecialVocab

from models.llama.chat import markup
from models.prompt import Prompt, PromptImage, PromptText
from training.chats.chat import Chat
from training.tuning.base import BaseModel
from training.tuning.pictures import Tensors, family, opened

IGNORED = -100
"""The label of a token without loss."""


class TokenizedPrompt(NamedTuple):
    """The tokens of a prompt, and the tensors of its pictures."""

    ids: list[int]
    tensors: Tensors


class Tokenizing:
    """Makes tokens of prompts and chats for one base model."""

    def __init__(self, base: BaseModel) -> None:
        self._config, self._images = base.model.config, base.images
        self._tokenizer = base.tokenizer
        self._markup = markup(chat_template(base.folder), base.folder.name)
        self._begin: list[int] = list(base.tokenizer("").input_ids)

    @property
    def end(self) -> int:
        """The token that ends an answer."""
        return int(self._tokenizer.eos_token_id)

    def prompt(self, prompt: Prompt) -> TokenizedPrompt:
        """The tokens up to the answer."""
        paths = [part.path for part in prompt.user if isinstance(part, PromptImage)] if self._images is not None else []
        seen = family(self._config).read(self._config, self._images, opened(paths)) if paths else None
        texts = iter(seen.texts if seen else ())
        ids = [*self._begin, *self._marks(self._markup.before_system), *self._words(prompt.system)]
        ids += self._marks(self._markup.before_user)
        for part in prompt.user:
            if isinstance(part, PromptText):
                ids += self._words(part.text)
            elif seen is not None:
                ids += self._marks(next(texts))
        return TokenizedPrompt(ids + self._marks(self._markup.before_answer), seen.tensors if seen else {})

    def text(self, prompt: Prompt) -> str | None:
        """A prompt without pictures as one text, for trainers that tokenise by themselves.

        None where its tokens would be others: where a text of the phone holds control tokens.
        """
        user = "".join(part.text for part in prompt.user if isinstance(part, PromptText))
        marks = self._markup
        text = f"{marks.before_system}{prompt.system}{marks.before_user}{user}{marks.before_answer}"
        return text if [*self._tokenizer(text).input_ids] == self.prompt(prompt).ids else None

    def answer(self, text: str) -> list[int]:
        """The tokens of an answer, with the one that ends it."""
        return [*self._words(text), self.end]

    def batch(self, chat: Chat) -> dict[str, Any]:
        """The model's arguments for one chat, with loss on the answer alone."""
        prompt, answer = self.prompt(chat.prompt), self.answer(chat.answer)
        labels = [IGNORED] * len(prompt.ids) + answer
        return {**self.arguments(prompt, answer), "labels": torch.tensor([labels])}

    def arguments(self, prompt: TokenizedPrompt, answer: Sequence[int] = ()) -> dict[str, Any]:
        """The model's arguments for one prompt and what follows it."""
        ids = torch.tensor([[*prompt.ids, *answer]])
        made = {"input_ids": ids, "attention_mask": torch.ones_like(ids), **prompt.tensors}
        if self._images is not None and family(self._config).typed:
            made["mm_token_type_ids"] = (ids == family(self._config).token(self._config)).to(torch.int32)
        return made

    def _marks(self, text: str) -> list[int]:
        return list(self._tokenizer.encode(text, add_special_tokens=False))

    def _words(self, text: str) -> list[int]:
        return list(self._tokenizer.encode(text, add_special_tokens=False, split_special_tokens=True))


def chat_template(folder: Path) -> str:
    """The chat template that a conversion of the model in ``folder`` carries; empty when there is none."""
    template: object = SpecialVocab(folder).chat_template
    return template if isinstance(template, str) else ""
