"""Decides whether a step may be done on the screen that is there; pure functions of screen, step and risk.

The default is to stop: a view must be found, be the only one, belong to the app, lie on top, and not be a button that
the owner presses. ``judge`` is the only place that permits a touch; on a last button only ``press.judge_press`` does,
after the owner's answer to a question about exactly that button on exactly that screen.
"""

from enum import StrEnum
from typing import NamedTuple

from android_bridge.facts.hierarchy import Hierarchy, Node
from android_bridge.ui import Direction, swipe_points
from executors.payment_windows import is_payment_window
from executors.steps.find import contains, label_texts, matching, role_of, taken_by, takes_touch, topmost
from executors.steps.last_buttons import LastButton, is_secret, last_button, payment_sheet
from executors.steps.vocabulary import (
    AnyStep,
    FindStep,
    FinishStep,
    Locator,
    LongPressStep,
    ReadStep,
    ScrollToStep,
    SwipeStep,
    TapStep,
    TypeStep,
    ViewRole,
)
from function_pool.risk import Risk
from heed.messages import Text, msg
from heed.model import Frozen


class HaltReason(StrEnum):
    """Why a run stops."""

    ASLEEP = "asleep"
    LOCKED = "locked"
    PROTECTED = "protected"
    """The window in front is protected (``FLAG_SECURE``)."""
    PAYMENT = "payment"
    """A payment app is in front, or the screen asks for a payment."""
    OTHER_APP = "other_app"
    TOUCHED = "touched"
    """The owner touched the screen."""
    UNWATCHED = "unwatched"
    """Whether the owner touches the screen cannot be read."""
    MISSING = "missing"
    AMBIGUOUS = "ambiguous"
    COVERED = "covered"
    DISABLED = "disabled"
    LAST_BUTTON = "last_button"
    SECRET = "secret"  # noqa: S105 - a reason, no password
    NO_FIELD = "no_field"
    NOT_SHOWN = "not_shown"
    """After the step the screen does not show what it should."""
    ASKED = "asked"
    """The run reached a question to the owner."""
    REFUSED = "refused"
    """The phone refused the touch or the text."""
    CHANGED = "changed"
    """The screen is no longer the one that the owner was asked about."""
    NO_PICTURE = "no_picture"
    """No picture of the screen may be taken, so no model is shown it."""
    MODEL = "model"
    """The model that proposes the steps cannot be used, or proposes nothing that can be done."""
    BUDGET = "budget"
    """The steps or the time that the owner allowed are used up."""


PASSING = frozenset(
    {HaltReason.OTHER_APP, HaltReason.MISSING, HaltReason.AMBIGUOUS, HaltReason.COVERED, HaltReason.DISABLED}
)
"""Reasons that may pass while a page is still being built; the player waits for these until the step's deadline."""


class Halt(Frozen):
    """Why a run stops, in words."""

    reason: HaltReason
    message: Text


class VisibleScreen(NamedTuple):
    """What is on the screen at one moment."""

    hierarchy: Hierarchy
    front: str
    """``package/activity`` of the app in front."""
    focus: str
    """Title of the focused window; a dialogue or a panel has one of its own."""
    awake: bool
    locked: bool
    protected: bool


class Permit(NamedTuple):
    """A step may be done: on ``node``, at ``point``; None where the step touches no view."""

    node: Node | None = None
    point: tuple[int, int] | None = None


def check_screen(screen: VisibleScreen, app: str) -> Halt | None:
    """Returns why nothing may be done on the screen; None when the app is in front and may be operated.

    Args:
        screen: what is on the screen.
        app: the package that the run is for; empty where it is about to be opened.
    """
    return _check_phone(screen) or (_check_app(screen, app) if app else None)


def _check_phone(screen: VisibleScreen) -> Halt | None:
    if not screen.awake:
        return _halt(HaltReason.ASLEEP, msg("The screen is off."))
    if screen.locked:
        return _halt(HaltReason.LOCKED, msg("The phone is locked."))
    if screen.protected:
        return _halt(HaltReason.PROTECTED, msg("A protected window is in front."))
    if is_payment_window(screen.front):
        return _halt(HaltReason.PAYMENT, msg("A payment app is in front."))
    return None


def _check_app(screen: VisibleScreen, app: str) -> Halt | None:
    if screen.front.partition("/")[0] != app:
        front = screen.front or msg("nothing")
        return _halt(HaltReason.OTHER_APP, msg("{front} is in front instead of {app}.", front=front, app=app))
    if screen.focus and not screen.focus.startswith((f"{app}/", *_OWN_WINDOWS)):
        return _halt(HaltReason.OTHER_APP, msg("{window} lies over the app.", window=screen.focus))
    if sheet := payment_sheet(screen.hierarchy.texts()):
        return _halt(HaltReason.PAYMENT, msg("The screen asks for a payment (“{text}”).", text=sheet[:60]))
    return None


