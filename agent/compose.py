"""Composition: the one place where collaborators are made; everything else receives what it needs."""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager, contextmanager
from datetime import datetime
from typing import NamedTuple

from agent.config import Config
from agent.consent.request import Channel
from agent.journal import Agenda, Database, HabitEdits, Journal, Memory, SituationSwitches
from agent.loop.attendant import Attendant, Books
from agent.loop.current_habits import Habits, LearntReasoner, with_edits, with_switches
from agent.loop.phone_lock import phone_lock
from agent.loop.progress import Listener
from android_bridge.adb import AdbServer
from android_bridge.device import Device, choose, phones
from android_bridge.events import PhoneEvents
from collectors.behaviour_log import BehaviourLog
from collectors.context import Trigger
from collectors.frames import Album
from collectors.snapshot import Snapshotter
from collectors.source import load_sources
from collectors.trajectory import Recorder, StepSource
from collectors.triggers import Triggers
from collectors.upcoming import Upcoming
from collectors.wording import render
from executors.registry import load_executors
from executors.runner import Executors
from function_pool.plugins import installed_pool
from function_pool.spec import Pool
from heed.clock import Clock, PhoneClock, SystemClock
from models.config import ReasonerKind
from models.factory import language_model
from models.reasoner import Reasoner
from models.routines.mining.miner import mine
from models.routines.rules.situations import Situation, builtin_situations, load_situations


class Phone(NamedTuple):
    """One phone with everything that attends it."""

    attendant: Attendant
    clock: PhoneClock
    device: Device
    events: PhoneEvents
    reader: Triggers
    habits: Habits
    recorder: Recorder
    upcoming: Upcoming

    async def triggers(self) -> AsyncIterator[tuple[Trigger, datetime]]:
        """What happens on the phone that is worth a look, with the phone's own time.

        Ends with ``DeviceError`` when the phone goes away; called again, it goes on where it stopped.
        """
        async with aclosing(self.events.listen()) as events:
            async for event in events:
                self.recorder.handle(event)
                self.upcoming.handle(event)
                trigger = await self.reader.of(event)
                if trigger is not None:
                    yield trigger, event.at

    def dues(self, now: datetime) -> Sequence[datetime]:
        """When, after ``now``, each habit is next due."""
        return [due for habit in self.habits() if (due := habit.due(now)) is not None]


class Household(NamedTuple):
    """What all phones share."""

    config: Config
    clock: Clock
    server: AdbServer
    books: Books
    pool: Pool
    executors: Executors
    habits: Habits
    reasoner: Reasoner
    second: Reasoner | None
    """Asked for a second opinion on what a language model recommends."""

    def phone(self, serial: str, *, channels: Sequence[Channel] = (), listen: Listener = lambda stage: None) -> Phone:
        """An attendant for one phone, with the clock that shows the phone's time."""
        device = Device(self.server, serial, timeout=self.config.bridge.command_timeout)
        clock = PhoneClock(self.clock)
        seeing = self.config.collectors
        album = Album(device, seeing)
        recorder = Recorder(device, clock, seeing, album=album)
        steps = (StepSource(seeing, recorder),) if seeing.trajectory.enabled else ()
        sources = (*load_sources(seeing), *steps)
        snapshotter = Snapshotter(device, sources, clock, seeing, album=album)
        attendant = Attendant(
            device,
            see=snapshotter.snapshot,
            reasoner=self.reasoner,
            pool=self.pool,
            executors=self.executors,
            books=self.books,
            config=self.config,
            clock=clock,
            second=self.second,
            channels=channels,
            listen=listen,
        )
        triggers = Triggers(device, clock, seeing)
        upcoming = Upcoming(device, clock, seeing)
        events = PhoneEvents(device, poll_seconds=self.config.bridge.poll_seconds)
        return Phone(attendant, clock, device, events, triggers, self.habits, recorder, upcoming)


@asynccontextmanager
async def compose(config: Config, clock: Clock | None = None) -> AsyncIterator[Household]:
    """Everything that a daemon or a command needs, made from the configuration and closed at the end."""
    clock = clock or SystemClock()
    pool = installed_pool()
    with open_books(config) as books:
        habits = learnt(config, pool, books)
        own = learnt_reasoner(config, habits, books)
        is_own = config.models.reasoner is ReasonerKind.ROUTINES
        reasoner = (
            own if is_own else language_model(config.models, render=render, language=config.language, clock=clock)
        )
        second = None if is_own else own
        try:
            executors = load_executors(config.executors)
            yield Household(config, clock, AdbServer(config.bridge), books, pool, executors, habits, reasoner, second)
        finally:
            await reasoner.close()


def learnt(config: Config, pool: Pool, books: Books) -> Habits:
    """The habits in the behaviour log, with the owner's edits."""
    return with_edits(mine(BehaviourLog(config.collectors.behaviour_log).entries(), pool), books.habits)


def learnt_reasoner(config: Config, habits: Habits, books: Books) -> LearntReasoner:
    """The reasoner without weights, with the habits and the situations that are on."""
    situations = with_switches(declared_situations(config), config.models.routines.situations, books.situations)
    return LearntReasoner(habits, situations, config.language)


def declared_situations(config: Config) -> tuple[Situation, ...]:
    """The situations that heed ships, and the owner's own."""
    own = config.models.routines.situation_files
    return (*builtin_situations(), *(one for path in own for one in load_situations(path)))


@contextmanager
def open_books(config: Config) -> Iterator[Books]:
    """The journal's parts, on one open file."""
    database = Database(config.journal.path)
    try:
        yield Books(
            Journal(database), Memory(database), Agenda(database), HabitEdits(database), SituationSwitches(database)
        )
    finally:
        database.close()


@asynccontextmanager
async def attended(
    config: Config, *, channels: Sequence[Channel] = (), listen: Listener = lambda stage: None
) -> AsyncIterator[Attendant]:
    """The attendant of the chosen phone, for one command: holds the phone's lock, recovers what was interrupted."""
    async with compose(config) as household:
        await household.server.ensure_running()
        serial = choose(await phones(household.server), config.bridge.serial)
        with phone_lock(serial):
            attendant = household.phone(serial, channels=channels, listen=listen).attendant
            await attendant.recover()
            yield attendant
