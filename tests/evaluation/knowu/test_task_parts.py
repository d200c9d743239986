"""The parts of a task: memory, simulated user, the channel, the owner's last touch, and the oracle's process."""

import json
import sys
from pathlib import Path

import pytest

from agent.consent.clarification import Clarification, clarify_first
from agent.consent.request import Answer, ConsentRequest
from android_bridge.device import Device
from evaluation.embeddings import EncoderEmbedder
from evaluation.knowu.tasks.memory import Memory
from evaluation.knowu.tasks.owner import press_last_button
from evaluation.knowu.tasks.simulated_user import ModelUser, ScriptedUser, simulator_config
from evaluation.knowu.tasks.user_channel import UserChannel
from evaluation.oracle_process import OracleEndedError, running_oracle
from function_pool.risk import Risk
from heed.errors import UsageError
from models.config import OpenAIConfig
from models.openai.server import ModelServer
from tests.evaluation.loopback import scripted
from virtual_phone import VirtualPhone

FACTS = "The owner buys on Taodian, sometimes on Jingdian; Taodian has the address."
LOG = [
    {"time": "2026-01-03T20:00:00+08:00", "location": "home", "action": "ordered a milk tea on Tuantuan"},
    {"time": "2026-01-01T08:00:00+08:00", "location": "home", "action": "turned the alarm off", "label": "x"},
    {"time": "2026-01-02T12:00:00+08:00", "location": "work", "action": "ordered a bubble tea with Tuantuan"},
]  # fmt: skip


def question(*choices: str) -> Clarification:
    return Clarification(id="1", request="buy cola", question="Which app?", choices=choices)


def consent() -> ConsentRequest:
    return ConsentRequest(
        plan_id=1, plan_hash="", serial="", sentence="Turn on Bluetooth?", why="", evidence=(), steps=(), risk=Risk.R1,
        may_always=False,
    )  # fmt: skip


async def remembered(tmp_path: Path, memory: Memory, request: str) -> list[str]:
    log, file = tmp_path / "user.json", tmp_path / "log.jsonl"
    log.write_text(json.dumps(LOG), "utf-8")
    await memory.write(log, request, EncoderEmbedder.load(), file)
    return [json.loads(line)["action"] for line in file.read_text("utf-8").splitlines()]


async def test_the_full_memory_has_every_entry_in_the_order_of_time(tmp_path: Path) -> None:
    found = await remembered(tmp_path, Memory.parse("full"), "")
    assert found == [LOG[1]["action"], LOG[2]["action"], LOG[0]["action"]]


async def test_the_nearest_entries_are_those_about_the_request(tmp_path: Path) -> None:
    found = await remembered(tmp_path, Memory.parse("nearest:2"), "点一杯奶茶")
    assert found == [LOG[2]["action"], LOG[0]["action"]]


async def test_a_log_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    log = tmp_path / "user.json"
    for text in ('{"a": 1}', '[{"time": "yesterday", "action": "slept"}]'):
        log.write_text(text, "utf-8")
        with pytest.raises(UsageError, match=r"user\.json"):
            await Memory().write(log, "", EncoderEmbedder.load(), tmp_path / "log.jsonl")


async def test_the_scripted_user_chooses_what_the_facts_name_most_and_invents_nothing() -> None:
    user = ScriptedUser(FACTS)
    assert (await user.tell("Which app?", ("Jingdian", "Taodian"), ())).words == "Taodian"
    assert (await user.tell("哪个应用？", ("美团",), ())).said == "我不知道。"
    assert (await user.tell("Which size?", (), ())).words == ""
    assert (await user.consent("May I?", ())).allows


async def test_the_channel_asks_the_model_with_the_facts_and_what_was_said_before() -> None:
    replies = iter(["<think>Hm.</think>I would take Taodian.", "ACCEPT, please.", "No, I do not accept this."])
    with scripted(lambda asked: next(replies)) as server:
        model = ModelServer(simulator_config(OpenAIConfig(), server.url, "player"))
        channel = UserChannel(ModelUser(model, FACTS))
        given = await clarify_first([channel], question("Jingdian", "Taodian"), 30)
        assert given is not None
        assert given.reply.words == "Taodian"
        assert await channel.ask(consent()) is Answer.ONCE
        assert await channel.ask(consent()) is Answer.NOT_NOW
        await model.close()
    assert (channel.questions, channel.consents, len(channel.chat)) == (1, 2, 6)
    system, *before, last = server.asked[1]["messages"]
    assert FACTS in system["content"]
    assert [turn["role"] for turn in before] == ["user", "assistant"]
    assert "Turn on Bluetooth?" in last["content"]
    assert "response_format" not in server.asked[1]


async def test_a_user_that_does_not_answer_is_no_answer_and_a_named_fault() -> None:
    with scripted(lambda asked: 500) as server:
        model = ModelServer(simulator_config(OpenAIConfig(), server.url, "player"))
        channel = UserChannel(ModelUser(model, FACTS))
        assert await clarify_first([channel], question("Taodian"), 30) is None
        await model.close()
    assert channel.fault
    assert channel.chat == []


async def test_the_owner_presses_the_only_last_button_and_no_other(phone: VirtualPhone, device: Device) -> None:
    assert await press_last_button(device) == ""
    await device.shell("am start -a android.intent.action.SENDTO -d sms:13800001111 --es sms_body Hello")
    assert await press_last_button(device)
    assert [message for message in phone.state.messages.stored if message.body == "Hello"]


async def test_an_oracle_answers_and_its_end_is_told_with_its_last_words(tmp_path: Path) -> None:
    script = tmp_path / "oracle.py"
    script.write_text(
        "import json, os, sys\n"
        "for line in sys.stdin:\n"
        "    if json.loads(line)['do'] == 'end':\n"
        "        sys.exit('nothing left to judge')\n"
        "    print(json.dumps({'error': '', 'seen': os.environ['SEEN']}), flush=True)\n",
        "utf-8",
    )
    async with running_oracle(Path(sys.executable), script, {"SEEN": "yes"}) as oracle:
        assert (await oracle.ask(do="look"))["seen"] == "yes"
        with pytest.raises(OracleEndedError, match="nothing left to judge"):
            await oracle.ask(do="end")