def judge(screen: VisibleScreen, step: AnyStep, app: str, risk: Risk) -> Permit | Halt:
    """Returns the permit to do ``step`` now, or why not.

    Args:
        screen: what is on the screen.
        step: the step, with its slots filled.
        app: the package that the run is for.
        risk: the class of the call that the run carries out.
    """
    halt = check_screen(screen, app)
    missing = [locator for locator in step.before if not matching(screen.hierarchy, locator, app)]
    if halt is not None or missing:
        return halt or _missing(missing[0])
    match step:
        case TapStep() | LongPressStep():
            return _twice(step, risk) or _judge_touch(screen.hierarchy, step.view, app, risk)
        case TypeStep():
            return _judge_typing(screen.hierarchy, step, app)
        case FindStep() | ReadStep():
            return _judge_look(screen.hierarchy, step, app)
        case SwipeStep() | ScrollToStep():
            return _judge_swipe(screen.hierarchy, step.direction)
    return Permit()


def shown(screen: VisibleScreen, step: AnyStep, app: str) -> Halt | None:
    """Returns what of the step's ``after`` the screen does not show; None when it shows all of it."""
    last = (step.last_button,) if isinstance(step, FinishStep) and step.last_button else ()
    for locator in (*step.after, *last):
        if not matching(screen.hierarchy, locator, app):
            return _halt(HaltReason.NOT_SHOWN, msg("After it, the screen does not show {view}.", view=wording(locator)))
    if isinstance(step, TypeStep) and not step.enter:
        fields = matching(screen.hierarchy, step.view, app)
        if not any(field.text == step.text for field in fields):
            return _halt(HaltReason.NOT_SHOWN, msg("The field does not show the text."))
    return None


def _twice(step: TapStep | LongPressStep, risk: Risk) -> Halt | None:
    """Returns why a view is not tapped twice: the second tap reaches what the first one has opened, unseen."""
    if isinstance(step, TapStep) and step.times > 1 and risk not in (Risk.R0, Risk.R1):
        return _halt(HaltReason.LAST_BUTTON, msg("A second tap may reach what the first one opens."))
    return None


def _judge_look(hierarchy: Hierarchy, step: FindStep | ReadStep, app: str) -> Permit | Halt:
    node = _only(hierarchy, step.view, app)
    if isinstance(node, Halt):
        return node
    if isinstance(step, ReadStep) and (node.password or is_secret((node.description,), node.resource_id)):
        return _halt(HaltReason.SECRET, _SECRET)
    return Permit(node)


def _judge_swipe(hierarchy: Hierarchy, direction: Direction) -> Permit | Halt:
    """A swipe sideways on a row or a slider does something to it: deletes, archives, pays, answers."""
    if direction in (Direction.UP, Direction.DOWN):
        return Permit()
    right = max((root.bounds.right for root in hierarchy.roots), default=0)
    bottom = max((root.bounds.bottom for root in hierarchy.roots), default=0)
    start, end = swipe_points(direction, right, bottom)
    takers = (node for node in hierarchy.nodes() if takes_touch(node))
    touched = [node for node in takers if contains(node, start) or contains(node, end)]
    if touched:
        texts = label_texts(touched[-1])
        message = msg("A swipe over “{text}” may do something to it.", text=texts[0][:60] if texts else "")
        return _halt(HaltReason.LAST_BUTTON, message)
    return Permit()


def _judge_touch(hierarchy: Hierarchy, locator: Locator, app: str, risk: Risk) -> Permit | Halt:
    found = reached(hierarchy, locator, app)
    if isinstance(found, Halt):
        return found
    return _forbidden(found.taker, found.node, locator, risk) or Permit(found.taker, found.node.bounds.center)


class Reached(NamedTuple):
    """The view that was looked for, and the one that takes a touch on it."""

    node: Node
    taker: Node


def reached(hierarchy: Hierarchy, locator: Locator, app: str) -> Reached | Halt:
    """Returns the only view that is meant, where a touch on it reaches it; whatever it would do."""
    node = _only(hierarchy, locator, app)
    if isinstance(node, Halt):
        return node
    taker = taken_by(hierarchy, node)
    if taker is None or not taker.enabled or not node.enabled:
        return _halt(HaltReason.DISABLED, msg("{view} takes no touches now.", view=wording(locator)))
    if topmost(hierarchy, node.bounds.center) is not taker:
        return _halt(HaltReason.COVERED, msg("Something else lies over {view}.", view=wording(locator)))
    return Reached(node, taker)


