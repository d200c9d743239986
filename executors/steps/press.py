"""Decides whether a last button may be pressed: only the one that the owner allowed, on the screen that they saw.

``last_view`` describes a button that the owner may be asked about; ``judge_press`` permits the touch after a yes.
"""

import re
from collections.abc import Iterable

from android_bridge.facts.hierarchy import Bounds
from executors.steps.find import digest, label_texts, topmost
from executors.steps.guards import Halt, HaltReason, Permit, VisibleScreen, check_screen, reached, secret, yours
from executors.steps.last_buttons import LastButton, last_button
from executors.steps.pictures import ScreenPicture
from executors.steps.vocabulary import Locator
from function_pool.risk import Risk
from heed.messages import msg
from heed.model import Frozen

_PRESSED_ON_YES = frozenset({LastButton.SEND, LastButton.POST, LastButton.CONFIRM})
"""What a last button may do for the owner to be asked about it."""
_AMOUNT = re.compile(r"[$¥￥€£₩₹]\s?\d|\d\s?(?:元|块|円|USD|EUR|GBP|CNY|RMB|[€£])")


class LastView(Frozen):
    """A last button as it stands on one screen; the consent to press it binds to all of this."""

    app: str
    front: str
    """``package/activity`` in front."""
    label: str
    id: str
    bounds: Bounds
    screen: str
    """Digest of the app's views (``find.digest``)."""

    @property
    def name(self) -> str:
        """What it says, or else its id."""
        return self.label or self.id.rpartition("/")[2]


class AskedPress(Frozen):
    """The press of a last button that the owner is asked about."""

    view: LastView
    picture: ScreenPicture
    """The screen on which it stands."""


def last_view(screen: VisibleScreen, locator: Locator, app: str, risk: Risk) -> LastView | Halt:
    """Returns the last button that the owner may be asked about, or why it stays theirs.

    Never asked about is what pays, orders, deletes or grants, whatever a function above R2 ends in, and anything on a
    screen that shows an amount of money.

    Args:
        screen: what is on the screen.
        locator: the button.
        app: the package that the run is for.
        risk: the class of the call that the run carries out.
    """
    halt = check_screen(screen, app)
    if halt is not None:
        return halt
    found = reached(screen.hierarchy, locator, app)
    if isinstance(found, Halt):
        return found
    taker = found.taker
    texts = label_texts(taker)
    kinds = [last_button(label_texts(node), node.resource_id, risk) or LastButton.CONFIRM for node in found]
    never = [kind for kind in kinds if kind not in _PRESSED_ON_YES]
    unnamed = not texts and not taker.resource_id
    if never or unnamed or risk > Risk.R2 or shows_amount(screen.hierarchy.texts()):
        return yours(taker, locator, [*never, kinds[-1]][0])
    return secret(taker) or LastView(
        app=app,
        front=screen.front,
        label=texts[0] if texts else "",
        id=taker.resource_id,
        bounds=taker.bounds,
        screen=digest(screen.hierarchy, app),
    )


def judge_press(screen: VisibleScreen, asked: LastView, risk: Risk) -> Permit | Halt:
    """Returns the permit to press a last button that the owner allowed, or why not: the screen must be the same.

    Args:
        screen: what is on the screen now.
        asked: the button on the screen that the owner was asked about.
        risk: the class of the call that the run carries out.
    """
    now = last_view(screen, Locator(point=asked.bounds.center), asked.app, risk)
    if isinstance(now, Halt):
        return now
    if now != asked:
        return Halt(reason=HaltReason.CHANGED, message=msg("The screen has changed since you were asked."))
    return Permit(topmost(screen.hierarchy, asked.bounds.center), asked.bounds.center)


def shows_amount(texts: Iterable[str]) -> bool:
    """Whether one of the texts names an amount of money."""
    return any(_AMOUNT.search(text) for text in texts)
