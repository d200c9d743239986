"""Carries out orders on one loaded model, in the child process."""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

import llama_cpp as llama
from llguidance import LLMatcher
from llguidance.llamacpp import lltokenizer_from_vocab

from heed.errors import Bug
from models.llama import chat, memory, native
from models.llama.decode import LONGEST_RUN, Sampler, generate
from models.llama.images import PictureEncoder
from models.llama.native import StopFlag
from models.llama.prefix import PrefixStore
from models.llama.protocol import DecideOrder, DecideReply, LoadOrder, LoadReply, WarmOrder, WarmReply
from models.llama.session import Entry, LlamaSession, Stopped, common_prefix, tokens
from models.prompt import PromptImage


class Ready(NamedTuple):
    """Where the evaluated system message came from, and how many tokens that took."""

    source: Literal["cache", "file", "evaluated"]
    evaluated: int


class Stages:
    """Milliseconds per stage of an order."""

    def __init__(self) -> None:
        self.milliseconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.milliseconds[name] = self.milliseconds.get(name, 0.0) + (time.perf_counter() - start) * 1000


class Worker:
    """A loaded model with its session, prompt markup and saved prefixes."""

    def __init__(self, order: LoadOrder, stop: StopFlag) -> None:
        config = order.config
        threads = config.threads or _cores()
        start = time.perf_counter()
        self._log = log = native.NativeLog()  # llama.cpp calls it for as long as the process lives
        path = Path(order.model)
        self._model = native.load_model(path, config, log)
        self._vocabulary = llama.llama_model_get_vocab(self._model)
        self._pictures = self._encoder(order, threads, log) if order.mmproj else None
        whole = self._pictures is not None and self._pictures.whole
        context = native.new_context(self._model, config, threads=threads, stop=stop, whole_pictures=whole)
        if order.adapter:
            native.apply_adapter(Path(order.adapter), self._model, context, log)
        self._session = LlamaSession(context, batch=config.batch_tokens, stop=stop, pictures=self._pictures)
        self._session.warm_up()
        self._markup = chat.markup(native.chat_template(self._model), path.name)
        self._tokenizer = lltokenizer_from_vocab(self._vocabulary)
        files = [Path(file) for file in (order.model, order.adapter) if file]
        self._prefixes = PrefixStore(Path(order.prefix_folder), files, config)
        self._stop = stop
        self._matcher = lru_cache(maxsize=8)(self._new_matcher)
        self.loaded = LoadReply(
            vocabulary=llama.llama_vocab_n_tokens(self._vocabulary),
            context_tokens=self._session.size,
            sees=self._pictures is not None,
            milliseconds=(time.perf_counter() - start) * 1000,
        )

    def warm(self, order: WarmOrder) -> WarmReply:
        """Have the system message evaluated."""
        stages = Stages()
        with stages.stage("all"):
            prefix = self._prefix(order.system)
            ready = self._ready_prefix(prefix, stages)
        milliseconds = stages.milliseconds["all"]
        return WarmReply(id=order.id, source=ready.source, tokens=len(prefix), milliseconds=milliseconds)

    def decide(self, order: DecideOrder) -> DecideReply:
        """Evaluate the prompt, as far as it is new, and decode the answer."""
        stages = Stages()
        encoded_before = self._pictures.encodings if self._pictures else 0
        prefix = self._prefix(order.system)
        with stages.stage("encode"):
            prompt = [*prefix, *self._user(order)]
        ready = self._ready_prefix(prefix, stages)
        with stages.stage("prefill"):
            usage = self._session.fill(prompt, reserve=order.answer_tokens + LONGEST_RUN)
        with stages.stage("grammar"):
            matcher = self._matcher(order.grammar).deep_copy()
        with stages.stage("decode"):
            answer = generate(
                self._session, self._tokenizer, matcher, Sampler(order.sampling), limit=order.answer_tokens
            )
        return DecideReply(
            id=order.id,
            text=answer.text.decode("utf-8", "replace"),
            finished=answer.finished,
            confidence=answer.confidence,
            prompt_tokens=tokens(prompt),
            tokens_evaluated=usage.evaluated + ready.evaluated,
            tokens_reused=usage.reused - ready.evaluated,
            answer_tokens=len(answer.tokens),
            forced_tokens=answer.forced,
            pictures_encoded=(self._pictures.encodings if self._pictures else 0) - encoded_before,
            milliseconds=stages.milliseconds,
            peak_memory=memory.peak(),
        )

    def _encoder(self, order: LoadOrder, threads: int, log: native.NativeLog) -> PictureEncoder:
        config = order.config
        projector = native.load_projector(
            Path(order.mmproj), self._model, image_tokens=config.image_tokens, threads=threads,
            gpu=config.gpu_layers != 0, log=log,
        )  # fmt: skip
        return PictureEncoder(projector, self._model, config.images_kept)

    def _prefix(self, system: str) -> list[int]:
        """Everything up to the user message."""
        begin = native.begin(self._vocabulary)
        before, after = self._marks(self._markup.before_system), self._marks(self._markup.before_user)
        return [*begin, *before, *self._words(system), *after]

    def _user(self, order: DecideOrder) -> list[Entry]:
        entries: list[Entry] = []
        for part in order.user:
            if not isinstance(part, PromptImage):
                entries += self._words(part.text)
            elif self._stop.is_set:
                raise Stopped
            elif self._pictures is not None:
                entries += self._pictures.entries(Path(part.path), part.sha256)
        return [*entries, *self._marks(self._markup.before_answer)]

    def _marks(self, text: str) -> list[int]:
        return native.tokenize(self._vocabulary, text, special=True)

    def _words(self, text: str) -> list[int]:
        return native.tokenize(self._vocabulary, text, special=False)

    def _ready_prefix(self, prefix: Sequence[int], stages: Stages) -> Ready:
        """Have the cache begin with ``prefix``: as it does already, or from disk, or evaluated and saved."""
        if common_prefix(self._session.entries, prefix) == len(prefix):
            return Ready("cache", 0)
        with stages.stage("restore"):
            if self._prefixes.restore(self._session, prefix):
                return Ready("file", 0)
        with stages.stage("prefill"):
            usage = self._session.fill(prefix)
        with stages.stage("save"):
            self._prefixes.save(self._session, prefix)
        return Ready("evaluated", usage.evaluated)

    def _new_matcher(self, grammar: str) -> LLMatcher:
        matcher = LLMatcher(self._tokenizer, LLMatcher.grammar_from_lark(grammar), log_level=0)
        if matcher.is_error():
            raise Bug(f"The answer's grammar is not valid: {matcher.get_error()}")
        return matcher


def _cores() -> int:
    """Physical cores that this process may use: two threads on one core only wait for each other."""
    if not hasattr(os, "sched_getaffinity"):
        return os.cpu_count() or 1
    usable = os.sched_getaffinity(0)
    return len({_siblings(number) for number in usable}) or 1


def _siblings(number: int) -> str:
    """What is the same for all threads of a core (Linux)."""
    try:
        return Path(f"/sys/devices/system/cpu/cpu{number}/topology/thread_siblings_list").read_text("ascii")
    except OSError:
        return str(number)
