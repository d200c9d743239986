"""The stores on one journal file."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from agent.journal.after_records import AfterRecords
from agent.journal.agenda import Agenda
from agent.journal.answer_history import AnswerHistory
from agent.journal.cool_downs import CoolDowns
from agent.journal.database import Database
from agent.journal.elapsed_time import ElapsedTime
from agent.journal.grants import Grants
from agent.journal.owner_edits import HabitEdits, SituationSwitches
from agent.journal.owner_touches import OwnerTouches
from agent.journal.pauses import Pauses
from agent.journal.phones import Phones
from agent.journal.preferences import Preferences
from agent.journal.statistics import Statistics
from agent.journal.store import Journal
from agent.journal.timeline import Timeline
from heed.clock import Clock


class Stores(NamedTuple):
    """One store per kind of row."""

    journal: Journal
    history: AnswerHistory
    cool_downs: CoolDowns
    grants: Grants
    agenda: Agenda
    habits: HabitEdits
    situations: SituationSwitches
    pauses: Pauses
    phones: Phones
    preferences: Preferences
    after: AfterRecords
    elapsed: ElapsedTime
    timeline: Timeline
    statistics: Statistics
    touches: OwnerTouches


@contextmanager
def stores_in(path: Path, clock: Clock | None = None) -> Iterator[Stores]:
    """The stores of the journal file at ``path``, which is made where there is none, and closed at the end.

    ``clock`` has the host's monotonic clock; None = the system's.
    """
    database = Database(path, clock)
    try:
        journal, agenda = Journal(database), Agenda(database)
        yield Stores(
            journal,
            AnswerHistory(database),
            CoolDowns(database),
            Grants(database),
            agenda,
            HabitEdits(database),
            SituationSwitches(database),
            Pauses(database),
            Phones(database),
            Preferences(database),
            AfterRecords(database, journal, agenda),
            database.elapsed,
            Timeline(database, journal),
            Statistics(database),
            OwnerTouches(database),
        )
    finally:
        database.close()
