"""Composition: the one place where collaborators are made; all other code receives them."""

import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractContextManager, aclosing, asynccontextmanager, suppress
from datetime import datetime
from functools import cache, partial
from typing import NamedTuple

from agent.config import Config
from agent.consent.asker import ConsentAsker
from agent.consent.request import Channel
from agent.journal import Stores, stores_in
from agent.loop.action_runner import ActionRunner
from agent.loop.current_habits import CurrentRoutines, Habits, Situations, with_edits, with_switches
from agent.loop.decider import Decider, Reasoners
from agent.loop.environment import Environment
from agent.loop.own_actions import OwnActionSource
from agent.loop.own_rules import OwnRules
from agent.loop.phone_agent import AgentParts, PhoneAgent
from agent.loop.phone_functions import PhoneFunctions
from agent.loop.phone_lock import phone_lock
from agent.loop.progress import Listener, named
from agent.loop.run_support import run_support
from agent.loop.trigger_queue import TriggerQueue
from agent.loop.wakeup import WakeupTimer
from agent.loop.watcher import Watcher
from agent.requests.clarifier import Clarifier
from agent.requests.finder import ValueFinder
from agent.requests.handler import RequestHandler
from android_bridge.adb import AdbServer
from android_bridge.device import Device, choose, phones
from android_bridge.events import PhoneEvent, PhoneEvents
from android_bridge.identity import PhoneIdentity
from collectors.behaviour_log import BehaviourLog
from collectors.context import LogEntry, Trigger
from collectors.frames import Album
from collectors.limits import MOST_LINES
from collectors.place import HOME, WORK, KnownPlace, with_known_places
from collectors.snapshot import Snapshotter
from collectors.source import load_sources
from collectors.sources.owner import ProfileFile
from collectors.trajectory import Recorder, StepSource
from collectors.triggers import Triggers
from collectors.upcoming import Upcoming
from collectors.wording import render
from executors.runner import Executors
from executors.taught.pool import known_executors, known_pool
from function_pool.spec import Pool
from heed.clock import Clock, PhoneClock, SystemClock
from heed.errors import PersonError
from models.config import ReasonerKind
from models.engine import JsonModel
from models.factory import Past, json_model, language_model
from models.gate import Gate, GatedReasoner
from models.perceptor import Perceptor
from models.reader.card import shipped_reader_card
from models.reader.reading import TextReader
from models.reader.reasoner import TextReasoner
from models.reasoner import Reasoner
from models.requests.reader import shipped_request_reader
from models.routines.mining.habit_cache import cached_habits
from models.routines.rules.situations import Situation, builtin_situations, load_situations

log = logging.getLogger(__name__)


class Phone(NamedTuple):
    """One phone with its agent, its events and what is due."""

    agent: PhoneAgent
    clock: PhoneClock
    device: Device
    events: PhoneEvents
    reader: Triggers
    habits: Habits
    situations: Situations
    recorder: Recorder
    upcoming: Upcoming

    async def triggers(self) -> AsyncIterator[tuple[Trigger | None, datetime]]:
        """The triggers of the phone's events, with the phone's own time; None where only the calendar may have changed.

        Ends with ``DeviceError`` when the phone goes away; called again, it continues where it stopped.
        """
        await self.reader.begin()
        async with aclosing(self.events.listen()) as events:
            async for event in events:
                calendar_changed, trigger = await self._trigger(event)
                if calendar_changed or trigger is not None:
                    yield trigger, event.at

    async def _trigger(self, event: PhoneEvent) -> tuple[bool, Trigger | None]:
        """Whether the calendar may have changed, and the trigger of an event."""
        try:
            self.recorder.handle(event)
            return self.upcoming.handle(event), await self.reader.of(event)
        except PersonError:
            raise
        except Exception:
            # It would come again after a restart, so a mistake in reading it would end the monitoring for ever.
            log.exception("an event was left out: %s", type(event).__name__)
            return False, None

    def watcher(
        self, host: Clock, *, records: bool = False, timer: WakeupTimer | None = None, queue: TriggerQueue | None = None
    ) -> Watcher:
        """The watcher that runs the agent; with ``records`` it records the trajectory meanwhile."""
        return Watcher(
            self.agent,
            clock=self.clock,
            host=host,
            triggers=self.triggers,
            dues=self.dues,
            upcoming=self.upcoming.due_triggers,
            record=self.recorder.run if records else None,
            timer=timer,
            queue=queue,
        )

    def dues(self, now: datetime) -> Sequence[datetime]:
        """When, after ``now``, each habit and each situation with a time of its own is next due."""
        habits = [due for habit in self.habits() if (due := habit.due(now)) is not None]
        return [*habits, *(one.due.next(now) for one in self.situations() if one.due is not None)]


