"""The one-time codes behind the buttons of open questions."""

import hashlib
import secrets
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from agent.consent.pending_requests import RequestClosedError
from agent.consent.request import Answer, ConsentRequest
from heed.messages import msg

_BYTES = 16
"""Of randomness; 22 characters, which fit into every service's buttons."""
_LONGEST = 64
"""Characters of what a service may bring back; anything longer is no code."""


class CodedAnswer(NamedTuple):
    """What a code stands for: one answer to the question about one plan, by its hash."""

    plan_id: int
    plan_hash: str
    answer: Answer


class AnswerCodes:
    """The codes of one channel. Each question has its own, one for each answer, and they end with it."""

    def __init__(self) -> None:
        self._answers: dict[str, CodedAnswer] = {}

    def give(self, request: ConsentRequest, answers: Iterable[Answer]) -> Mapping[Answer, str]:
        """New codes for the answers that are offered to a question."""
        codes = {answer: secrets.token_urlsafe(_BYTES) for answer in answers}
        for answer, code in codes.items():
            self._answers[_digest(code)] = CodedAnswer(request.plan_id, request.plan_hash, answer)
        return codes

    def take_back(self, codes: Iterable[str]) -> None:
        """The question is over."""
        for code in codes:
            self._answers.pop(_digest(code), None)

    def find(self, code: str) -> CodedAnswer:
        """What a code stands for; ``RequestClosedError`` when its question is over or it is none of ours."""
        found = self._answers.get(_digest(code)) if len(code) <= _LONGEST else None
        if found is None:
            raise RequestClosedError(msg("This question is over."), msg("Nothing was changed by your answer."))
        return found


def _digest(code: str) -> str:
    # Codes are looked up by their digest, so that the time of a lookup reveals nothing about them.
    return hashlib.sha256(code.encode(errors="replace")).hexdigest()
