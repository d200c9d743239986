"""A chat: the prompt of one moment, as the product builds it, with the right answer."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from llguidance import LLMatcher, LLTokenizer

from evaluation.proactivemobile.cases import ProactiveCase, load_cases
from evaluation.proactivemobile.run import context_of
from function_pool.call import FunctionCall
from function_pool.spec import Pool
from function_pool.validation import InvalidCallError, validate
from heed.errors import UsageError
from heed.language import Language
from heed.model import Frozen
from models.config import PromptConfig
from models.grammar import lark
from models.output import ModelAnswer, serialise
from models.prompt import Prompt, PromptBuilder
from models.prompt.template import load
from models.reasoner import NO_RECOMMENDATION
from training.generator.records import Record


class Chat(Frozen):
    """One example of supervised tuning."""

    id: str
    prompt: Prompt
    answer: str
    """In the wire format, as the engine's grammar allows it."""
    calls: tuple[FunctionCall, ...]
    """What the answer calls; none for silence."""


class Chats(NamedTuple):
    """Chats, and how many records were left out, by reason."""

    chats: tuple[Chat, ...]
    left_out: Mapping[str, int]

    @property
    def silent(self) -> int:
        """The number of chats in which silence is right."""
        return sum(not chat.calls for chat in self.chats)


class _UnusableError(Exception):
    """A record whose answer the engine could not give; the text is the reason."""


def write_records(records: Sequence[Record], path: Path) -> Path:
    """The records as a file in the benchmark's format, which ``heed eval proactivemobile`` reads."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(records, ensure_ascii=False, indent=1), "utf-8")
    return path


class ChatWriter:
    """Makes chats of records for one pool and one form of prompts and answers.

    Args:
        pool: the functions.
        config: the section ``models.prompt`` that the fine-tune will run with; a format with reasons is a
            ``UsageError``, because no record states reasons.
    """

    def __init__(self, pool: Pool, config: PromptConfig) -> None:
        if "think" in config.format:
            raise UsageError(f"Records have no reasons for the format {config.format}.", "Use rec+func or func.")
        self._pool, self._config = pool, config
        self._template = load(config.template)
        self._builders = {
            language: PromptBuilder(self._template, language, config.format, config.limits) for language in Language
        }
        self._bytes = LLTokenizer("byte")
        grammar = lark(pool, list(pool.functions), config.format, config.limits, self._template.style)
        self._matcher = LLMatcher(self._bytes, LLMatcher.grammar_from_lark(grammar))

    def write(self, path: Path) -> Chats:
        """The chats of a file of records, in its order."""
        raw, cases = json.loads(path.read_text("utf-8")), load_cases(path)
        left_out: Counter[str] = Counter()
        made = list(self._made(zip(raw, cases, strict=True), path.parent, left_out))
        return Chats(tuple(made), dict(left_out))

    def _made(
        self, records: Iterable[tuple[Record, ProactiveCase]], folder: Path, left_out: Counter[str]
    ) -> Iterable[Chat]:
        for record, case in records:
            try:
                yield self._chat(record, case, folder)
            except _UnusableError as reason:
                left_out[str(reason)] += 1

    def _chat(self, record: Record, case: ProactiveCase, folder: Path) -> Chat:
        calls = tuple(self._valid(call, case) for call in case.answers[0])
        answer = serialise(
            ModelAnswer(rec=_sentence(record) if calls else NO_RECOMMENDATION, calls=calls),
            self._config.format,
            self._template.style,
        )
        self._check(answer)
        language = Language.ZH if case.language == Language.ZH else Language.EN
        frames = context_of(case, folder).frames
        prompt = self._builders[language].build(self._pool, case.said, frames)
        return Chat(id=case.id, prompt=prompt, answer=answer, calls=calls)

    def _valid(self, call: FunctionCall, case: ProactiveCase) -> FunctionCall:
        try:
            return validate(self._pool, call, case.now)
        except InvalidCallError as error:  # a UsageError too, so it comes first
            raise _UnusableError("the arguments are not valid") from error
        except UsageError as error:
            raise _UnusableError("the function is not in the pool") from error

    def _check(self, answer: str) -> None:
        """Constrained decoding must be able to write the answer."""
        ids = self._bytes.tokenize_str(answer)
        matcher = self._matcher.deep_copy()
        if matcher.try_consume_tokens(ids) < len(ids) or not matcher.is_accepting():
            raise _UnusableError("the answer is not in the engine's grammar")


def _sentence(record: Record) -> str:
    answers: Any = next((value for key, value in record.items() if key.startswith("recom")), ())
    return " ".join(str(answers[0].get("instruction", "")).split())