class Runtime(NamedTuple):
    """The collaborators that all phones share."""

    config: Config
    clock: Clock
    server: AdbServer
    stores: Stores
    pool: Pool
    executors: Executors
    habits: Habits
    situations: Situations
    reasoners: Reasoners
    """The second opinion is on what a language model recommends."""

    async def identify(self, serial: str) -> PhoneIdentity:
        """The phone that answers at an address now; ``DeviceError`` when none does."""
        return await Device(self.server, serial, timeout=self.config.bridge.command_timeout).identify()

    def phone(
        self,
        serial: str,
        identity: PhoneIdentity,
        *,
        channels: Sequence[Channel] = (),
        listen: Listener = lambda event: None,
    ) -> Phone:
        """The agent of one phone, with the clock that shows its time; another phone at ``serial`` is refused."""
        device = Device(self.server, serial, timeout=self.config.bridge.command_timeout, identity=identity)
        seen = self.stores.phones.seen(identity, serial)
        if seen.updated:
            log.warning("%s: its system was updated, so heed asks again for what was always allowed", seen.name)
        clock = PhoneClock(self.clock)
        settings = self.config.collectors
        album = Album(device, settings)
        recorder = Recorder(device, clock, settings, album=album)
        steps = (StepSource(settings, recorder),) if settings.trajectory.enabled else ()
        own_actions = OwnActionSource(settings, self.stores.history, identity.id)
        sources = (*load_sources(settings), *steps, own_actions)
        snapshotter = Snapshotter(device, sources, clock, settings, album=album)
        environment = Environment(self.stores, self.config, clock, named(listen, seen.name), identity, seen.name)
        functions = PhoneFunctions(device, self.pool, self.executors)
        parts = AgentParts(
            functions,
            Decider(environment, functions, snapshotter.snapshot, self.reasoners),
            ConsentAsker(environment, channels),
            ActionRunner(environment, functions),
            self._requests(environment, channels),
        )
        triggers = Triggers(device, clock, settings)
        upcoming = Upcoming(device, clock, settings)
        events = PhoneEvents(device, poll_seconds=self.config.bridge.poll_seconds)
        return Phone(
            PhoneAgent(environment, parts),
            clock,
            device,
            events,
            triggers,
            self.habits,
            self.situations,
            recorder,
            upcoming,
        )

    def _requests(self, environment: Environment, channels: Sequence[Channel]) -> RequestHandler:
        """Reads the owner's requests to one phone."""
        finder = ValueFinder(self.stores.preferences, behaviour_log_reader(self.config))
        return RequestHandler(environment, self.pool, shipped_request_reader, finder, Clarifier(environment, channels))


@asynccontextmanager
async def compose(config: Config, clock: Clock | None = None) -> AsyncIterator[Runtime]:
    """The collaborators of a daemon or a command, made from the configuration and closed at the end."""
    clock = clock or SystemClock()
    pool = known_pool(config.executors)
    with stores_in(config.journal.path, clock) as stores:
        habits = learned_habits(config, pool, stores)
        own = current_routines(config, habits, stores)
        is_own = config.models.reasoner is ReasonerKind.ROUTINES
        reasoner = own if is_own else gated_model(config, clock, habits)
        reasoners = Reasoners(reasoner, None if is_own else own)
        model = proposing_model(config, clock)
        try:
            executors = known_executors(config.executors, run_support(config.collectors, model))
            server, situations = AdbServer(config.bridge), current_situations(config, stores)
            yield Runtime(config, clock, server, stores, pool, executors, habits, situations, reasoners)
        finally:
            await reasoner.close()
            if model is not None:
                await model.close()


def learned_habits(config: Config, pool: Pool, stores: Stores) -> Habits:
    """The habits in the behaviour log, mined when they are asked for first, with the owner's edits."""
    key = "".join(place.model_dump_json() for place in _profile_places(config))
    read = behaviour_log_reader(config)
    mined = cache(partial(cached_habits, config.collectors.behaviour_log, read, pool, key))
    return with_edits(mined, stores.habits)


def behaviour_log_reader(config: Config) -> Callable[[], tuple[LogEntry, ...]]:
    """Reads the newest entries of the behaviour log, with the known places in them; what was read is kept."""
    log = BehaviourLog(config.collectors.behaviour_log, newest=MOST_LINES)
    places = _profile_places(config)
    return lambda: with_known_places(places, log.entries())


