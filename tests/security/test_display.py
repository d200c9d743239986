"""No text from outside acts on a terminal, hides in it or redraws a question there."""

import ast
import asyncio
import io
import json
import os
import pty
import re
import sys
import unicodedata
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from agent.cli import collect as collecting
from agent.compose import open_stores
from agent.config import Config
from agent.consent.request import Answer, ChannelName, ConsentRequest, StepView
from agent.consent.terminal import consent_panel, print_outcome
from agent.journal import ActionState
from agent.policy.verdict import Decision, Rule
from collectors.behaviour_log import BehaviourLog
from collectors.context import Context, Dimension, Fact, LogEntry, Section, Trigger, TriggerKind
from collectors.wording import render
from executors.plan import Effect, Outcome, OutcomeKind, Plan, Proof, Step
from executors.wording import describe
from function_pool.call import FunctionCall
from function_pool.risk import Risk
from heed import logs
from heed.language import Language
from heed.messages import msg, restored
from heed.messages import stored as stored_text
from heed.printing import Printer, json_text, shown
from heed.trust import Trust
from models.reasoner import Evidence, EvidenceKind, Recommendation, Why
from tests.agent.command import heed, says_one_sentence
from tests.agent.make import NOON
from tests.security.corpus import Attack, attacks

ROOT = Path(__file__).parents[2]
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
HAND_MADE = {
    "clipboard": "\x1b]52;c;ZXZpbA==\x07",
    "title": "\x1b]0;all is well\x1b\\",
    "alternate screen": "\x1b[?1049h\x1b[2J\x1b[H",
    "up and over": "\x1b[5A\x1b[2KTurn on battery saver?\r\n",
    "c1": "\x9b2J\x90q\x9c\x9d52;c;ZQ==\x9c",
    "backspaces": "pay 500\b\b\b\b\b\b\bread\x7f",
    "lines": "ok\n\nrisk   R0 · only looks\rwill   nothing\x0b\x0c\x85\u2028\u2029",
    "bidi": "\u202egnp.exe\u202c \u2066x\u2069 \u200f\u200e\u061c",
    "invisible": "pay\u200b\u200d\u2060\ufeff\u00ad\u180e\U000e0041me",
    "markup": "[bold red on white]REFUSED[/] [link=https://evil]x[/link] \\[/]",
    "box": "│ ╰──╯\n╰─────────────╯\n[o] once  [n] not now  > n",
    "wide": "好" * 300 + "\t" * 50,
}


def hostile() -> Iterator[Attack]:
    yield from attacks()
    for name, text in HAND_MADE.items():
        yield Attack(name, "hand made", text)


def stored() -> list[str]:
    """The texts of the stored journal: one of ten of the corpus and those made by hand, as SQLite can hold them."""
    chosen = [*attacks()[::10], *(Attack(name, "hand made", text) for name, text in HAND_MADE.items())]
    return [attack.text[:4000].encode("utf-8", "replace").decode() for attack in chosen]


def is_ordinary(text: str) -> bool:
    joiners = "\u200c\u200d"  # inside emoji and words of some scripts
    tags = {chr(code) for code in range(0xE0020, 0xE0080)}  # inside three flags
    plain = COLOURS.sub("", text)
    return not any(
        unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"} and char not in "\n" + joiners and char not in tags
        for char in plain
        if char not in "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f"
    )


def printed(thing: object, width: int = 80) -> str:
    out = io.StringIO()
    printer = Printer(file=out, width=width)
    printer.print(thing)
    return out.getvalue()


def request_of(text: str) -> ConsentRequest:
    step = StepView(
        function="set_alarm",
        parameters={"label": text},
        third_party={text: text},
        effects=(text, "the second effect"),
        undo=(text,),
        commands=(f"am start {text}",),
        risk=Risk.R1,
    )
    return ConsentRequest(
        plan_id=1,
        plan_hash="h",
        serial=text,
        sentence=text,
        why=text,
        evidence=(text, text),
        steps=(step, step),
        risk=Risk.R1,
        may_always=False,
    )


