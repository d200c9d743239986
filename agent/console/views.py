"""The data of the pages, already in the owner's language. Text is text; the page never parses it."""

from datetime import datetime
from typing import Literal

from agent.consent.request import StepView, WideningView
from collectors.context import Dimension, Missing
from executors.plan import Proof
from heed.model import Frozen
from heed.safe_text import Shown, ShownLines, ShownWhole
from heed.trust import Trust


class QuestionView(Frozen):
    """A question, with everything a person needs to decide."""

    plan_id: int
    plan_hash: str
    serial: str
    phone_name: Shown
    sentence: ShownWhole
    why: Shown
    evidence: tuple[Shown, ...]
    steps: tuple[StepView, ...]
    risk: str
    risk_text: str
    may_always: bool
    widenings: tuple[WideningView, ...]
    is_influenced: bool
    seconds_left: float
    pictures: tuple[int, ...] = ()
    """The phone's pictures that the plan is about, by their numbers in its media store."""
    has_screen: bool = False
    """Whether a picture of the screen belongs to it: that of a last button."""


class RunStepView(Frozen):
    """One step that a model proposed, or one question about a last button, with the screen that it was about."""

    text: ShownWhole
    note: Shown
    """Why it was not done, or how the question was answered."""
    sha256: str
    """Of the picture; a route gives it."""


class ActionView(Frozen):
    """One action."""

    id: int
    function: str
    effects: tuple[ShownWhole, ...]
    result: Shown
    """What held afterwards, or why it did not come to that; empty while it is not known."""
    state: str
    outcome: str
    message: Shown
    """The same of the undo, where it was tried."""
    undone_at: datetime | None
    """In the phone's own zone."""
    proof: tuple[Proof, ...]
    commands: tuple[ShownWhole, ...]
    undo: tuple[ShownWhole, ...]
    can_be_undone: bool
    run: tuple[RunStepView, ...] = ()
    """The steps that a model proposed, in order."""


class EntryView(Frozen):
    """One decision in the timeline."""

    id: int
    at: datetime
    """In the phone's own zone."""
    kind: Literal["entry"] = "entry"
    phone_name: Shown
    """Empty in the timeline where heed knows one phone only."""
    trigger: Shown
    decision: str
    is_fault: bool
    """Whether heed was silent because something does not work."""
    sentence: Shown
    reason: Shown
    answer: str
    channel: str
    actions: tuple[ActionView, ...]
    plan_id: int | None
    pictures: tuple[int, ...]
    """As those of a question."""
    within: tuple[RunStepView, ...] = ()
    """The questions about last buttons."""


class ReasonView(Frozen):
    """A reason of silences, and how many had it."""

    text: Shown
    count: int


class StretchView(Frozen):
    """Consecutive silences in the timeline."""

    kind: Literal["silences"] = "silences"
    newest: int
    oldest: int
    at: datetime
    """Its end; with ``begun`` in the phone's own zone."""
    begun: datetime
    count: int
    is_fault: bool
    reasons: tuple[ReasonView, ...]


class TouchesView(Frozen):
    """Touches of the owner in the timeline."""

    kind: Literal["touches"] = "touches"
    at: datetime
    begun: datetime
    count: int


class PageView(Frozen):
    """A page of the timeline."""

    rows: tuple[EntryView | StretchView | TouchesView, ...]
    older: int | None
    """What the next page begins before; None when there is none."""


class FactView(Frozen):
    """One fact, and who could have written it."""

    name: str
    value: Shown
    trust: Trust


class SectionView(Frozen):
    """One dimension of a context: the words a model reads, and the facts behind them."""

    dimension: Dimension
    text: ShownLines
    facts: tuple[FactView, ...]
    missing: tuple[Missing, ...]


class FrameView(Frozen):
    """A picture that a context holds."""

    sha256: str
    taken_at: datetime


class ContextView(Frozen):
    """A context as a model sees it."""

    decision: int
    at: datetime
    phone_name: Shown
    sections: tuple[SectionView, ...]
    frames: tuple[FrameView, ...]


class DetailView(Frozen):
    """Everything behind one decision."""

    entry: EntryView
    why: Shown
    evidence: tuple[Shown, ...]
    reasoner: Shown
    confidence: float | None
    milliseconds: float
    context: ContextView


class ReplayView(Frozen):
    """A new decision on a recorded context."""

    sentence: ShownWhole
    why: Shown
    functions: tuple[Shown, ...]
    reasoner: Shown


class HabitView(Frozen):
    """A learned habit."""

    id: str
    offer: Shown
    reason: Shown
    function: str
    evidence: tuple[Shown, ...]
    enabled: bool


class SituationView(Frozen):
    """A declared situation."""

    id: str
    about: Shown
    scenario: Shown
    on: bool
    is_recommended: bool
    """Whether it is on where the owner has not chosen: what it asks about is harmless and can be undone."""


class GrantView(Frozen):
    """A grant."""

    id: int
    phone_name: Shown
    text: ShownWhole
    covers: tuple[ShownWhole, ...]
    """What it covers, one line per step."""
    since: datetime


class CoolDownView(Frozen):
    """A cool-down."""

    subject: str
    about: Shown
    rejections: int
    until: datetime | None
