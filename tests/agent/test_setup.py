"""``heed init`` in a terminal: questions that can be answered wrongly, and are then asked again."""

import asyncio
import os
import sys
import tomllib
from pathlib import Path

import pytest

from agent import config
from models.routines.rules.situations import builtin_situations
from tests.agent.command import heed


async def answered(*lines: str, options: tuple[str, ...] = ()) -> str:
    """What ``heed init`` shows on a terminal on which somebody types these lines."""
    person, terminal = os.openpty()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "heed", "init", *options), stdin=terminal, stdout=terminal, stderr=terminal
    )
    os.close(terminal)
    os.write(person, "".join(f"{line}\n" for line in lines).encode())
    async with asyncio.timeout(60):
        await process.wait()
    shown = b""
    while chunk := _rest(person):
        shown += chunk
    os.close(person)
    assert process.returncode == 0, shown.decode()
    return shown.decode()


def _rest(person: int) -> bytes:
    try:
        return os.read(person, 65536)
    except OSError:  # Linux tells so that the other end is closed
        return b""


async def test_a_wrong_answer_is_asked_again_and_never_ends_in_a_traceback(heed_home: Path) -> None:
    shown = await answered(
        *("english", "en", "late", "23:30", "", "China", "cn", "perhaps", "no", "99", "1, weekend_alarm"),
        *("my.bank,my.diary", "nonsense", "2"),
    )
    assert "Traceback" not in shown
    assert "An alarm is set for 07:00 tomorrow" in shown.rpartition("profile.yaml")[2], (
        "number 2 of the chosen was tried"
    )
    written = config.load()
    assert (written.language, str(written.policy.quiet_from)) == ("en", "23:30:00")
    assert written.collectors.country == "CN"
    assert written.collectors.excluded_apps == {"my.bank", "my.diary"}
    assert written.models.routines.situations == frozenset({"low_battery", "weekend_alarm"})


async def test_enter_takes_the_recommended_situations_after_showing_what_each_would_ask(heed_home: Path) -> None:
    shown = await answered("en", "", "", "", "", "", "no")
    assert "The battery is at 15 % and not charging: shall I turn on battery saver?" in shown
    recommended = frozenset(one.id for one in builtin_situations() if one.by_default)
    assert config.load().models.routines.situations == recommended
    assert "This was an example" not in shown
    assert not config.load().journal.path.exists()


async def test_an_option_answers_its_question_and_the_others_are_asked(heed_home: Path) -> None:
    shown = await answered("22:15", "06:30", options=("--language", "en", "--country", "de", *_REST))
    assert shown.count("Quiet hours") == 2
    assert "Country" not in shown.partition("Wrote")[0]
    written = config.load()
    assert (str(written.policy.quiet_from), str(written.policy.quiet_until)) == ("22:15:00", "06:30:00")
    assert written.collectors.country == "DE"


_REST = ("--situations", "low_battery", "--exclude", "", "--try", "no")


async def test_every_answer_can_be_given_as_an_option_without_a_terminal(heed_home: Path) -> None:
    ended = await heed(
        *("init", "--language", "zh", "--quiet", "22:30-06:30", "--country", "cn"),
        *("--situations", "low_battery,night_screen", "--exclude", "my.bank", "--try", "night_screen"),
    )
    assert ended.code == 0, ended.err
    assert "要切换到深色模式吗" in ended.out, "it is tried in the chosen language"
    written = config.load()
    assert (written.language, str(written.policy.quiet_until)) == ("zh", "06:30:00")
    assert written.models.routines.situations == frozenset({"low_battery", "night_screen"})
    assert written.collectors.excluded_apps == {"my.bank"}


@pytest.mark.parametrize(
    "option",
    [
        ("--language", "fr"),
        ("--quiet", "late"),
        ("--quiet", "25:00-07:00"),
        ("--situations", "nonsense"),
        ("--try", "x"),
    ],
)
async def test_a_wrong_option_is_refused_before_anything_is_written(heed_home: Path, option: tuple[str, str]) -> None:
    ended = await heed("init", *option)
    assert ended.code == 2
    assert "Traceback" not in ended.err
    assert not config.default_path().exists()


@pytest.mark.parametrize(("answer", "some"), [("none", False), ("all", True)])
async def test_the_questions_come_in_the_chosen_language(heed_home: Path, answer: str, *, some: bool) -> None:
    shown = await answered("zh", "", "", "", "不", answer, "", "不")
    assert "免打扰开始" in shown
    assert "电量只剩15%且没有充电，要打开省电模式吗？" in shown
    written = tomllib.loads(config.default_path().read_text("utf-8"))
    assert written["language"] == "zh"
    assert bool(written["models"]["routines"]["situations"]) is some
