import asyncio
import io
import os
from collections.abc import Iterator
from typing import NamedTuple, TextIO

import pytest
from rich.console import Console

from agent.consent.request import Answer, ConsentRequest, StepView, ask_first
from agent.consent.terminal import TerminalChannel, consent_panel
from function_pool.risk import Risk
from heed.language import Language
from tests.agent.test_consent import REQUEST


class Keyboard(NamedTuple):
    """A terminal's two ends: where the person types, and where heed reads."""

    typing: int
    reading: TextIO

    def type(self, text: str) -> None:
        os.write(self.typing, text.encode())


@pytest.fixture
def keyboard() -> Iterator[Keyboard]:
    reading, typing = os.pipe()
    with os.fdopen(reading) as source:
        yield Keyboard(typing, source)
    os.close(typing)


def channel(keyboard: Keyboard) -> TerminalChannel:
    with open(os.devnull, "w", encoding="utf-8") as nowhere:  # noqa: PTH123
        return TerminalChannel(Console(file=nowhere, quiet=True), Language.EN, keyboard.reading)


async def asked(terminal: TerminalChannel, request: ConsentRequest = REQUEST) -> asyncio.Task[Answer]:
    asking = asyncio.create_task(terminal.ask(request))
    await asyncio.sleep(0)
    return asking


async def test_what_was_typed_before_the_question_was_shown_answers_nothing(keyboard: Keyboard) -> None:
    terminal = channel(keyboard)
    keyboard.type("o\no")
    asking = await asked(terminal)
    keyboard.type("\nn\n")
    assert await asking is Answer.NOT_NOW


async def test_a_line_for_a_question_that_another_channel_answered_is_not_an_answer_to_the_next(
    keyboard: Keyboard,
) -> None:
    terminal = channel(keyboard)
    withdrawn = await asked(terminal)
    withdrawn.cancel()
    await asyncio.gather(withdrawn, return_exceptions=True)
    keyboard.type("o\n")
    asking = await asked(terminal)
    keyboard.type("x\n")
    assert await asking is Answer.NEVER


async def test_the_end_of_input_is_no_answer() -> None:
    reading, typing = os.pipe()
    os.close(typing)
    with os.fdopen(reading) as source:
        given = await ask_first([channel(Keyboard(typing, source))], REQUEST, timeout=60)
    assert given == (Answer.NO_ANSWER, "nobody")


async def test_a_half_typed_line_of_a_real_terminal_is_forgotten_too() -> None:
    typing, reading = os.openpty()
    with os.fdopen(reading) as source, os.fdopen(typing, "wb", buffering=0) as person:
        person.write(b"o")
        asking = await asked(channel(Keyboard(typing, source)))
        person.write(b"\n")
        assert await asking is Answer.NOT_NOW


def test_no_effect_is_cut_off_however_long_and_without_spaces() -> None:
    names = "、".join(f"Screenshot_{number:04}.png" for number in range(40))
    step = StepView(
        function="clean_up_media_files",
        parameters={},
        third_party={"文件": names},
        effects=(names,),
        undo=(names,),
        commands=(),
        risk=Risk.R4,
    )
    terminal = Console(width=80, file=io.StringIO())
    terminal.print(consent_panel(REQUEST.model_copy(update={"steps": (step,)}), Language.ZH))
    assert isinstance(terminal.file, io.StringIO)
    shown = terminal.file.getvalue()
    assert "…" not in shown
    assert shown.replace("\n", "").replace("│", "").replace(" ", "").count("Screenshot_0039.png") == 3
