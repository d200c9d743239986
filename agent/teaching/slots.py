"""Finds what differs each time: by comparing two recordings of one task, or by asking about each text."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from agent.teaching.recording import TeachingError
from executors.recipes.recipe import has_slot
from executors.steps.vocabulary import STEPS, AnyStep, TypeStep
from executors.taught.task import NAME
from heed.errors import UsageError
from heed.language import Language
from heed.messages import msg

_DATA = ("inside", "beside")
"""Conditions of a locator whose texts are contents of a list, not the app's own words."""
_LOCATORS = ("view", "last_button")


class OpenText(NamedTuple):
    """A text that may differ each time: typed, or of a row that was chosen."""

    text: str
    where: str
    """The field, or empty for a row."""
    suggestion: str
    """A name for it as a slot."""


def open_texts(steps: Sequence[AnyStep]) -> tuple[OpenText, ...]:
    """Returns the texts of a task that may be slots, each once, in the order of the steps."""
    found: dict[str, OpenText] = {}
    for step in steps:
        for text, where in _texts(step):
            if text not in found and not has_slot(text):
                taken = {one.suggestion for one in found.values()}
                found[text] = OpenText(text, where, _free(_slot_name(where or "item"), taken))
    return tuple(found.values())


def _texts(step: AnyStep) -> Iterator[tuple[str, str]]:
    if isinstance(step, TypeStep):
        yield step.text, step.name[Language.EN].strip("“”")
    view = getattr(step, "view", None)
    for field in _DATA if view is not None else ():
        yield from ((text, "") for text in getattr(view, field))


def _slot_name(words: str) -> str:
    plain = re.sub(r"[^a-z0-9]+", "_", words.casefold()).strip("_")
    return plain if NAME.fullmatch(plain) else "text"


def _free(name: str, taken: set[str]) -> str:
    numbered = (name if number == 1 else f"{name}_{number}" for number in range(1, len(taken) + 2))
    return next(one for one in numbered if one not in taken)


def slot_in(text: str) -> str:
    """Returns the name of the slot that a text is; empty for any other text.

    Raises ``UsageError`` for an empty text, and one with braces that is no slot.
    """
    name = text.removeprefix("{").removesuffix("}")
    if text == f"{{{name}}}" and NAME.fullmatch(name):
        return name
    if not text.strip() or has_slot(text):
        raise UsageError(msg("Write a text, or the name of a slot in braces, like {example}.", example="{title}"))
    return ""


def with_slots(steps: Sequence[AnyStep], slots: Mapping[str, str], known: Collection[str] = ()) -> tuple[AnyStep, ...]:
    """Returns the steps with slots in place of texts.

    Args:
        steps: the steps.
        slots: the slot's name for each text. A typed text that reads like a slot itself must be among them.
        known: the slots that the steps have already.

    Raises ``TeachingError`` where one is not.
    """
    literal = [step.text for step in steps if isinstance(step, TypeStep) and has_slot(step.text)]
    meant = {*slots, *(f"{{{name}}}" for name in known)}
    if unnamed := [text for text in literal if text not in meant]:
        raise TeachingError(
            msg("“{text}” has braces, so it must be a slot.", text=unnamed[0]), msg("Name it with --slot NAME=TEXT.")
        )
    marks = {text: f"{{{name}}}" for text, name in slots.items()}
    named = marks | {f"“{text}”": f"“{mark}”" for text, mark in marks.items()}
    replaced = [_replaced(step.model_dump(mode="json"), lambda text: named.get(text, text)) for step in steps]
    for step in replaced:
        step |= {field: _replaced(step[field], lambda text: _within(text, marks)) for field in _SIGNS}
    return STEPS.validate_python(replaced)


_SIGNS = ("before", "after")
"""Fields of a step that say what the screen shows: an app may show a text that was chosen within another one, such as
the title “> Work” after the folder “Work”."""
_SHORTEST_WITHIN = 2
"""Characters below which a text is looked for as a whole only."""


