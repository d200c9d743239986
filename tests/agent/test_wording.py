"""What the person reads is in words, in both languages: no raw value of Python, no name of a parameter or channel."""

from pathlib import Path

import pytest

from agent.channels.channel_status import ChannelState
from agent.console.page_wording import Wording
from agent.journal import ActionState
from agent.loop.phone_status import MonitoringState
from agent.policy.verdict import Decision, Verdict
from agent.wording import STATES, channel_text, evidence_texts, rule_text
from android_bridge.adb import AdbServer
from android_bridge.device import Device
from collectors.context import Context, Section, Trigger, TriggerKind
from executors.executor import OutOfReachError
from executors.plan import Outcome, OutcomeKind
from executors.wording import describe_outcome
from function_pool.spec import default_pool
from function_pool.wording import name_parameter
from heed.language import Language
from heed.messages import msg
from models.reasoner import Evidence, EvidenceKind
from tests.agent.command import heed, write_config
from tests.agent.make import NOON, SERIAL, fact
from virtual_phone import VirtualPhone

EN, ZH = Language.EN, Language.ZH
MESSAGE = {"number": "+15550111", "contact": None, "text": "This is Bob", "time": NOON.isoformat()}
CONTEXT = Context(
    serial=SERIAL,
    now=NOON,
    trigger=Trigger(kind=TriggerKind.BATTERY_LEVEL, data={"level": 14}),
    device=Section(
        facts=(
            fact("battery.level", 14),
            fact("battery.plugged", value=False),
            fact("sms.unread", [MESSAGE]),
            fact("plugin.lamp", value=None),
        )
    ),
)


def evidence(*names: str) -> tuple[Evidence, ...]:
    return tuple(Evidence(kind=EvidenceKind.FACT, ref=name, text="raw") for name in names)


@pytest.mark.parametrize(
    ("name", "english", "chinese"),
    [
        ("battery.level", "battery 14%", "电量14%"),
        ("battery.plugged", "not on the charger", "未接充电器"),
        (
            "sms.unread",
            'Unread SMS: from +15550111 at 12:00: "This is Bob"',
            "未读短信：来自+15550111（12:00）：“This is Bob”",
        ),
        ("plugin.lamp", "plugin.lamp: none", "plugin.lamp: 无"),
    ],
)
def test_evidence_is_told_in_the_words_of_the_context(name: str, english: str, chinese: str) -> None:
    assert evidence_texts(evidence(name), CONTEXT, EN) == (english,)
    assert evidence_texts(evidence(name), CONTEXT, ZH) == (chinese,)


def test_several_fields_of_what_just_happened_are_one_line() -> None:
    told = evidence_texts(evidence("trigger.level", "trigger.charging"), CONTEXT, EN)
    assert len(told) == 1
    assert "14" in told[0]


def test_every_channel_and_every_parameter_of_the_pool_has_words() -> None:
    pool = default_pool()
    for name in {name for spec in pool for name in spec.parameters}:
        assert name_parameter(name, ZH) != name
        assert "_" not in name_parameter(name, EN)
    page = Wording(ZH).page
    assert page["channel_command line"] == channel_text("command line", ZH) == "在命令行"


def test_a_refusal_is_told_in_chinese_wherever_it_is_shown() -> None:
    fault = OutOfReachError(
        msg("The screen is off, so nothing is opened on it."), msg("Wake the phone and ask again.")
    ).text
    verdict = Verdict(decision=Decision.SILENT, rule="not_possible", detail={"fault": fault})
    assert rule_text(verdict, ZH) == "现在做不到：屏幕已关闭，因此不打开任何内容。请唤醒手机后重新提出。"
    refused = Outcome(kind=OutcomeKind.REFUSED, message=fault)
    assert describe_outcome(refused, ZH) == "屏幕已关闭，因此不打开任何内容。请唤醒手机后重新提出。"
    assert describe_outcome(refused, EN) == str(fault)


async def test_a_command_refuses_in_the_configured_language(heed_home: Path) -> None:
    write_config(heed_home, 'language = "zh"\n')
    ended = await heed("undo", "99")
    assert ended.code == 2
    assert ended.err == "heed: 日志中没有操作 99。`heed journal` 会列出它们。\n"


def test_every_state_and_outcome_has_words() -> None:
    known = {*MonitoringState, *ActionState, *OutcomeKind, *ChannelState} - {ActionState.FINISHED}
    assert {str(state) for state in known} == set(STATES)


async def test_the_journal_is_listed_in_words(
    heed_home: Path, adb_server: AdbServer, phone: VirtualPhone, device: Device
) -> None:
    await heed("call", "set_power_saving_mode", "enabled=true", "--yes", port=adb_server.port)
    listed = (await heed("journal", HEED_LANGUAGE="zh")).out
    assert "允许一次" in listed
    assert "已核实" in listed
    assert "verified" not in listed