def _forbidden(taker: Node, node: Node, locator: Locator, risk: Risk) -> Halt | None:
    """Returns why the view that takes the touch is the owner's; ``node`` is the view in it that was looked for."""
    halt = secret(taker)
    if halt is not None:
        return halt
    kind = last_button(label_texts(taker), taker.resource_id, risk)
    if kind is None and node is not taker:
        kind = last_button(label_texts(node), node.resource_id, Risk.R0)
    return None if kind is None else yours(taker, locator, kind)


def secret(taker: Node) -> Halt | None:
    """Returns why a view that takes a password or a code is not touched; None for another one."""
    texts = label_texts(taker) if role_of(taker) is ViewRole.FIELD else ()
    return _halt(HaltReason.SECRET, _SECRET) if taker.password or is_secret(texts, taker.resource_id) else None


def yours(taker: Node, locator: Locator, kind: LastButton) -> Halt:
    """Returns the halt at a last button, with what it does."""
    message = msg("{view} {does}; you press it yourself.", view=_called(taker, locator), does=_DOES[kind])
    return _halt(HaltReason.LAST_BUTTON, message)


def _judge_typing(hierarchy: Hierarchy, step: TypeStep, app: str) -> Permit | Halt:
    node = _only(hierarchy, step.view, app)
    if isinstance(node, Halt):
        return node
    halt = _no_field(node, step)
    if halt is None and _covered(hierarchy, node, node.bounds.center):
        halt = _halt(HaltReason.COVERED, msg("Something else lies over {view}.", view=wording(step.view)))
    return halt or Permit(node, node.bounds.center)


def _no_field(node: Node, step: TypeStep) -> Halt | None:
    """Returns why nothing is typed into the view."""
    if role_of(node) is not ViewRole.FIELD:
        return _halt(HaltReason.NO_FIELD, msg("{view} is no text field.", view=wording(step.view)))
    if node.password or is_secret((node.text, node.description), node.resource_id):
        return _halt(HaltReason.SECRET, _SECRET)
    if not node.enabled:
        return _halt(HaltReason.DISABLED, msg("{view} takes no text now.", view=wording(step.view)))
    if step.enter and not _is_search(node):
        return _halt(HaltReason.LAST_BUTTON, msg("Enter may send what is in {view}.", view=wording(step.view)))
    return None


def _covered(hierarchy: Hierarchy, node: Node, point: tuple[int, int]) -> bool:
    """Whether another view takes the touch; an icon within the field is a part of it."""
    top = topmost(hierarchy, point)
    if top is None:
        return takes_touch(node) or any(contains(one, point) for one in hierarchy.nodes() if takes_touch(one))
    return not any(one is top for one in node.walk())


def _is_search(node: Node) -> bool:
    words = f"{node.resource_id} {node.text} {node.description}".casefold()
    return any(word in words for word in ("search", "query", "搜索", "查找"))


def _only(hierarchy: Hierarchy, locator: Locator, app: str) -> Node | Halt:
    found = matching(hierarchy, locator, app)
    if not found:
        return _missing(locator)
    if len(found) > 1:
        message = msg("{view} is there {count} times.", view=wording(locator), count=len(found))
        return _halt(HaltReason.AMBIGUOUS, message)
    return found[0]


def _missing(locator: Locator) -> Halt:
    return _halt(HaltReason.MISSING, msg("{view} is not on the screen.", view=wording(locator)))


def _halt(reason: HaltReason, message: Text) -> Halt:
    return Halt(reason=reason, message=message)


def wording(locator: Locator) -> Text:
    """Returns what the locator looks for, for a message."""
    texts = (*locator.text, *locator.description, *locator.contains, *locator.inside, *locator.beside)
    if texts:
        return msg("“{text}”", text=texts[0][:60])
    return msg("the view {id}", id=locator.id or locator.role or locator.point)


def _called(node: Node, locator: Locator) -> Text:
    texts = label_texts(node)
    return msg("“{text}”", text=texts[0][:60]) if texts else wording(locator)


_OWN_WINDOWS = ("PopupWindow:", "InputMethod")
"""Titles of windows that belong to the app in front: its menus (``android.widget.PopupWindow``) and the keyboard."""
_SECRET = msg("The field takes a password or a code, which you enter yourself.")
_DOES = {
    LastButton.PAY: msg("pays"),
    LastButton.ORDER: msg("orders or books"),
    LastButton.SEND: msg("sends or calls"),
    LastButton.POST: msg("publishes"),
    LastButton.DELETE: msg("deletes or cancels"),
    LastButton.GRANT: msg("grants something"),
    LastButton.CONFIRM: msg("may confirm more than it says"),
}
