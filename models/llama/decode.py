"""The decoding loop: every token is one that the grammar allows, and what it forces is not asked of the model."""

import re
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from llguidance import LLMatcher, LLTokenizer
from llguidance.numpy import allocate_token_bitmask, fill_next_token_bitmask

from heed.errors import Bug
from models.config import SamplingConfig
from models.llama.memory import MOST_OUTPUTS
from models.llama.session import LlamaSession

Logits = npt.NDArray[np.float32]

_IN_NAME = re.compile(rb'(?:\[|\},? ?)\{"name": ?"[^"]*\Z')
"""The end of an answer that stands inside the name of a call (a parameter called "name" follows ``:{``)."""
LONGEST_RUN = MOST_OUTPUTS - 1
"""Most forced tokens evaluated at once, after one that was chosen."""
_LONGEST_NAME = 128
"""Bytes at the end of an answer in which the start of a name is looked for."""


@dataclass
class Generated:
    """An answer, token by token."""

    tokens: list[int] = field(default_factory=list)
    text: bytes = b""
    forced: int = 0
    """How many tokens the grammar left no choice about."""
    name_log_probabilities: list[float] = field(default_factory=list)
    """Of the function-name tokens, among all tokens of the vocabulary."""
    finished: bool = False

    @property
    def confidence(self) -> float | None:
        """Exponential of the mean log-probability of the function-name tokens."""
        scores = self.name_log_probabilities
        return float(np.exp(np.mean(scores))) if scores else None

    @property
    def in_name(self) -> bool:
        return _IN_NAME.search(self.text[-_LONGEST_NAME:]) is not None


class Sampler:
    """Chooses the next token among those that a matcher allows."""

    def __init__(self, config: SamplingConfig) -> None:
        self._config = config
        self._random = np.random.default_rng(config.seed)
        self._mask: npt.NDArray[np.int32] | None = None

    def choose(self, matcher: LLMatcher, logits: Logits) -> int:
        """The likeliest allowed token, or a random one by the configured temperature."""
        likeliest = int(logits.argmax())
        if not self._config.temperature and matcher.validate_tokens([likeliest]) == 1:
            return likeliest  # what a model tuned on the format nearly always wants: no mask is needed
        allowed = self._allowed(matcher, logits.size)
        scores = np.where(allowed, logits, np.float32(-np.inf))
        return self._draw(scores) if self._config.temperature else int(scores.argmax())

    def _allowed(self, matcher: LLMatcher, size: int) -> npt.NDArray[np.bool_]:
        if self._mask is None:
            self._mask = allocate_token_bitmask(1, size)
        fill_next_token_bitmask(matcher, self._mask)
        return np.unpackbits(self._mask.view(np.uint8), bitorder="little")[:size].view(np.bool_)

    def _draw(self, scores: Logits) -> int:
        """Nucleus sampling: among the likeliest tokens that together have the configured probability."""
        order = np.argsort(scores)[::-1]
        weights = np.exp((scores[order] - scores[order[0]]).astype(np.float64) / self._config.temperature)
        share = np.cumsum(weights) / weights.sum()
        nucleus = min(int(np.searchsorted(share, self._config.top_p)) + 1, weights.size)  # rounding: all may be < 1
        weights = weights[:nucleus] / weights[:nucleus].sum()
        return int(order[self._random.choice(nucleus, p=weights)])


def generate(
    session: LlamaSession,
    tokenizer: LLTokenizer,
    matcher: LLMatcher,
    sampler: Sampler,
    *,
    limit: int,
    fast_forward: bool = True,
) -> Generated:
    """Complete what ``session`` holds, by the grammar of ``matcher``, with at most ``limit`` tokens and one run."""
    answer = Generated()
    logits = session.logits()
    while len(answer.tokens) < limit and not matcher.is_stopped():
        forced = _forced(matcher) if fast_forward else []
        ids = forced or [sampler.choose(matcher, logits)]
        if not forced:
            _consume(matcher, ids)
            run = _forced(matcher) if fast_forward else []
            ids += run
            answer.forced += len(run)
        answer.forced += len(forced)
        named = _append(answer, tokenizer, ids)
        if 0 in named:
            answer.name_log_probabilities.append(log_probability(logits, ids[0]))
        if matcher.is_stopped() and not named:
            break
        later = [place for place in named if place]
        session.extend(ids, wanted=[place - 1 for place in later])
        answer.name_log_probabilities += [log_probability(session.logits(place - 1), ids[place]) for place in later]
        logits = session.logits()
    answer.finished = matcher.is_stopped()
    if matcher.is_error():
        raise Bug(f"The grammar does not accept its own tokens: {matcher.get_error()}")
    return answer


def log_probability(logits: Logits, token: int) -> float:
    """Natural logarithm of the token's share among all tokens of the vocabulary."""
    peak = float(logits.max())
    return float(logits[token]) - peak - float(np.log(np.exp(logits - peak).sum(dtype=np.float64)))


def _forced(matcher: LLMatcher) -> list[int]:
    """The tokens that the grammar leaves no choice about, consumed."""
    ids = list(matcher.compute_ff_tokens())[:LONGEST_RUN] if not matcher.is_stopped() else []
    if ids:
        _consume(matcher, ids)
    return ids


def _consume(matcher: LLMatcher, ids: list[int]) -> None:
    if not matcher.consume_tokens(ids):
        raise Bug(f"The grammar refused a token that it had allowed: {matcher.get_error()}")


def _append(answer: Generated, tokenizer: LLTokenizer, ids: list[int]) -> list[int]:
    """Add tokens to the answer; which places among them stand inside a function's name."""
    named = []
    for place, token in enumerate(ids):
        if answer.in_name:
            named.append(place)
        answer.text += tokenizer.decode_bytes([token])
    answer.tokens += ids
    return named