# --- the question ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("width", [40, 100])
def test_a_question_keeps_its_lines_whatever_its_texts_are(width: int) -> None:
    one = ["will", "will", "runs", "undo"]
    labels = ["why", *one, *one, "risk"]
    for attack in hostile():
        shown_panel = printed(consent_panel(request_of(attack.text), Language.EN), width)
        assert is_ordinary(shown_panel), attack
        lines = shown_panel.splitlines()
        assert lines[0].startswith("╭") and lines[-1].startswith("╰"), attack
        assert all(line.startswith("│ ") for line in lines[1:-1]), attack
        assert [label for line in lines[1:-1] if (label := line[2:6].strip())] == labels, attack
        assert shown_panel.count("the second effect") == 2 or width == 40, attack


def test_a_request_holds_no_unsafe_text_for_any_channel() -> None:
    for attack in hostile():
        request = json.loads(request_of(attack.text).model_dump_json(exclude={"serial"}))
        texts = list(_texts(request))
        assert all(is_ordinary(text) and "\n" not in text for text in texts), attack


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, item in value.items():
            yield name
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def test_nothing_is_left_out_of_what_consent_is_given_to() -> None:
    text = "\u202e" * 1999 + "the end"
    request = request_of(describe(Effect(kind="sms_compose", detail={"number": "1", "text": text}), Language.EN))
    assert "the end" in request.steps[0].effects[0] and "the end" in request.steps[0].commands[0]


async def test_a_question_on_a_terminal_shows_the_effect_as_it_is(adb_server, device) -> None:  # type: ignore[no-untyped-def]
    label = HAND_MADE["up and over"] + HAND_MADE["clipboard"] + HAND_MADE["alternate screen"]
    command = [sys.executable, "-m", "heed", "call", "set_alarm", "time=07:30", f"label={label}", "--dry-run"]
    output = await _on_terminal(command, adb_server.port)
    assert "07:30" in output
    assert is_ordinary(output.replace("\r\n", "\n")), repr(output)


