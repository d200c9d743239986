"""What reaches the phone's shell is exactly what was meant: checked with a real POSIX shell."""

import subprocess
from collections.abc import Callable
from typing import get_args

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from android_bridge import commands
from android_bridge.commands import Long, Uri
from heed.errors import Bug, UsageError
from tests.proof import examples

# What a person, a model or a stranger may have written; a lone surrogate and NUL are refused elsewhere.
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=60)
NASTY = 'a\'; echo $(id) `id` "$HOME" --es x -n y && :; 你好 🙂\n\t\\'


def words_seen_by_the_phone(line: str) -> list[str]:
    """Run ``line`` in a real shell in which the first word prints its arguments."""
    command = line.split(" ", 1)[0]
    script = f'{command}() {{ printf "%s\\0" "$@"; }}\n{line}'
    output = subprocess.run(["sh", "-c", script], capture_output=True, check=True, timeout=20).stdout
    return [command, *output.decode().split("\0")[:-1]]


def after(flag: str, words: list[str]) -> str:
    return words[words.index(flag) + 1]


@settings(max_examples=examples(60))
@given(TEXT)
@example(NASTY)
def test_a_quoted_value_arrives_as_one_unchanged_word(value: str) -> None:
    assert words_seen_by_the_phone(f"am {commands.quote(value)}") == ["am", value]


@settings(max_examples=examples(60))
@given(TEXT, TEXT)
@example(NASTY, "--user")
def test_an_intent_carries_its_extras_and_no_flag_of_their_making(title: str, note: str) -> None:
    line = commands.am_start(action="android.intent.action.INSERT", extras={"title": title, "description": note})
    assert words_seen_by_the_phone(line) == [
        *("am", "start", "-W", "-a", "android.intent.action.INSERT"),
        *("--es", "title", title, "--es", "description", note),
    ]


@settings(max_examples=examples(60))
@given(TEXT)
@example(NASTY)
def test_a_value_cannot_leave_its_part_of_a_uri(value: str) -> None:
    words = words_seen_by_the_phone(commands.am_start(data=f"geo:0,0?q={commands.encode(value)}&z=3"))
    query = after("-d", words).removeprefix("geo:0,0?q=").removesuffix("&z=3")
    assert not set(query) & set("&#?/ '\"")


@settings(max_examples=examples(60))
@given(TEXT)
@example(NASTY)
def test_a_bound_column_keeps_its_type_and_text(value: str) -> None:
    line = commands.content_insert("content://com.android.contacts/data", {"data1": value})
    assert after("--bind", words_seen_by_the_phone(line)) == f"data1:s:{value}"


def test_extras_are_typed_by_their_python_type() -> None:
    line = commands.am_start(
        action="a.b",
        extras={
            "flag": True,
            "hour": 7,
            "beginTime": Long(1),
            "factor": 1.5,
            "days": [2, 3],
            "to": ["a,b", "c"],
            "stream": Uri("content://media/external/file/7"),
        },
    )
    words = words_seen_by_the_phone(line)[5:]
    assert [tuple(words[at : at + 3]) for at in range(0, len(words), 3)] == [
        ("--ez", "flag", "true"),
        ("--ei", "hour", "7"),
        ("--el", "beginTime", "1"),
        ("--ef", "factor", "1.5"),
        ("--eial", "days", "2,3"),
        ("--esa", "to", r"a\,b,c"),
        ("--eu", "stream", "content://media/external/file/7"),
    ]


def test_columns_are_bound_with_the_smallest_type_that_holds_them() -> None:
    values = {"id": 3, "when": 2**40, "done": False, "account": None, "ratio": 0.5}
    line = commands.content_update("content://x/rows/3", values)
    bound = [word for word in words_seen_by_the_phone(line) if word.count(":") == 2 and "//" not in word]
    assert bound == ["id:i:3", f"when:l:{2**40}", "done:b:false", "account:n:", "ratio:d:0.5"]


def test_a_query_names_its_columns_condition_and_arguments() -> None:
    line = commands.content_query(
        "content://media/external/file",
        ["_id", "_display_name"],
        where=commands.sql_like("_display_name", "100%_o'neill"),
        sort="date_added DESC",
        extras={"android:query-arg-match-trashed": 3},
    )
    words = words_seen_by_the_phone(line)
    assert after("--projection", words) == "_id:_display_name"
    assert after("--where", words) == r"_display_name LIKE '%100\%\_o''neill%' ESCAPE '\'"
    assert after("--sort", words) == "date_added DESC"
    assert after("--extra", words) == r"android\:query-arg-match-trashed:i:3"


@pytest.mark.parametrize(
    "uri",
    [
        *("intent:#Intent;end", "file:///sdcard/a", "javascript:alert(1)", "data:text/html,x", "no scheme", "-n"),
        *("tel:*%2306%23", "tel:**21*5550100%23", "TEL:%2A", "smsto:#1"),
    ],
)
def test_an_address_that_could_do_more_than_open_a_page_is_refused(uri: str) -> None:
    with pytest.raises(UsageError):
        commands.am_start(data=uri)


@pytest.mark.parametrize("value", ["a\0b", "x" * (commands.MAX_VALUE + 1), "\ud800"])
def test_a_value_that_no_phone_can_take_is_refused(value: str) -> None:
    for build in (commands.quote, commands.encode, commands.sql_text):
        with pytest.raises(UsageError):
            build(value)


@pytest.mark.parametrize("token", ["x y", "a;b", "-n", "", "a'b", "a\nb", "ä"])
def test_a_word_that_must_be_ours_is_checked_against_its_grammar(token: str) -> None:
    builds: list[Callable[[], object]] = [
        lambda: commands.am_start(action=token or " "),
        lambda: commands.am_start(package=token or " "),
        lambda: commands.am_start(component=token or " "),
        lambda: commands.settings_get("global", token),
        lambda: commands.content_query(f"content://x/{token} ", []),
        lambda: commands.content_query("content://x/y", [token]),
        lambda: commands.content_insert("content://x/y", {token: 1}),
    ]
    for build in builds:
        with pytest.raises(Bug):
            build()


def test_settings_are_read_written_and_forgotten() -> None:
    assert commands.settings_get("secure", "ui_night_mode") == "settings get secure ui_night_mode"
    assert commands.settings_put("system", "font_scale", 1.3) == "settings put system font_scale 1.3"
    assert words_seen_by_the_phone(commands.settings_put("global", "k", "a b'c"))[-1] == "a b'c"
    assert commands.settings_delete("global", "k") == "settings delete global k"
    assert set(get_args(commands.Namespace)) == {"system", "secure", "global"}


def test_two_leading_dashes_are_refused_where_the_phones_tools_would_read_a_flag() -> None:
    with pytest.raises(UsageError):
        commands.settings_put("global", "k", "--user")
    with pytest.raises(UsageError):
        commands.content_call("content://media", "scan_file", "--x")


def test_a_change_of_all_rows_at_once_cannot_be_written() -> None:
    with pytest.raises(Bug):
        commands.content_delete("content://sms")
    with pytest.raises(Bug):
        commands.content_update("content://media/external/file", {"is_trashed": 1})
    assert commands.content_delete("content://sms/7") == "content delete --uri content://sms/7"


def test_a_long_text_in_chinese_fits_a_uri_although_encoding_makes_it_nine_times_longer() -> None:
    text = "你" * 1500
    assert commands.encode(text) in commands.am_start(data=f"mailto:a%40b.c?body={commands.encode(text)}")
