"""The journal: every context, decision, plan, answer, action and undo, in one SQLite file."""

from agent.journal.after_records import AfterRecord, AfterRecords, TimedUndo
from agent.journal.agenda import Agenda, AgendaEntry, AgendaKind
from agent.journal.answer_history import AnswerHistory
from agent.journal.cool_downs import CoolDown, CoolDowns
from agent.journal.database import Database, JournalError
from agent.journal.grants import Grant, Grants
from agent.journal.owner_edits import HabitEdits, SituationSwitches
from agent.journal.owner_touches import OwnerTouches
from agent.journal.phones import Phones, SeenPhone
from agent.journal.preferences import Preferences
from agent.journal.records import ActionRecord, ActionState, DecisionRecord, PlanRecord, TimelineEntry
from agent.journal.statistics import CountedDecision, Ending, Statistics
from agent.journal.store import Journal
from agent.journal.stores import Stores, stores_in
from agent.journal.timeline import SilentStretch, Timeline, TimelinePage, TimelineRow, TouchStretch

__all__ = [
    "ActionRecord",
    "ActionState",
    "AfterRecord",
    "AfterRecords",
    "Agenda",
    "AgendaEntry",
    "AgendaKind",
    "AnswerHistory",
    "CoolDown",
    "CoolDowns",
    "CountedDecision",
    "Database",
    "DecisionRecord",
    "Ending",
    "Grant",
    "Grants",
    "HabitEdits",
    "Journal",
    "JournalError",
    "OwnerTouches",
    "Phones",
    "PlanRecord",
    "Preferences",
    "SeenPhone",
    "SilentStretch",
    "SituationSwitches",
    "Statistics",
    "Stores",
    "TimedUndo",
    "Timeline",
    "TimelineEntry",
    "TimelinePage",
    "TimelineRow",
    "TouchStretch",
    "stores_in",
]
