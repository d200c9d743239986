"""Runs many attacks: texts by channel, in batches with a new phone and a new home each."""

import io
import random
import tempfile
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, redirect_stdout
from importlib.resources import files
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from agent.cli.journal import journal
from agent.config import Config, ConsoleConfig, JournalConfig
from agent.journal import stores_in
from android_bridge.adb import AdbServer
from android_bridge.config import BridgeConfig
from collectors.config import CollectorsConfig, FramesConfig
from executors.config import ExecutorsConfig
from models.config import ModelsConfig, RoutinesConfig
from models.routines.rules.situations import builtin_situations
from tests.security.attacked_phone import NEVER_TOO_MANY, AttackedPhone, attacked_phone
from tests.security.corpus import Attack, Channel, through
from tests.security.delivery import write_log
from tests.security.findings import Tally
from tests.security.wishes import WISHES, EvilModel, Wish
from virtual_phone.scenario import Scenario

BATCH = 40
"""Deliveries on one phone: within one afternoon."""
ROUTINES = ModelsConfig(routines=RoutinesConfig(situations=frozenset(one.id for one in builtin_situations())))
"""The default reasoner with every situation on."""


ARGUMENT = 200
"""The most characters of a text that a model puts into an argument, so that the call is valid."""
ON_PHONE = [channel for channel in Channel if channel is not Channel.MODEL]
"""The channels by which a text reaches any reasoner."""


class Delivery(NamedTuple):
    """A text and the channel by which it comes."""

    attack: Attack
    channel: Channel


def sample(channel: Channel, count: int, first: int = 0) -> Sequence[Attack]:
    """``count`` texts of a channel, one of each category in turn from the ``first`` on; the same ones each time."""
    by_category: dict[str, list[Attack]] = {}
    for attack in through(channel):
        by_category.setdefault(attack.category, []).append(attack)
    for texts in by_category.values():
        random.Random(channel).shuffle(texts)
    names = sorted(by_category)
    start = first % len(names)
    order = [by_category[name] for name in (*names[start:], *names[:start])]
    return [texts[turn] for turn in range(count) for texts in order if turn < len(texts)][:count]


def configured(server: AdbServer, home: Path, models: ModelsConfig, log: Mapping[int, Attack]) -> Config:
    """The configuration of a plausible owner; ``log`` are texts tapped on earlier days, by number of delivery."""
    persona = Scenario.load("demo").persona
    (home / "profile.yaml").write_text(yaml.safe_dump({"user_profile": persona.profile}, allow_unicode=True), "utf-8")
    behaviour = home / "behaviour.jsonl"
    behaviour.write_text(files("virtual_phone").joinpath("scenarios", "demo.jsonl").read_text("utf-8"), "utf-8")
    write_log(behaviour, log)
    return Config(
        bridge=BridgeConfig(port=server.port),
        collectors=CollectorsConfig(
            profile=home / "profile.yaml",
            behaviour_log=behaviour,
            frames_folder=home / "frames",
            frames=FramesConfig(enabled=False),
        ),
        models=models,
        executors=ExecutorsConfig(ledger=home / "ledger.jsonl", reminders=home / "reminders.jsonl"),
        policy=NEVER_TOO_MANY,
        console=ConsoleConfig(enabled=False),
        journal=JournalConfig(path=home / "journal.sqlite3"),
    )


@asynccontextmanager
async def _phone(
    server: AdbServer, models: ModelsConfig, batch: Sequence[Delivery], tally: Tally
) -> AsyncIterator[AttackedPhone]:
    log = {number: one.attack for number, one in enumerate(batch) if one.channel is Channel.LOG}
    with tempfile.TemporaryDirectory() as home:
        config = configured(server, Path(home), models, log)
        async with attacked_phone(config, server) as phone:
            yield phone
        tally.add_journal(shown_journal(config.journal.path))


def shown_journal(path: Path) -> str:
    """What ``heed journal`` prints of every decision, as a list and in full."""
    with stores_in(path) as stores:
        numbers = [entry.decision.id for entry in stores.journal.timeline(_ALL)]
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()) as screen:
        patch.setenv("HEED_JOURNAL__PATH", str(path))
        for number in (None, *numbers):
            journal(number, _ALL)
    return screen.getvalue()


_ALL = 10_000


async def attack_routines(server: AdbServer, deliveries: Sequence[Delivery]) -> Tally:
    """The default reasoner reads every text."""
    return await attack_model(server, ROUTINES, deliveries, by_model=False)


async def attack_model(
    server: AdbServer, models: ModelsConfig, deliveries: Sequence[Delivery], *, by_model: bool = True
) -> Tally:
    """The reasoner of a configuration reads every text."""
    tally = Tally.empty()
    for batch in _batches(deliveries):
        async with _phone(server, models, batch, tally) as phone:
            for attack, channel in batch:
                tally.add(await phone.attack(attack, channel), by_model=by_model)
    return tally


async def attack_evil_model(server: AdbServer, deliveries: Sequence[Delivery]) -> Tally:
    """A model reads every text and answers with a wish of the attacker."""
    tally, wishes = Tally.empty(), cycle(WISHES)
    async with EvilModel().serving() as model:
        for batch in _batches(deliveries):
            async with _phone(server, model.config, batch, tally) as phone:
                for number, (attack, channel) in enumerate(batch):
                    _answer(model, channel, attack, next(wishes), raw=number % 5 == 0)
                    tally.add(await phone.attack(attack, channel), by_model=True)
    return tally


def _answer(model: EvilModel, channel: Channel, attack: Attack, wish: Wish, *, raw: bool) -> None:
    """On its own channel the model's text is hostile: as sentence and argument, or as its whole answer."""
    if channel is Channel.MODEL and raw:
        model.say(attack.text)
    elif channel is Channel.MODEL:
        model.wish(wish, attack.text, attack.text)
    else:
        model.wish(wish, attack.text[:ARGUMENT], "Shall I?")


def _batches(deliveries: Sequence[Delivery]) -> Iterator[Sequence[Delivery]]:
    for start in range(0, len(deliveries), BATCH):
        yield deliveries[start : start + BATCH]


def reduced(channels: Iterable[Channel], count: int) -> list[Delivery]:
    """``count`` texts of each channel, the channels in turn, and over all of them every category."""
    columns = [
        [Delivery(attack, channel) for attack in sample(channel, count, place * count)]
        for place, channel in enumerate(channels)
    ]
    return [delivery for row in zip(*columns, strict=False) for delivery in row]


def whole(channels: Iterable[Channel]) -> list[Delivery]:
    """The whole corpus through every channel, as the channel carries it."""
    return [Delivery(attack, channel) for channel in channels for attack in through(channel)]
