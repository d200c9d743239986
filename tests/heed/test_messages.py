"""Messages are data that can be shown in any language, and the catalogue is complete and up to date."""

import ast
import re
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heed.errors import UsageError
from heed.language import Language
from heed.messages import Message, clauses, message_of, msg, restored, sentences, stored, translate
from tools import messages

ROOT = Path(__file__).parents[2]
CATALOGUE = messages.read("zh")
ENTRIES = [entry for entry in CATALOGUE if entry.id]
ENGLISH = re.compile(
    r"\b(?:the|is|are|was|of|for|to|not|that|which|with|and|it|cannot|been|no|so|by|in)\b", re.IGNORECASE
)
"""Words that stand in every English sentence, and in no name of a command, a setting or a product."""
QUOTED = re.compile(r"`[^`]*`|\{[^}]*\}|\[/?\w*\]|\S*[-_]\S*")
"""Commands, placeholders, markup and code names: the same in every language."""
EN, ZH = Language.EN, Language.ZH


def ids(entry: object) -> str | tuple[str, ...]:
    return getattr(entry, "id", "")


def fields(template: str) -> set[tuple[str, str, str]]:
    return {
        (name, spec or "", conversion or "")
        for _, name, spec, conversion in string.Formatter().parse(template)
        if name is not None
    }


def test_the_catalogue_holds_exactly_the_messages_of_the_code() -> None:
    assert {ids(entry) for entry in ENTRIES} == {ids(entry) for entry in messages.template() if entry.id}, (
        "run `make messages`"
    )


def test_every_message_is_translated() -> None:
    assert [entry.id for entry in ENTRIES if not entry.string or entry.fuzzy] == []


def test_no_translation_holds_english() -> None:
    assert [entry.string for entry in ENTRIES if ENGLISH.search(QUOTED.sub("", str(entry.string)))] == []


def test_a_sentence_is_not_its_own_translation() -> None:
    same = [entry.id for entry in ENTRIES if entry.id == entry.string and ENGLISH.search(QUOTED.sub("", str(entry.id)))]
    assert same == []


def test_a_translation_has_the_placeholders_of_its_english() -> None:
    assert [entry.id for entry in ENTRIES if fields(str(entry.id)) != fields(str(entry.string))] == []


def test_nothing_obsolete_is_kept() -> None:
    assert not CATALOGUE.obsolete


def test_the_compiled_catalogue_is_that_of_the_text() -> None:
    assert messages.path("zh").with_suffix(".mo").read_bytes() == messages.compiled(CATALOGUE), "run `make messages`"


def test_every_error_of_ours_is_raised_with_a_message() -> None:
    plain = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for room in (*messages.ROOMS[:-1],)
        for path in (ROOT / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and _has_plain_text(node.exc)
    ]
    assert plain == []


OURS = re.compile(
    r"(?:Usage|Person|NoDevice|Device|DeviceLost|Model|Declined|Refused|OutOfReach|Host|Unavailable)Error"
)


def _has_plain_text(call: ast.Call) -> bool:
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    return bool(OURS.fullmatch(name)) and any(
        isinstance(argument, ast.JoinedStr) or (isinstance(argument, ast.Constant) and argument.value)
        for argument in call.args
    )


def test_a_message_is_shown_in_either_language() -> None:
    message = msg("There is no phone {serial!r}.", serial="x")
    assert str(message) == "There is no phone 'x'."
    assert translate(message, ZH) == "没有手机 'x'。"
    assert translate("a plain text", ZH) == "a plain text"


def test_values_that_are_messages_errors_or_lists_are_translated_too() -> None:
    error = UsageError(msg("No phone is connected."), msg("Reconnect it."))
    whole = msg("Whether {function} took effect is not known: {reason}", function="set_display", reason=error)
    assert str(whole) == "Whether set_display took effect is not known: No phone is connected. Reconnect it."
    assert translate(whole, ZH) == "不知道 set_display 是否生效：没有连接手机。请重新连接。"
    assert translate(msg("adb lists: {known}.", known=["a", "b"]), ZH) == "adb 列出：a、b。"
    assert translate(msg("adb lists: {known}.", known=[] or msg("none")), ZH) == "adb 列出：无。"


def test_sentences_and_faults_are_joined_as_the_language_does() -> None:
    two = sentences(msg("No phone is connected."), "", msg("Reconnect it."))
    assert str(two) == "No phone is connected. Reconnect it."
    assert translate(two, ZH) == "没有连接手机。请重新连接。"
    assert translate(clauses([msg("is required"), msg("is required")]), ZH) == "为必填；为必填"


def test_the_message_of_an_error_is_found_wherever_it_is_kept() -> None:
    message = msg("is required")
    assert message_of(ValueError(message)) == message
    assert message_of(UsageError(message)) == message
    assert message_of(ValueError("plain")) == "plain"


def test_a_stored_message_is_read_in_another_language_and_an_old_text_as_it_is() -> None:
    message = msg("adb lists: {known}.", known=[msg("none"), "b"])
    assert restored(stored(message)) == message
    assert restored("it was done just now") == "it was done just now"
    assert restored('{"template": broken') == '{"template": broken'


def test_a_stored_template_reaches_no_attributes_and_survives_a_changed_translation() -> None:
    hostile = Message(template="{x.__class__}", values={"x": "a"})
    with pytest.raises(KeyError):
        translate(hostile, ZH)


@given(st.dictionaries(st.from_regex("[a-z]{1,5}", fullmatch=True), st.text() | st.integers() | st.none()))
def test_any_values_survive_storage(values: dict[str, str | int | None]) -> None:
    message = msg("x", **values)
    assert restored(stored(message)) == message
