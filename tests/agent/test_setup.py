"""``heed init`` in a terminal: questions that can be answered wrongly, and are then asked again."""

import asyncio
import os
import sys
import tomllib
from pathlib import Path

import pytest

from agent import config


async def answered(*lines: str) -> str:
    """What ``heed init`` shows on a terminal on which somebody types these lines."""
    person, terminal = os.openpty()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "heed", "init"), stdin=terminal, stdout=terminal, stderr=terminal
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
        "english", "en", "late", "23:30", "", "China", "cn", "99", "1, weekend_alarm", "my.bank,my.diary"
    )
    assert "Traceback" not in shown
    written = config.load()
    assert (written.language, str(written.policy.quiet_from)) == ("en", "23:30:00")
    assert written.collectors.country == "CN"
    assert written.collectors.excluded_apps == {"my.bank", "my.diary"}
    assert written.models.routines.situations == frozenset({"low_battery", "weekend_alarm"})


@pytest.mark.parametrize(("answer", "some"), [("none", False), ("all", True)])
async def test_the_questions_come_in_the_chosen_language(heed_home: Path, answer: str, *, some: bool) -> None:
    shown = await answered("zh", "", "", "", answer, "")
    assert "免打扰开始" in shown
    written = tomllib.loads(config.default_path().read_text("utf-8"))
    assert written["language"] == "zh"
    assert bool(written["models"]["routines"]["situations"]) is some