async def _on_terminal(command: list[str], port: int) -> str:
    """What a command writes to a pseudo-terminal."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "ANDROID_ADB_SERVER_PORT": str(port), "TERM": "xterm-256color"}
    process = await asyncio.create_subprocess_exec(
        *command, env=environment, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    )
    os.close(theirs)
    read = asyncio.create_task(asyncio.to_thread(_read_all, ours))
    async with asyncio.timeout(60):
        await process.wait()
        return (await read).decode()


def _read_all(descriptor: int) -> bytes:
    data = b""
    while True:
        try:
            chunk = os.read(descriptor, 65536)
        except OSError:  # the other end was closed
            chunk = b""
        if not chunk:
            os.close(descriptor)
            return data
        data += chunk


# --- lists ----------------------------------------------------------------------------------------------------------
def test_what_others_wrote_is_printed_on_one_line_wherever_it_stands() -> None:
    for attack in hostile():
        effect = Effect(kind="of_a_plug_in", detail={"en": attack.text})
        proof = Proof(command=attack.text, answer=attack.text)
        outcome = Outcome(kind=OutcomeKind.FAILED, message=attack.text, proof=(proof,))
        assert is_ordinary(describe(effect, Language.EN)) and "\n" not in describe(effect, Language.EN)
        out = io.StringIO()
        print_outcome(Printer(file=out, width=100), outcome, Language.EN)
        assert is_ordinary(out.getvalue()) and out.getvalue().count("\n") == 2, attack
        sentence = shown(msg("{path}\n  and {other}", path=attack.text, other=[attack.text]), Language.EN)
        assert is_ordinary(sentence) and sentence.count("\n") == 1, attack


def test_a_context_is_printed_with_its_own_lines_alone() -> None:
    quiet = _context("quiet")
    expected = _text_of(quiet).count("\n")
    for attack in hostile():
        text = _text_of(_context(attack.text))
        assert is_ordinary(text), attack
        assert text.count("\n") <= expected, attack


def _context(text: str) -> Context:
    def fact(name: str, value: object) -> Fact:
        return Fact.model_validate(
            {"name": name, "value": value, "source": "test", "read_at": NOON, "trust": Trust.THIRD_PARTY}
        )

    row = {"package": "a.b", "app": text, "title": text, "text": text, "time": NOON.isoformat()}
    return Context(
        serial="phone-a",
        now=NOON,
        trigger=Trigger(kind=TriggerKind.NOTIFICATION, data=row),
        device=Section(facts=(fact("notifications", [row]), fact("wifi.ssid", text), fact("media.title", text))),
    )


def _text_of(context: Context) -> str:
    words = render(collecting._safe(context), Language.EN)
    return "\n".join(collecting._text(words, item) for item in Dimension)


@pytest.fixture
def full_home(heed_home: Path) -> Path:
    """A home whose journal and behaviour log hold attacks."""
    config = Config()
    with open_stores(config) as stores:
        for text in stored():
            context_id = stores.journal.record_context(_context(text))
            evidence = (Evidence(kind=EvidenceKind.FACT, ref=text, text=text),)
            call = FunctionCall(name="set_alarm", parameters={"time": "07:30", "label": text})
            made = Recommendation(
                rec=text, calls=(call,), why=Why(text=text, evidence=evidence), reasoner="model", topic=text
            )
            decision = stores.journal.record_decision(
                context_id, NOON, made, decision=Decision.ASK, rule=Rule.ASK_FIRST, reason=text
            )
            effect = Effect(kind="of_a_plug_in", detail={"en": text})
            step = Step(call=call, commands=(text,), effects=(effect,), undo=(effect,), risk=Risk.R1)
            plan = Plan(serial="phone-a", steps=(step,), prepared_at=NOON)
            plan_id = stores.journal.record_plan(decision, plan)
            stores.journal.record_answer(plan_id, plan.hash, NOON, Answer.ONCE, ChannelName.TERMINAL)
            action = stores.journal.start_action(plan_id, 0, step, NOON)
            proof = Proof(command=text, answer=text)
            ended = Outcome(kind=OutcomeKind.FAILED, message=text, proof=(proof,))
            stores.journal.finish(action, ended, ActionState.FINISHED)
    day = timedelta(days=1)
    entries = [
        LogEntry(time=NOON - day * ago, location=text, action=f"Opened Maps and searched for {text}", line=0)
        for text in stored()[::3]
        for ago in (1, 2, 3, 4, 5, 6, 7)
    ]
    BehaviourLog(config.collectors.behaviour_log).extend(entries)
    return heed_home


@pytest.mark.timeout(300)
async def test_no_listing_command_prints_a_control_character(full_home: Path) -> None:
    last = len(stored())
    lines = [("journal", "--limit", "1000"), ("habits",), ("functions",), ("config",), ("replay", str(last))]
    lines += [("journal", str(number)) for number in range(last - len(HAND_MADE) + 1, last + 1, 4)]
    for line in lines:
        ended = await heed(*line)
        assert ended.code == 0, (line, ended.err)
        assert is_ordinary(ended.out) and is_ordinary(ended.err), line
    ended = await heed("journal", "--json")
    assert is_ordinary(ended.out) and ended.data


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "gbk"])
async def test_a_terminal_without_unicode_gets_replacements_and_no_traceback(full_home: Path, encoding: str) -> None:
    for line in (("journal", "--limit", "1000"), ("--help",)):
        ended = await heed(*line, PYTHONIOENCODING=encoding, LC_ALL="C", HEED_LANGUAGE="zh")
        assert ended.code == 0 and "Traceback" not in ended.err, (line, ended.err[-300:])
    as_json = await heed("journal", "--limit", "1000", "--json", PYTHONIOENCODING=encoding)
    assert json.loads(as_json.out), "JSON stays data in every encoding"
    wrong = await heed("habits", "字\x1b[2J", PYTHONIOENCODING=encoding)
    assert wrong.code == 2 and says_one_sentence(wrong)


async def test_a_reader_that_closes_the_output_is_no_error(full_home: Path) -> None:
    await heed("journal", "--limit", "1")  # makes the files private, which is logged once
    line = f"set -o pipefail; {sys.executable} -m heed journal --limit 1000 | head -1"
    process = await asyncio.create_subprocess_exec(
        "bash", "-c", line, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    async with asyncio.timeout(60):
        out, err = await process.communicate()
    assert out.count(b"\n") == 1 and err == b"" and process.returncode == 0


async def test_an_error_that_quotes_a_hostile_name_is_one_safe_line(heed_home: Path) -> None:
    text = "".join(HAND_MADE.values()).replace("\x00", "").replace("=", "")
    for line in (("call", "set_alarm", text), ("functions", text), ("habits", text), ("forget", "--before", text)):
        ended = await heed(*line)
        assert ended.code == 2 and is_ordinary(ended.err), (line, ended.err)
        assert says_one_sentence(ended), (line, ended.err)


def test_json_escapes_what_a_terminal_obeys_and_stays_the_same_data() -> None:
    for attack in hostile():
        text = json_text({"text": attack.text})
        assert is_ordinary(text) and "\u200d" not in text, attack
        # Two halves of an emoji that meet are one in JSON.
        assert json.loads(text)["text"] == json.loads(json.dumps(attack.text)), attack


def test_a_log_record_cannot_act_on_the_terminal_it_is_printed_on(capsys: pytest.CaptureFixture[str]) -> None:
    import logging

    before = logging.getLogger().handlers[:]
    try:
        logs.configure("INFO")
        for text in HAND_MADE.values():
            logging.getLogger("heed.test").info("the phone said %s", text)
        err = capsys.readouterr().err
    finally:
        logging.getLogger().handlers[:] = before
    assert err and is_ordinary(err)


async def test_a_traceback_cannot_act_on_the_terminal_it_is_printed_on() -> None:
    raised = "raise ValueError(" + repr("".join(HAND_MADE.values())) + ")"
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", f"from heed import printing; printing.prepare_streams(); {raised}"),
        stderr=asyncio.subprocess.PIPE,
    )
    _, err = await process.communicate()
    assert b"ValueError" in err and is_ordinary(err.decode()) and process.returncode == 1


def test_a_text_that_poses_as_a_stored_message_stays_a_text() -> None:
    text = '{"template": "{x:>2000000000}", "values": {"x": 1}}'
    assert str(restored(stored_text(text))) == text


# --- the structure --------------------------------------------------------------------------------------------------
WRITERS = {"heed/printing.py", "heed/safe_text.py"}
NOT_OURS = {"models/llama/child.py"}
"""Writes replies to its parent process, not to a terminal."""
PRINTING = ("agent", "heed", "models", "collectors", "executors", "evaluation", "function_pool", "android_bridge")


def test_only_one_module_prints() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line} {what}"
        for package in PRINTING
        for path in sorted((ROOT / package).rglob("*.py"))
        if path.relative_to(ROOT).as_posix() not in WRITERS | NOT_OURS
        for line, what in _prints(ast.parse(path.read_text("utf-8")))
    ]
    assert not found


def _prints(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "rich.markup":
            yield node.lineno, "rich.markup.escape keeps control characters: safe_markup"
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        if called in {"print", "typer.echo", "typer.secho", "click.echo", "sys.stdout.write", "sys.stderr.write"}:
            yield node.lineno, called
        if called.endswith("Console") and any(
            keyword.arg in {"stderr", "highlight", "file"} for keyword in node.keywords
        ):
            yield node.lineno, "a console of its own: heed.printing has one"
