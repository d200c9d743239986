"""Small valid values for the agent's tests."""

from datetime import UTC, datetime
from pathlib import Path

from agent.config import Config, ConsoleConfig, JournalConfig
from agent.journal import Stores
from android_bridge.adb import AdbServer
from android_bridge.config import BridgeConfig
from collectors.config import CollectorsConfig, FramesConfig
from collectors.context import Context, Fact, Section, Trigger
from executors.plan import Effect, Plan, Step
from function_pool.call import Basis, FunctionCall
from function_pool.risk import Risk
from heed.trust import Trust
from models.reasoner import Recommendation, Why

NOON = datetime(2026, 2, 6, 12, 0, tzinfo=UTC)
SERIAL = "phone-a"


def fact(name: str, value: object, trust: Trust = Trust.DEVICE) -> Fact:
    return Fact.model_validate({"name": name, "value": value, "source": "test", "read_at": NOON, "trust": trust})


def context(now: datetime = NOON, trigger: str = "battery_level", **facts: object) -> Context:
    device = Section(facts=tuple(fact(name.replace("__", "."), value) for name, value in facts.items()))
    return Context(serial=SERIAL, now=now, trigger=Trigger(kind=trigger), device=device)


def saver_call(*, enabled: bool = True) -> FunctionCall:
    return FunctionCall(name="set_power_saving_mode", parameters={"enabled": enabled})


def contact_call() -> FunctionCall:
    basis = {"name": (Basis(fact="sms.unread", trust=Trust.THIRD_PARTY),)}
    return FunctionCall(name="save_contact", parameters={"name": "Bob", "phone_number": "123"}, basis=basis)


def recommendation(*calls: FunctionCall, topic: str = "low_battery", confidence: float | None = 0.9) -> Recommendation:
    return Recommendation(
        rec="Turn on battery saver?",
        calls=calls or (saver_call(),),
        why=Why(text="The battery is low."),
        confidence=confidence,
        reasoner="routines",
        topic=topic,
    )


def step(
    call: FunctionCall | None = None, risk: Risk = Risk.R1, *, already: bool = False, undoable: bool = True
) -> Step:
    effect = Effect(kind="power_saving", detail={"enabled": True})
    return Step(
        call=call or saver_call(),
        commands=("cmd power set-mode 1",),
        effects=(effect,),
        risk=risk,
        undo=(effect,) if undoable else (),
        already=already,
    )


def plan(*steps: Step) -> Plan:
    return Plan(serial=SERIAL, steps=steps or (step(),), prepared_at=NOON)


def config_of(server: AdbServer, home: Path) -> Config:
    """A runtime in ``home`` that takes no pictures and shows no console."""
    return Config(
        bridge=BridgeConfig(port=server.port),
        collectors=CollectorsConfig(frames=FramesConfig(enabled=False)),
        console=ConsoleConfig(enabled=False),
        journal=JournalConfig(path=home / "journal.sqlite3"),
    )


def let_time_pass(stores: Stores, minutes: float) -> None:
    """Make everything in the journal so much older, in elapsed time, which no clock of a test moves."""
    for table in ("context", "decision", "answer", "action"):
        stores.journal._db.execute(f"UPDATE {table} SET elapsed = elapsed - ?", (60 * minutes,))
