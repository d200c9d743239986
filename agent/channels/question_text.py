"""A consent request as the text of a message, with as much of it as the owner lets a service have."""

from collections.abc import Iterator
from typing import NamedTuple

from agent.channels.config import ShownTexts
from agent.consent.request import ConsentRequest, StepView
from agent.wording import RISKS, word
from heed.language import Language
from heed.messages import msg, translate

_EVIDENCE_SHOWN = 3
"""Newest lines that a suggestion rests on; the console shows all."""


class QuestionText(NamedTuple):
    """The words of a question, and whether they are all that consent is given to."""

    title: str
    text: str
    is_whole: bool
    """False where something that would be allowed is hidden or left out: then it can only be declined."""


def question_text(request: ConsentRequest, texts: ShownTexts, longest: int, language: Language) -> QuestionText:
    """Return a question's title and text.

    Args:
        request: the question.
        texts: what the service may be given.
        longest: most bytes of the text in UTF-8. A longer one is left out as a whole: half a question is none.
        language: the owner's.
    """
    name = request.phone_name or request.serial
    title = translate(msg("heed asks: {phone}", phone=name), language)
    if texts is ShownTexts.NONE:
        return QuestionText(title, translate(_ELSEWHERE, language), is_whole=False)
    hidden = bool(request.picture) or (texts is ShownTexts.OWN and _rests_on_others(request))
    lines = [*_about(request, texts, language), *_steps(request, texts, language), _risk(request, language)]
    if request.picture:
        lines.append(translate(_PICTURE, language))
    text = "\n".join(lines)
    if len(text.encode()) > longest:
        return QuestionText(title, translate(_TOO_LONG, language), is_whole=False)
    return QuestionText(title, text, is_whole=not hidden)


_ELSEWHERE = msg("heed has a question. Open the console or the phone to read and answer it.")
_TOO_LONG = msg("heed has a question that is too long for here. Open the console or the phone to read and answer it.")
_HIDDEN = msg(
    "This rests on text that others wrote, which is not shown here. Open the console or the phone to allow it."
)

_PICTURE = msg("A picture of the screen belongs to this question. Open the console to see it and to allow it.")


def headline(request: ConsentRequest, texts: ShownTexts, language: Language) -> str:
    """Return a question's one sentence, or what stands for it where ``texts`` hides it."""
    if texts is ShownTexts.NONE:
        return translate(_ELSEWHERE, language)
    if texts is ShownTexts.OWN and _rests_on_others(request):
        return translate(_HIDDEN, language)
    return request.sentence


def _rests_on_others(request: ConsentRequest) -> bool:
    """Whether text that others wrote had a part. What an assistant asks for is the assistant's, not others'."""
    if request.asked_by:
        return False
    return request.is_influenced or any(step.third_party for step in request.steps)


def _about(request: ConsentRequest, texts: ShownTexts, language: Language) -> Iterator[str]:
    if texts is ShownTexts.OWN and _rests_on_others(request):
        yield translate(_HIDDEN, language)
        return
    colon = word("colon", language)
    yield request.sentence
    if request.why:
        yield f"{word('why', language)}{colon}{request.why}"
    if texts is ShownTexts.FULL:
        yield from (f"· {line}" for line in request.evidence[-_EVIDENCE_SHOWN:])
    if request.is_influenced and not request.asked_by:
        yield f"! {word('influenced', language)}"


def _steps(request: ConsentRequest, texts: ShownTexts, language: Language) -> Iterator[str]:
    for step in request.steps:
        if texts is ShownTexts.FULL or request.asked_by or not (step.third_party or request.is_influenced):
            yield from _step(step, language, third_party=not request.asked_by)


def _step(step: StepView, language: Language, *, third_party: bool) -> Iterator[str]:
    colon = word("colon", language)
    yield from (f"{word('will', language)}{colon}{effect}" for effect in step.effects)
    if third_party:
        for name, value in step.third_party.items():
            yield f"! {word('third_party', language)}{colon}{name} = {value}"
    if not step.undo:
        yield word("nothing_to_undo" if step.changes_nothing else "cannot_undo", language)


def _risk(request: ConsentRequest, language: Language) -> str:
    return f"{word('risk', language)}{word('colon', language)}{translate(RISKS[request.risk], language)}"
