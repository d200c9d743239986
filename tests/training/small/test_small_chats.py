"""What the small model learns from: short prompts, and texts that somebody has to compose."""

import json

from collectors.context import RenderedContext
from function_pool.spec import Meaning, default_pool
from heed.language import Language
from models.perceptor.perceptor import shipped_card
from models.prompt import PromptText
from training.reader.contexts import load_contexts
from training.small.chats import answer_of, tasks
from training.small.parameters import written_part
from training.small.prompt import small_prompt

POOL = default_pool()
SAID = RenderedContext(
    profile="Ann, 34, a nurse in Leeds.",
    phone="Tue 09:10; battery 64 %; Wi-Fi; SMS from Tom: 'where are you?'",
    world="Rain until noon.",
    trace=("08:50 the bus stands still", "09:05 reads Tom's message"),
)


def text(said: RenderedContext, function: str = "send_sms") -> str:
    (part,) = small_prompt(POOL.get(function), said).user
    assert isinstance(part, PromptText)
    return part.text


def test_the_prompt_has_the_signature_and_the_moment() -> None:
    words = text(SAID)
    assert words.startswith("send_sms(recipient")
    assert "where are you?" in words
    assert words.endswith("09:05 reads Tom's message")


def test_the_phones_state_is_for_functions_of_the_device() -> None:
    assert "battery" not in text(SAID)
    assert "battery" in text(SAID, "set_display")


def test_a_long_moment_is_trimmed_and_keeps_the_latest_steps() -> None:
    long = "the quick brown fox jumps over lazy dogs " * 200
    words = text(
        SAID.model_copy(update={"profile": long, "world": long, "phone": long, "trace": (long, SAID.trace[-1])})
    )
    assert len(words) < 2000
    assert words.endswith(SAID.trace[-1])


def test_only_parameters_of_the_table_are_asked_for() -> None:
    part = written_part(POOL.get("send_sms"), Language.EN)
    assert part is not None
    assert list(part.parameters) == ["content"]
    assert written_part(POOL.get("set_alarm"), Language.EN) is None


def test_the_table_names_texts_of_the_pool() -> None:
    for spec in POOL:
        part = written_part(spec, Language.EN)
        for parameter in part.parameters.values() if part else ():
            assert parameter.meaning is Meaning.TEXT
            assert parameter.required


def test_no_writer_is_learned_from_and_held_out() -> None:
    hands = {(one.said.profile, one.hand in shipped_card().held_out) for one in load_contexts()}
    learned, kept = (list(tasks(Language.EN, held_out=held_out)) for held_out in (False, True))
    assert all((task.said.profile, False) in hands for task in learned)
    assert all((task.said.profile, True) in hands for task in kept)
    assert len(learned) > 5 * len(kept) > 500


def test_an_answer_is_a_call_in_the_wire_format() -> None:
    task = next(tasks(Language.EN))
    body = answer_of(task).removeprefix("<function>").removesuffix("</function>")
    (call,) = json.loads(body)["model_recommendation"]
    assert call == {"name": task.spec.name, "parameters": dict(task.arguments)}
