"""A model's answer: its JSON schema, and the screen step that it means.

A view is named by its number in the listing and a text by the name of an argument, so that an answer can hold neither a
place nor a text of its own.
"""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field, JsonValue, ValidationError

from android_bridge.facts.hierarchy import Hierarchy, Node
from android_bridge.ui import Direction
from executors.proposals.listing import Listing, locator_of
from executors.proposals.task import ModelTask
from executors.steps.find import label_texts, role_of
from executors.steps.guards import Halt, HaltReason
from executors.steps.vocabulary import (
    AnyStep,
    AskStep,
    BackStep,
    Locator,
    LongPressStep,
    SwipeStep,
    TapStep,
    TypeStep,
    ViewRole,
    WaitForStep,
    Words,
)
from heed.language import Language
from heed.messages import Text, msg
from heed.model import Frozen

_LONGEST_REASON = 200
_STEP_S = 4.0
"""Deadline of the waits before and after a step: the model sees the next screen in any case."""
_OF_THE_APP = (Locator(role=ViewRole.GROUP, first=True),)
"""What must be on the screen after a step: a page of the app. What it shows is for the model to see."""
Do = Literal["tap", "long_press", "type", "swipe", "back", "wait_for", "ask", "finish"]


class Proposal(Frozen):
    """One answer."""

    why: str = Field(default="", max_length=4 * _LONGEST_REASON)
    """A sentence to think in; not kept."""
    do: Do
    view: int = Field(default=0, ge=0)
    """Number of a view in the listing."""
    argument: str = ""
    """Name of the argument that is typed."""
    enter: bool = False
    direction: Direction = Direction.DOWN


def answer_schema(listing: Listing, task: ModelTask) -> dict[str, JsonValue]:
    """Returns the JSON schema of the answers that are possible on a screen."""
    touched: list[JsonValue] = list(range(1, len(listing.views) + 1))
    fields: list[JsonValue] = [
        number for number, node in enumerate(listing.views, 1) if role_of(node) is ViewRole.FIELD
    ]
    names: list[JsonValue] = list(task.texts)
    directions: list[JsonValue] = [direction.value for direction in Direction]
    forms = [_form("back"), _form("wait_for"), _form("ask"), _form("finish"), _form("swipe", direction=directions)]
    if touched:
        forms += [_form("tap", view=touched), _form("long_press", view=touched)]
    if fields and names:
        forms.append(_form("type", view=fields, argument=names, enter=[False, True]))
    return {"anyOf": [*forms]}


def _form(do: str, **fields: list[JsonValue]) -> dict[str, JsonValue]:
    properties: dict[str, JsonValue] = {
        "why": {"type": "string", "maxLength": _LONGEST_REASON},
        "do": {"const": do},
        **{name: {"enum": values} for name, values in fields.items()},
    }
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def read_answer(answer: Mapping[str, JsonValue]) -> Proposal | Halt:
    """Returns the proposal in an answer, or why there is none: a server need not hold a model to the schema."""
    try:
        return Proposal.model_validate(answer)
    except ValidationError:
        return unusable(msg("The answer is not in the form that was asked for."))


def step_of(proposal: Proposal, listing: Listing, hierarchy: Hierarchy, task: ModelTask) -> AnyStep | Halt:
    """Returns the screen step that a proposal other than ``finish`` means, or why it means none."""
    if proposal.do in ("tap", "long_press", "type"):
        return _on_view(proposal, listing, hierarchy, task)
    match proposal.do:
        case "swipe":
            name = dict.fromkeys(Language, proposal.direction.value)
            return SwipeStep(direction=proposal.direction, name=name, after=_OF_THE_APP, seconds=_STEP_S)
        case "back":
            return BackStep(after=_OF_THE_APP, seconds=_STEP_S)
        case "wait_for":
            return WaitForStep(after=_OF_THE_APP, seconds=_STEP_S)
        case _:
            return AskStep(question=dict.fromkeys(Language, ""))


def _on_view(proposal: Proposal, listing: Listing, hierarchy: Hierarchy, task: ModelTask) -> AnyStep | Halt:
    if not 1 <= proposal.view <= len(listing.views):
        return unusable(msg("There is no view with the number {number}.", number=proposal.view))
    node = listing.views[proposal.view - 1]
    view, name = locator_of(node, hierarchy, task.app), _name(node)
    if proposal.do == "type":
        return _typing(proposal, view, name, task)
    kind = TapStep if proposal.do == "tap" else LongPressStep
    return kind(view=view, name=name, after=_OF_THE_APP, seconds=_STEP_S)


def _typing(proposal: Proposal, view: Locator, name: Words, task: ModelTask) -> TypeStep | Halt:
    text = task.texts.get(proposal.argument)
    if text is None:
        return unusable(msg("The request has no argument “{name}”.", name=proposal.argument[:40]))
    after = _OF_THE_APP if proposal.enter else ()
    return TypeStep(view=view, name=name, text=text, enter=proposal.enter, after=after, seconds=_STEP_S)


def _name(node: Node) -> Words:
    texts = label_texts(node)
    said = f"“{texts[0][:60]}”" if texts else f"“{node.resource_id.rpartition('/')[2] or role_of(node)}”"
    return dict.fromkeys(Language, said)


def unusable(message: Text) -> Halt:
    """Returns the halt of an answer that means no step."""
    return Halt(reason=HaltReason.MODEL, message=message)
