"""Finds the conditions by which a view is known again, tried on the screen where it was touched.

In this order: resource id, role, description, text, and the place in its parent. A row of a list is known by its words,
since rows change places. No condition is a coordinate.
"""

from collections.abc import Iterable, Iterator

from android_bridge.facts.hierarchy import Hierarchy, Node
from executors.recipes.recipe import has_slot
from executors.steps.find import label_texts, matching, role_of, row_of, taken_by
from executors.steps.guards import Halt, HaltReason, VisibleScreen, judge
from executors.steps.vocabulary import Locator, TapStep, ViewRole
from function_pool.risk import Risk

_COMMON_IDS = ("android:id/",)
"""Ids of the system that many views of all apps have: the buttons of every dialogue."""
_ANYTHING = Locator(role=ViewRole.GROUP, first=True)
_BRACES = str.maketrans("{}", "()")
_LONGEST = 80
"""Characters of a text by which a view is known; longer ones are contents."""


def touched(screen: Hierarchy, node: Node, app: str) -> tuple[Locator, Halt | None] | None:
    """Returns the conditions that mean a touched view alone, and why heed does not touch it itself.

    None where nothing tells the view from others, or something may lie over it.
    """
    for locator in candidates(screen, node, app):
        halt = _verdict(screen, locator, node, app)
        if halt is None or halt.reason in (HaltReason.LAST_BUTTON, HaltReason.SECRET):
            return locator, halt
    return None


def _verdict(screen: Hierarchy, locator: Locator, node: Node, app: str) -> Halt | None:
    """Returns what the guards say to a touch by these conditions; a halt of another kind where they mean another."""
    front = VisibleScreen(screen, f"{app}/", "", awake=True, locked=False, protected=False)
    locator = spoken(locator)
    found = matching(screen, locator, app)
    if len(found) != 1 or taken_by(screen, found[0]) is not node:
        return Halt(reason=HaltReason.AMBIGUOUS, message="")
    step = TapStep(view=locator, name={}, after=(_ANYTHING,))
    permit = judge(front, step, app, Risk.R2)
    return permit if isinstance(permit, Halt) else None


def filled_in(screen: Hierarchy, field: Node, empty: str, app: str) -> Locator | None:
    """Returns the conditions that mean a text field alone, whatever is typed into it; None where there are none."""
    named = [_id(field)] if _id(field) else []
    choices: list[dict[str, object]] = [{"id": one, "role": ViewRole.FIELD} for one in named]
    if field.description:
        choices.append({"role": ViewRole.FIELD, "description": (field.description,)})
    choices.append({"role": ViewRole.FIELD})
    found = [Locator.model_validate(choice) for choice in choices]
    placed = [with_place(screen, locator, field, app) for locator in found]
    alone = [one for one in (*found[: len(named)], *placed) if one and matching(screen, spoken(one), app) == (field,)]
    return alone[0] if alone else None


def candidates(screen: Hierarchy, node: Node, app: str) -> Iterator[Locator]:
    """Yields conditions that may mean a view, the most stable first."""
    role, name, row = role_of(node), _id(node), row_of(screen, node)
    in_list = row is not None
    if row is not None and (row is not node or role is ViewRole.GROUP) and row_texts(row, node):
        yield from _by_row(row, node, name)
        return
    if name:
        yield Locator(id=name)
        yield Locator(id=name, role=role)
    worded = [*_own_words(node, {"id": name, "role": role} if name else {"role": role})]
    for locator in worded:
        yield locator if in_list else (with_place(screen, locator, node, app) or locator)
    for inner in (one for one in node.walk() if one is not node and _usable(one.text)):
        if taken_by(screen, inner) is node:
            yield Locator(inside=(inner.text,), role=role)
            yield Locator(text=(inner.text,), role=role_of(inner))
    if not in_list and not worded:
        plain = Locator(id=name, role=role) if name else Locator(role=role)
        yield from filter(None, [with_place(screen, plain, node, app)])


def _own_words(node: Node, conditions: dict[str, object]) -> Iterator[Locator]:
    for field, text in (("description", node.description), ("text", node.text)):
        if _usable(text) and role_of(node) is not ViewRole.FIELD:
            yield Locator.model_validate({**conditions, field: (text,)})


def _by_row(row: Node, node: Node, name: str) -> Iterator[Locator]:
    """Yields the conditions of a row of a list, or of a view in it: what the row shows says which row is meant."""
    role = role_of(node)
    for text in row_texts(row, node):
        if row is node:
            yield Locator(inside=(text,), id=name)
            yield from (Locator(text=(text,), role=ViewRole.TEXT, id=one.resource_id) for one in node.walk()
                        if one.text == text)  # fmt: skip
        else:
            yield Locator(beside=(text,), id=name, role=role)
            yield from _own_words(node, {"beside": (text,), "id": name, "role": role})


def spoken(locator: Locator) -> Locator:
    """Returns the conditions as they count in a language whose words are known."""
    return locator.model_copy(update={"place": None}) if locator.text or locator.description else locator


def row_texts(row: Node, node: Node) -> Iterable[str]:
    """Returns the texts by which a row is known, its title first."""
    texts = (one.text for one in row.walk() if one is not node and not one.password and role_of(one) is ViewRole.TEXT)
    return tuple(dict.fromkeys(text for text in texts if _usable(text) and len(text.strip()) > 1))


def with_place(screen: Hierarchy, locator: Locator, node: Node, app: str) -> Locator | None:
    """Returns the conditions with the view's place among its like in its parent; None where it has no certain place.

    The place counts in a language whose words are not known.
    """
    nameless = locator.model_copy(update={"text": (), "description": ()})
    like = matching(screen, nameless, app)
    families = [screen.roots, *(parent.children for parent in screen.nodes())]
    family = next(children for children in families if any(child is node for child in children))
    mine = [child for child in family if any(child is one for one in like)]
    if not any(child is node for child in mine):
        return None
    number = next(index for index, child in enumerate(mine, 1) if child is node)
    placed = nameless.model_copy(update={"place": (number, len(mine))})
    if matching(screen, placed, app) != (node,):
        return None
    return locator.model_copy(update={"place": placed.place})


def _id(node: Node) -> str:
    return "" if node.resource_id.startswith(_COMMON_IDS) else node.resource_id


def _usable(text: str) -> bool:
    return bool(text.strip()) and len(text) <= _LONGEST and not has_slot(text)


def label_of(node: Node) -> str:
    """Returns what the view is called on the screen; its id in words where nothing else says it."""
    texts = [text for text in label_texts(node) if len(text.strip()) > 1] or [*label_texts(node)]
    if role_of(node) is ViewRole.FIELD:
        texts = [node.description] if node.description.strip() else []
    label = (texts or [node.resource_id.rpartition("/")[2].replace("_", " ")])[0]
    # Words in braces would be read as a slot.
    return " ".join(label.translate(_BRACES).split())[:_LONGEST]
