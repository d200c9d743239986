import asyncio
import io
import os
from collections.abc import Iterator
from typing import NamedTuple, TextIO

import pytest
from rich.console import Console

from agent.consent.request import (
    Answer,
    ChannelName,
    ConsentRequest,
    GivenAnswer,
    Reply,
    StepView,
    WideningView,
    ask_first,
)
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


async def test_what_follows_a_withdrawn_question_begins_on_a_line_of_its_own(keyboard: Keyboard) -> None:
    shown = io.StringIO()
    withdrawn = await asked(TerminalChannel(Console(file=shown), Language.EN, keyboard.reading))
    withdrawn.cancel()
    await asyncio.gather(withdrawn, return_exceptions=True)
    assert shown.getvalue().splitlines()[-1].startswith("[o] once")
    assert shown.getvalue().endswith("\n")


async def test_the_end_of_input_is_no_answer() -> None:
    reading, typing = os.pipe()
    os.close(typing)
    with os.fdopen(reading) as source:
        given = await ask_first([channel(Keyboard(typing, source))], REQUEST, timeout=60)
    assert given == GivenAnswer(Answer.NO_ANSWER, ChannelName.NOBODY)


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


def test_neither_the_sentence_nor_an_effect_is_cut_off_however_long_and_without_spaces() -> None:
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
    sentence = f"{names}?"
    terminal.print(consent_panel(REQUEST.model_copy(update={"steps": (step,), "sentence": sentence}), Language.ZH))
    assert isinstance(terminal.file, io.StringIO)
    shown = terminal.file.getvalue()
    assert sentence in "".join(shown.replace("│", "").split())
    assert "…" not in shown
    assert shown.replace("\n", "").replace("│", "").replace(" ", "").count("Screenshot_0039.png") == 4


class Screen(NamedTuple):
    """A terminal of a given size: what it shows, and where the person types."""

    channel: TerminalChannel
    shown: io.StringIO
    typing: int

    def type(self, text: str) -> None:
        os.write(self.typing, text.encode())

    async def asks(self, prompt: str, times: int = 1) -> None:
        async with asyncio.timeout(60):
            while self.shown.getvalue().count(prompt) < times:  # noqa: ASYNC110 - the text tells nobody
                await asyncio.sleep(0.01)


@pytest.fixture
def small(keyboard: Keyboard) -> Screen:
    shown = io.StringIO()
    console = Console(file=shown, width=40, height=12, force_terminal=True, color_system=None)
    return Screen(TerminalChannel(console, Language.EN, keyboard.reading), shown, keyboard.typing)


def long_request(effects: int) -> ConsentRequest:
    views = tuple(
        StepView(
            function="f",
            parameters={},
            third_party={},
            effects=(f"Effect {number}",),
            undo=(),
            commands=("command " * 20,),
            risk=Risk.R1,
        )
        for number in range(effects)
    )
    return REQUEST.model_copy(update={"steps": views})


async def test_effects_that_scrolled_away_stand_right_above_the_question(small: Screen) -> None:
    asking = await asked(small.channel, long_request(3))
    await small.asks("[o] once")
    lines = small.shown.getvalue().split("[o] once")[0].splitlines()[-6:]
    assert [line.strip() for line in lines if "Effect" in line] == [f"will: Effect {number}" for number in range(3)]
    small.type("o\n")
    assert await asking is Answer.ONCE


async def test_what_does_not_fit_is_shown_page_by_page_and_nothing_is_allowed_before_the_last(small: Screen) -> None:
    asking = await asked(small.channel, long_request(10))
    for page in (1, 2):
        await small.asks(f"Page {page} of 3")
        assert "[o] once" not in small.shown.getvalue()
        small.type("o\n")
    await small.asks("[o] once")
    assert all(f"will: Effect {number}\n" in small.shown.getvalue().replace(" \n", "\n") for number in range(10))
    assert not asking.done()
    small.type("o\n")
    assert await asking is Answer.ONCE


@pytest.mark.parametrize("no", ["n", "no", "x"])
async def test_a_no_is_heard_on_every_page(small: Screen, no: str) -> None:
    asking = await asked(small.channel, long_request(10))
    await small.asks("Page 1 of 3")
    small.type(f"{no}\n")
    assert await asking is Answer.NOT_NOW


async def test_what_was_typed_ahead_turns_no_page_and_allows_nothing(small: Screen) -> None:
    asking = await asked(small.channel, long_request(10))
    await small.asks("Page 1 of 3")
    small.type("\n\no\n")
    await small.asks("Page 2 of 3")
    await asyncio.sleep(0.05)
    assert "[o] once" not in small.shown.getvalue()
    small.type("n\n")
    assert await asking is Answer.NOT_NOW
