import asyncio
import io
import os
from collections.abc import Iterator
from typing import NamedTuple, TextIO

import pytest
from rich.console import Console

from agent.consent.request import Answer, ConsentRequest, Reply, StepView, WideningView
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


async def asked(terminal: TerminalChannel, request: ConsentRequest = REQUEST) -> asyncio.Task[Answer | Reply]:
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


async def test_the_end_of_input_is_not_now() -> None:
    reading, typing = os.pipe()
    os.close(typing)
    with os.fdopen(reading) as source:
        assert await channel(Keyboard(typing, source)).ask(REQUEST) is Answer.NOT_NOW


async def test_a_half_typed_line_of_a_real_terminal_is_forgotten_too() -> None:
    typing, reading = os.openpty()
    with os.fdopen(reading) as source, os.fdopen(typing, "wb", buffering=0) as person:
        person.write(b"o")
        asking = await asked(channel(Keyboard(typing, source)))
        person.write(b"\n")
        assert await asking is Answer.NOT_NOW


async def test_always_asks_what_to_widen_and_an_empty_line_widens_nothing(keyboard: Keyboard) -> None:
    wide = tuple(WideningView(step=0, parameter=name, text=name, shown="x") for name in ("time", "label"))
    request = REQUEST.model_copy(update={"may_always": True, "widenings": wide})
    for typed, widened in (("\n", []), ("2\n", ["label"]), ("3\n0\nx\n-1\n²\n1, 2\n", ["time", "label"])):
        asking = await asked(channel(keyboard), request)
        keyboard.type(f"a\n{typed}")
        said = await asking
        assert isinstance(said, Reply)
        assert (said.answer, [field.parameter for field in said.widened]) == (Answer.ALWAYS, widened)


def test_the_question_says_that_others_words_led_to_it_and_that_looking_changes_nothing() -> None:
    look = StepView(
        function="f",
        parameters={},
        third_party={},
        effects=(),
        undo=(),
        commands=(),
        risk=Risk.R0,
        changes_nothing=True,
    )
    terminal = Console(width=80, file=io.StringIO())
    request = REQUEST.model_copy(update={"steps": (look,), "is_influenced": True})
    terminal.print(consent_panel(request, Language.EN))
    assert isinstance(terminal.file, io.StringIO)
    shown = terminal.file.getvalue()
    assert "text that others wrote had a part in this suggestion" in shown
    assert "changes nothing" in shown
    assert "cannot be undone" not in shown


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