def known_places(config: Config) -> dict[str, str]:
    """Each name of a place of the owner's, in lower case, with ``Context.place`` there."""
    places = _profile_places(config)
    own = {name.casefold(): place.name for place in places for name in (place.key, place.label, place.name) if name}
    return {**dict.fromkeys(("home", "家", "家里"), HOME), **dict.fromkeys(("work", "公司", "单位"), WORK), **own}


def _profile_places(config: Config) -> tuple[KnownPlace, ...]:
    """The places of the owner's profile; none where it cannot be read, which its own source reports."""
    with suppress(PersonError):
        profile = ProfileFile(config.collectors).load()
        return tuple(profile.places) if profile else ()
    return ()


def current_routines(config: Config, habits: Habits, stores: Stores) -> CurrentRoutines:
    """The routines, with the habits and the situations that are on, and the reader of incoming texts."""
    situations = current_situations(config, stores)
    reader = text_reasoner(config) if config.models.reader.enabled else None
    return CurrentRoutines(habits, situations, config.language, reader)


def current_situations(config: Config, stores: Stores) -> Situations:
    """The situations that are on: as the owner switched them last, else as configured, else by default.

    The owner's own rules are on unless they were switched off.
    """
    own = OwnRules(config.models.routines.rules)
    shipped = with_switches(configured_situations(config), config.models.routines.situations, stores.situations)
    return lambda: (*shipped(), *with_switches(own.usable(), None, stores.situations)())


def gated_model(config: Config, clock: Clock, habits: Habits) -> Reasoner:
    """The configured language model with the owner's past, behind the gate unless that is switched off."""
    past = Past(habits, behaviour_log_reader(config))
    model = language_model(config.models, render=render, language=config.language, clock=clock, past=past)
    if not config.models.gate.enabled:
        return model
    return GatedReasoner(model, Gate(text_reasoner(config), Perceptor.load(), render, config.language))


def proposing_model(config: Config, clock: Clock) -> JsonModel | None:
    """The model that proposes steps in apps; None where the owner switched none on."""
    chosen = config.executors.model_steps.model
    return None if chosen == "none" else json_model(config.models, ReasonerKind(chosen), clock)


def text_reasoner(config: Config) -> TextReasoner:
    """The reader of incoming texts, at the configured keenness."""
    threshold = shipped_reader_card().thresholds[config.models.reader.keenness]
    return TextReasoner(TextReader.load(), threshold, config.language)


def declared_situations(config: Config) -> tuple[Situation, ...]:
    """The situations that heed ships, those of the owner's files, and the owner's rules."""
    return (*configured_situations(config), *OwnRules(config.models.routines.rules).all())


def configured_situations(config: Config) -> tuple[Situation, ...]:
    """The situations that the configuration may name."""
    own = config.models.routines.situation_files
    return (*builtin_situations(), *(one for path in own for one in load_situations(path)))


def open_stores(config: Config) -> AbstractContextManager[Stores]:
    """The stores of the configured journal, on one open file."""
    return stores_in(config.journal.path)


async def chosen_serial(server: AdbServer, stores: Stores, wanted: str) -> str:
    """The serial of the phone to use: the one at this address or of this name, for an empty text the only one."""
    return choose(await phones(server), stores.phones.addressed(wanted) if wanted else "")


@asynccontextmanager
async def reading_agent(config: Config) -> AsyncIterator[PhoneAgent]:
    """The agent of the chosen phone, for a command that only reads: other processes may use the phone meanwhile."""
    async with compose(config) as runtime:
        await runtime.server.ensure_running()
        serial = await chosen_serial(runtime.server, runtime.stores, config.bridge.serial)
        yield runtime.phone(serial, await runtime.identify(serial)).agent


@asynccontextmanager
async def phone_agent(
    config: Config, *, channels: Sequence[Channel] = (), listen: Listener = lambda event: None
) -> AsyncIterator[PhoneAgent]:
    """The agent of the chosen phone, for one command: holds the phone's lock and recovers interrupted actions."""
    async with compose(config) as runtime:
        await runtime.server.ensure_running()
        serial = await chosen_serial(runtime.server, runtime.stores, config.bridge.serial)
        identity = await runtime.identify(serial)
        with phone_lock(identity.id, serial):
            agent = runtime.phone(serial, identity, channels=channels, listen=listen).agent
            await agent.recover()
            yield agent