def _within(text: str, marks: Mapping[str, str]) -> str:
    """Returns a text with marks in place of what stands in it as whole words."""
    for one, mark in marks.items():
        if len(one) >= _SHORTEST_WITHIN:
            text = mark.join(re.split(rf"(?<![\w{{]){re.escape(one)}(?![\w}}])", text))
    return text


_TEXTS = frozenset({"text", "description", "inside", "beside", "contains", "name", "button_name"})
"""Fields of a step and of a locator that hold texts; the others hold ids and kinds."""


def _replaced(value: Any, replace: Callable[[str], str], *, is_text: bool = False) -> Any:
    if isinstance(value, str):
        return replace(value) if is_text else value
    if isinstance(value, Mapping):
        return {name: _replaced(inner, replace, is_text=is_text or name in _TEXTS) for name, inner in value.items()}
    return [_replaced(inner, replace, is_text=is_text) for inner in value] if isinstance(value, list) else value


class Comparison(NamedTuple):
    """Two recordings as one task."""

    steps: tuple[AnyStep, ...]
    """The first one's; where the app spoke another language in the second, with the words of both."""
    slots: Mapping[str, str]
    """The slot's name for each text of the first one that the second one has another in place of."""


def compare(first: Sequence[AnyStep], second: Sequence[AnyStep], *, same_language: bool) -> Comparison:
    """Returns what two recordings have in common, and their slots.

    Raises ``TeachingError`` where something else was done the second time.
    """
    kinds = [[step.do for step in steps] for steps in (first, second)]
    if kinds[0] != kinds[1]:
        number = next(
            (n for n, (one, other) in enumerate(zip(*kinds, strict=False), 1) if one != other), min(map(len, kinds)) + 1
        )
        raise TeachingError(
            msg("From step {number} on you did something else than the first time.", number=number),
            msg("Do the same again, with other values."),
        )
    differing: dict[str, OpenText] = {}
    names = {one.text: one for one in open_texts(first)}
    merged = []
    for number, (one, other) in enumerate(zip(first, second, strict=True), 1):
        _require_same_view(one, other, number, same_language=same_language)
        for (text, where), (again, _) in zip(_texts(one), _texts(other), strict=False):
            if text != again and not has_slot(text) and (same_language or where):
                differing[text] = names[text]
        merged.append(one if same_language else _both_words(one, other))
    steps = STEPS.validate_python([step.model_dump(mode="json") for step in merged])
    return Comparison(steps, {text: found.suggestion for text, found in differing.items()})


def _require_same_view(one: AnyStep, other: AnyStep, number: int, *, same_language: bool) -> None:
    for field in _LOCATORS:
        views: list[Any] = [getattr(step, field, None) for step in (one, other)]
        if views[0] is None or views[1] is None:
            continue
        words = {"inside", "beside", "place"} | (set() if same_language else {"text", "description"})
        plain = [view.model_dump(exclude=words) for view in views]
        if plain[0] != plain[1]:
            raise TeachingError(
                msg("In step {number} you touched another view than the first time.", number=number),
                msg("Do the same again, with other values."),
            )


def _both_words(one: AnyStep, other: AnyStep) -> AnyStep:
    """Returns a step whose views are known by the words of both languages."""
    changes: dict[str, Any] = {}
    for field in _LOCATORS:
        mine: Any = getattr(one, field, None)
        theirs: Any = getattr(other, field, None)
        if mine is not None and theirs is not None:
            changes[field] = _joined(mine, theirs)
    for field in ("before", "after", "unless"):
        here: Sequence[Any] = getattr(one, field, ())
        there: Sequence[Any] = getattr(other, field, ())
        if here and len(here) == len(there):
            changes[field] = tuple(_joined(a, b) for a, b in zip(here, there, strict=True))
    return one.model_copy(update=changes)


def _joined(mine: Any, theirs: Any) -> Any:
    words = ("text", "description", "inside", "beside")
    both = {field: tuple(dict.fromkeys((*getattr(mine, field), *getattr(theirs, field)))) for field in words}
    return mine.model_copy(update={field: texts for field, texts in both.items() if getattr(mine, field)})
