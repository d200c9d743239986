"""Makes steps of a recording: views by what is stable, waits from what appeared, a stop before the owner's buttons."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from agent.teaching.identify import candidates, filled_in, label_of, spoken, touched
from agent.teaching.recording import TaskRecording, TeachingError, TouchKind, TouchMoment, TypedField
from android_bridge.facts.hierarchy import Hierarchy, Node
from android_bridge.ui import Direction
from executors.steps.find import matching, role_of, row_of
from executors.steps.vocabulary import (
    AnyStep,
    BackStep,
    FinishStep,
    Locator,
    LongPressStep,
    ScrollToStep,
    SwipeStep,
    TapStep,
    TypeStep,
    ViewRole,
    Words,
)
from heed.language import Language
from heed.messages import Text, msg, translate

_SLOWER, _LEAST_S, _MOST_S = 3.0, 10.0, 60.0
"""A wait's deadline is three times what the screen took, within these seconds."""
_DIRECTIONS: dict[Direction, Words] = {
    Direction.LEFT: {Language.EN: "to the right", Language.ZH: "向右"},
    Direction.RIGHT: {Language.EN: "to the left", Language.ZH: "向左"},
}
"""Where the finger goes for a swipe that shows what lies on the other side."""
_DIGITS = frozenset("0123456789")


class Lesson(NamedTuple):
    """What was learned of a recording."""

    steps: tuple[AnyStep, ...]
    notes: tuple[Text, ...] = ()
    """What was left out, and why, for the owner."""


class _Handed(NamedTuple):
    """Where the owner goes on: the end of the steps."""

    finish: FinishStep
    note: Text


def learn(recording: TaskRecording) -> Lesson:
    """Returns the steps of a recording.

    Raises ``TeachingError`` where a touched view cannot be known again, or nothing was done.
    """
    steps: list[AnyStep] = []
    notes: list[Text] = [recording.ended] if recording.ended else []
    scrolled: TouchMoment | None = None
    for moment in recording.moments:
        for typed in moment.typed:
            handed = _type(steps, typed, recording.app)
            if handed is not None:
                return _handed_over(steps, notes, handed)
        if moment.kind is TouchKind.SCROLL:
            scrolled = moment
            continue
        handed = _touch(steps, moment, scrolled, recording.app)
        if handed is not None:
            return _handed_over(steps, notes, handed)
        scrolled = None
    if not steps:
        raise TeachingError(msg("Nothing was done that heed could learn."), msg("Begin again, and touch the app."))
    reached = _end(steps, recording)
    return Lesson(
        (*steps, FinishStep(before=reached, reached=_both(msg("It is done as you taught it.")))), tuple(notes)
    )


def _handed_over(steps: Sequence[AnyStep], notes: Sequence[Text], handed: _Handed) -> Lesson:
    return Lesson((*steps, handed.finish), (*notes, handed.note))


# --- typed text ------------------------------------------------------------------------------------------------------
def _type(steps: list[AnyStep], typed: TypedField, app: str) -> _Handed | None:
    field = typed.field
    view = filled_in(typed.screen, field, typed.empty, app)
    name = label_of(field)
    if view is None:
        raise TeachingError(msg("Nothing tells the field {name} from the others, so it cannot be learned.", name=name))
    if typed.secret:
        reached = _both(msg("{name} is yours to fill in; heed types no passwords and codes.", name=name))
        return _Handed(
            FinishStep(before=(view,), reached=reached),
            msg("It ends before {name}: heed neither records nor types passwords and codes.", name=name),
        )
    if not field.text.strip():
        raise TeachingError(msg("heed cannot learn to empty a field."), msg("Begin again, with a new text."))
    if steps and isinstance(last := steps[-1], TypeStep) and last.view == view:
        steps.pop()
    steps.append(TypeStep(view=view, name=_quoted(name), text=field.text))
    return None


# --- touches ---------------------------------------------------------------------------------------------------------
def _touch(steps: list[AnyStep], moment: TouchMoment, scrolled: TouchMoment | None, app: str) -> _Handed | None:
    leaves = moment.left and moment.kind not in (TouchKind.TAP, TouchKind.LONG_PRESS)
    if moment.kind is None or leaves or _is_idle(moment, app):
        return None
    seconds = min(_MOST_S, max(_LEAST_S, _SLOWER * moment.seconds))
    if moment.kind is TouchKind.BACK:
        steps.append(BackStep(after=_after(moment, app), seconds=seconds))
        return None
    if moment.kind is TouchKind.SWIPE:
        steps.append(
            SwipeStep(
                direction=moment.direction,
                name=_DIRECTIONS[moment.direction],
                after=_after(moment, app),
                seconds=seconds,
            )
        )
        return None
    return _tap(steps, moment, scrolled, app, seconds)


def _tap(
    steps: list[AnyStep], moment: TouchMoment, scrolled: TouchMoment | None, app: str, seconds: float
) -> _Handed | None:
    target = moment.target
    if target is None:
        raise TeachingError(
            msg("heed does not see what you touched: the app shows it to nobody but your eyes."),
            msg("It cannot be learned in this app."),
        )
    name = label_of(target)
    found = touched(moment.before, target, app)
    if found is None:
        raise TeachingError(
            msg("Nothing tells {name} from the other views, so it cannot be learned.", name=f"“{name}”")
        )
    view, halt = found
    if scrolled is not None or row_of(moment.before, target) is not None:
        direction = scrolled.direction if scrolled else moment.direction
        steps.append(ScrollToStep(view=view, direction=direction))
    if halt is not None or moment.left:
        note = halt.message if halt is not None else msg("“{name}” leaves the app.", name=name)
        finish = FinishStep(
            last_button=view, button_name=_quoted(name), reached=_both(msg("It is prepared as you taught it."))
        )
        return _Handed(finish, msg("It stops before “{name}”, which stays yours: {why}", name=name, why=note))
    if moment.kind is TouchKind.LONG_PRESS:
        steps.append(LongPressStep(view=view, name=_quoted(name), after=_after(moment, app), seconds=seconds))
        return None
    switched = _switched(moment, app)
    # What a touch did that nothing on the screen tells ("Add to cart") is done again, too.
    after = switched or ((spoken(view),) if _is_unchanged(moment, app) else _after(moment, app))
    steps.append(TapStep(view=view, name=_quoted(name), unless=switched, after=after, seconds=seconds))
    return None


