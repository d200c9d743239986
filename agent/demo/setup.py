"""The configuration and the private adb server that a demo runs with."""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import time
from pathlib import Path

import yaml

from agent.config import Config, ConsoleConfig, JournalConfig, PolicyConfig
from android_bridge.adb import AdbServer
from android_bridge.config import BridgeConfig
from collectors.config import CollectorsConfig
from heed.language import Language
from models.config import ModelsConfig, RoutinesConfig
from models.routines.rules.situations import builtin_situations, load_situations
from virtual_phone.scenario import Persona


def demo_config(
    home: Path, bridge: BridgeConfig, language: Language, persona: Persona, models: ModelsConfig | None = None
) -> Config:
    """Return the configuration of the scenario's persona, with profile, journal and frames in ``home``.

    ``models`` says what decides; its situations are the persona's.
    """
    profile = home / "profile.yaml"
    profile.write_text(yaml.safe_dump({"user_profile": persona.profile}, allow_unicode=True), encoding="utf-8")
    log = Path(persona.behaviour) if persona.behaviour else home / "behaviour.jsonl"
    own = (Path(persona.own_situations),) if persona.own_situations else ()
    known = [*builtin_situations(), *(one for file in own for one in load_situations(file))]
    enabled = [one.id for one in known] if persona.situations == "all" else persona.situations
    routines = RoutinesConfig(situations=frozenset(enabled), situation_files=own, rules=home / "rules.yaml")
    return Config(
        language=language,
        bridge=bridge,
        collectors=CollectorsConfig(
            language=language, profile=profile, behaviour_log=log, frames_folder=home / "frames"
        ),
        models=(models or ModelsConfig()).model_copy(update={"routines": routines}),
        console=ConsoleConfig(phone=False),
        journal=JournalConfig(path=home / "journal.sqlite3"),
        policy=_policy(persona),
    )


def _policy(persona: Persona) -> PolicyConfig:
    if not persona.quiet_hours:
        return PolicyConfig()
    start, end = map(time.fromisoformat, persona.quiet_hours.split("-"))
    return PolicyConfig(quiet_from=start, quiet_until=end)


@asynccontextmanager
async def private_adb_server(home: Path) -> AsyncIterator[AdbServer]:
    """Run a real adb server on a free port with its keys in ``home``; the owner's server and phones stay untouched."""
    # Device discovery is off: USB (whose scan takes three seconds), the network and emulators.
    environment = {"HOME": str(home), "ADB_USB": "0", "ADB_MDNS": "0", "ADB_LOCAL_TRANSPORT_MAX_PORT": "5554"}
    server = AdbServer(BridgeConfig(port=_free_port()), environment=environment)
    await server.ensure_running()
    try:
        yield server
    finally:
        await server.kill()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
