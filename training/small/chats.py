"""Training examples of the small model: a moment, a function, and what is to be written, as tokens."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pydantic import JsonValue

from collectors.context import RenderedContext
from function_pool.call import FunctionCall
from function_pool.spec import FunctionSpec, default_pool
from heed.language import Language, language_of
from models.grammar import JsonStyle, OutputFormat
from models.llama.chat import Markup
from models.output import ModelAnswer, serialise
from models.perceptor.perceptor import shipped_card
from training.reader.contexts import load_contexts
from training.small.parameters import written_part
from training.small.prompt import small_prompt


class TokenizedChat(NamedTuple):
    """The tokens of a prompt and of its answer, which ends with the token that ends a turn."""

    prompt: list[int]
    answer: list[int]

    @property
    def size(self) -> int:
        """The number of tokens."""
        return len(self.prompt) + len(self.answer)


class Task(NamedTuple):
    """A moment, and the arguments that the model has to write for it."""

    spec: FunctionSpec
    """The function with these parameters alone."""
    said: RenderedContext
    arguments: Mapping[str, JsonValue]


def tasks(language: Language, *, held_out: bool = False) -> Iterator[Task]:
    """The labelled calls in ``language`` with a parameter that the small model writes.

    Args:
        language: of the moments.
        held_out: whether of the writers that neither the perceptor nor the reader learned from, or of the others.
    """
    pool, writers = default_pool(), set(shipped_card().held_out)
    for example in load_contexts():
        spec = written_part(pool.get(example.function), language)
        if (
            spec is None
            or (example.hand in writers) is not held_out
            or language_of(example.said.profile) is not language
        ):
            continue
        stated = {name: example.arguments[name] for name in spec.parameters if name in example.arguments}
        if stated:
            yield Task(spec, example.said, stated)


def answer_of(task: Task) -> str:
    """The call in the wire format; parameters stand in the pool's order, as in the grammar."""
    call = FunctionCall(name=task.spec.name, parameters=dict(task.arguments))
    return serialise(ModelAnswer(rec="", calls=(call,)), OutputFormat.FUNC, JsonStyle())


class ChatTokens:
    """Makes tokens of tasks for one tokenizer and chat markup, exactly as the engine does."""

    def __init__(self, tokenizer: Any, markup: Markup) -> None:
        self._tokenizer, self._markup = tokenizer, markup

    def of(self, task: Task) -> TokenizedChat:
        """The chat of a task."""
        prompt = small_prompt(task.spec, task.said)
        ids = [*self._marks(self._markup.before_system), *self._words(prompt.system)]
        ids += self._marks(self._markup.before_user)
        for part in prompt.user:
            ids += self._words(getattr(part, "text", ""))
        ids += self._marks(self._markup.before_answer)
        return TokenizedChat(ids, [*self._words(answer_of(task)), int(self._tokenizer.eos_token_id)])

    def _marks(self, text: str) -> list[int]:
        return list(self._tokenizer.encode(text, add_special_tokens=False))

    def _words(self, text: str) -> list[int]:
        return list(self._tokenizer.encode(text, add_special_tokens=False, split_special_tokens=True))
