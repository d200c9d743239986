"""The collaborators that the parts of a phone's agent share."""

from typing import NamedTuple

from agent.config import Config
from agent.journal import Agenda, HabitEdits, Journal, Memory, SituationSwitches
from agent.loop.progress import Listener
from heed.clock import Clock


class Books(NamedTuple):
    """The parts of the journal file."""

    journal: Journal
    memory: Memory
    agenda: Agenda
    habits: HabitEdits
    situations: SituationSwitches


class Environment(NamedTuple):
    """Stores, configuration, the phone's clock, and the listener that is told the progress."""

    books: Books
    config: Config
    clock: Clock
    listen: Listener