def _is_idle(moment: TouchMoment, app: str) -> bool:
    """Whether a touch is not done again: it reached nothing, or only gave a field the focus, or closed the keyboard."""
    if moment.left:
        return False
    target = moment.target
    if _is_unchanged(moment, app):
        return target is None or role_of(target) is ViewRole.FIELD
    if moment.kind is not TouchKind.TAP or target is None or role_of(target) is not ViewRole.FIELD:
        return False
    return any(node.focused and node.resource_id == target.resource_id and role_of(node) is ViewRole.FIELD
               for node in moment.after.nodes()) and not list(_appeared(moment.before, moment.after, app))  # fmt: skip


def _is_unchanged(moment: TouchMoment, app: str) -> bool:
    return _without_focus(moment.before, app) == _without_focus(moment.after, app)


def _without_focus(screen: Hierarchy, app: str) -> list[tuple[object, ...]]:
    return [
        (node.class_name, node.resource_id, node.text, node.description, node.checked, node.selected, node.enabled)
        for node in screen.nodes()
        if node.package == app
    ]


# --- what appeared ---------------------------------------------------------------------------------------------------
def _after(moment: TouchMoment, app: str) -> tuple[Locator, ...]:
    """Returns what the screen shows after a touch that it did not show before; the most stable sign alone."""
    found = next(_appeared(moment.before, moment.after, app), None)
    if found is None:
        raise TeachingError(
            msg("Nothing new is to be seen after that touch, so heed could not tell whether it worked."),
            msg("Begin again, and leave that touch out."),
        )
    return (found,)


def _appeared(before: Hierarchy, after: Hierarchy, app: str) -> Iterator[Locator]:
    """Yields what tells the screen after a touch from the one before, the most stable first."""
    mine = [node for node in after.nodes() if node.package == app and not node.password]
    fixed = [node for node in mine if row_of(after, node) is None]
    for nodes in (fixed, mine):
        for node in nodes:
            if node.resource_id and not matching(before, Locator(id=node.resource_id), app):
                yield Locator(id=node.resource_id, first=True)
    for node in fixed:
        placed = (one for one in candidates(after, node, app) if one.place is not None)
        yield from (one for one in placed if _is_new(before, after, one, app))
    for nodes in (fixed, mine):
        for node in nodes:
            if node.text.strip() and not _DIGITS & set(node.text) and role_of(node) is not ViewRole.FIELD:
                locator = Locator(text=(node.text,), id=node.resource_id, first=True)
                if not matching(before, locator, app):
                    yield locator
    yield from _values(before, mine, app)


def _is_new(before: Hierarchy, after: Hierarchy, locator: Locator, app: str) -> bool:
    """Whether the conditions hold after a touch and not before, with the words and with the place alone."""
    plain = locator.model_copy(update={"text": (), "description": ()})
    return all(matching(after, one, app) and not matching(before, one, app) for one in (spoken(locator), plain))


def _values(before: Hierarchy, mine: Sequence[Node], app: str) -> Iterator[Locator]:
    """Yields what changed in place: a switch, or the text of a view that was there before."""
    for node in mine:
        if node.checkable and node.resource_id:
            locator = Locator(id=node.resource_id, checked=node.checked, first=True)
            if not matching(before, locator, app):
                yield locator
        if node.text.strip() and role_of(node) is not ViewRole.FIELD:
            locator = Locator(text=(node.text,), id=node.resource_id, first=True)
            if not matching(before, locator, app):
                yield locator


def _switched(moment: TouchMoment, app: str) -> tuple[Locator, ...]:
    """Returns the state that a touch gave to a switch: the one that was touched, or the only one inside."""
    target = moment.target
    inside = [node for node in target.walk() if node.checkable] if target is not None else []
    if target is None or len(inside) != 1:
        return ()
    for locator in map(spoken, candidates(moment.before, inside[0], app)):
        if matching(moment.before, locator, app) != (inside[0],):
            continue
        wanted = locator.model_copy(update={"checked": not inside[0].checked})
        if matching(moment.after, wanted, app) and not matching(moment.before, wanted, app):
            return (wanted,)
    return ()


def _end(steps: Sequence[AnyStep], recording: TaskRecording) -> tuple[Locator, ...]:
    """Returns what the screen shows at the end: a text that was typed, else what the last step brought."""
    last = steps[-1]
    if isinstance(last, TypeStep):
        return (last.view,)
    typed = {step.text for step in steps if isinstance(step, TypeStep)}
    end = recording.moments[-1].after
    written = [Locator(text=(text,), first=True) for text in typed]
    stand = [one for one in written if matching(end, one, recording.app)]
    fitting = tuple(one for one in last.after if matching(end, one, recording.app))
    if not (stand or fitting):
        raise TeachingError(msg("The screen at the end shows nothing that tells that it is done."))
    return (*stand[:1], *fitting) if stand else fitting


# --- words -----------------------------------------------------------------------------------------------------------
def _quoted(name: str) -> Words:
    return dict.fromkeys(Language, f"“{name}”")


def _both(text: Text) -> Words:
    return {language: translate(text, language) for language in Language}
