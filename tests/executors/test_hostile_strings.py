"""2,000 hostile strings through each quoting and address builder: each arrives as one value, or is refused."""

import json
import random
import shlex
import subprocess
from collections.abc import Callable, Iterator
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from android_bridge.commands import (
    Uri,
    am_start,
    content_call,
    content_insert,
    content_query,
    content_update,
    encode,
    quote,
    resolve_activity,
    settings_put,
    sql_like,
    sql_text,
)
from executors.builtin.mail import ComposeEmail
from executors.pages import Page, fill
from function_pool.call import FunctionCall
from heed.errors import UsageError
from heed.unicode import valid_text
from tests.executors.test_injection import HOSTILE

_PIECES = (
    *(
        "'",
        '"',
        "`",
        "$(pwned)",
        "${IFS}",
        "$raw_contact",
        "\\",
        "\n",
        "\r\n",
        "\t",
        ";",
        "|",
        "&",
        "&&",
        ">",
        "<",
        "(",
        ")",
    ),
    *(
        "--es a b",
        "--uri content://sms",
        "-n a/.b",
        "-d tel:1",
        "--",
        "-",
        "intent:#Intent;end",
        "file:///etc",
        "%00",
        "%27",
    ),
    *(
        "?",
        "#",
        "=",
        "&x=1",
        "/../",
        "{keyword}",
        "%s",
        "{0}",
        "*",
        "!",
        "~",
        "你好",
        "🙂",
        "\u202e",
        "\u200b",
        "é",
        " ",
        "a",
        "0",
    ),
    *(",", ":", "\\,", "a:s:b", "' OR '1'='1", "%", "_", "NULL", "Row: 0 _id=1", "\x1b[2J", "\x7f"),
)


def strings(count: int = 2000) -> list[str]:
    """The named ones and random mixtures; the same every time."""
    chance = random.Random(20260206)
    mixed = ["".join(chance.choices(_PIECES, k=chance.randint(1, 12))) for _ in range(count - len(HOSTILE))]
    return [*HOSTILE, *mixed]


STRINGS = strings()


def taken(build: Callable[[str], str]) -> Iterator[tuple[str, list[str]]]:
    """Each string that the builder takes, with the words of the line that it built."""
    refused = 0
    for text in STRINGS:
        try:
            line = build(text)
        except UsageError as error:
            assert error.message
            refused += 1
        else:
            yield text.replace("\r\n", "\n").replace("\r", "\n"), shlex.split(line)
    assert refused < 300


def test_there_are_two_thousand() -> None:
    assert len(STRINGS) == 2000


WORDS: dict[str, tuple[Callable[[str], str], list[str], Callable[[str], str]]] = {
    "quote": (lambda text: f"echo {quote(text)}", ["echo"], lambda text: text),
    "an extra": (
        lambda text: am_start(action="a.B", extras={"x": text}),
        ["am", "start", "-W", "-a", "a.B", "--es", "x"],
        lambda text: text,
    ),
    "a list of extras": (
        lambda text: am_start(action="a.B", extras={"x": [text]}),
        ["am", "start", "-W", "-a", "a.B", "--esa", "x"],
        lambda text: text.replace(",", "\\,"),
    ),
    "a column": (
        lambda text: content_insert("content://a/b", {"c": text}),
        ["content", "insert", "--uri", "content://a/b", "--bind"],
        lambda text: f"c:s:{text}",
    ),
    "an updated column": (
        lambda text: content_update("content://a/b/1", {"c": text}),
        ["content", "update", "--uri", "content://a/b/1", "--bind"],
        lambda text: f"c:s:{text}",
    ),
    "a condition": (
        lambda text: content_query("content://a/b", ["c"], where=f"c={sql_text(text)}"),
        ["content", "query", "--uri", "content://a/b", "--projection", "c", "--where"],
        lambda text: f"c='{text.replace(chr(39), chr(39) * 2)}'",
    ),
    "a method's argument": (
        lambda text: content_call("content://a", "m", text),
        ["content", "call", "--uri", "content://a", "--method", "m", "--arg"],
        lambda text: text,
    ),
    "a setting": (
        lambda text: settings_put("system", "k", text),
        ["settings", "put", "system", "k"],
        lambda text: text,
    ),
}


@pytest.mark.parametrize("builder", WORDS)
def test_each_is_one_word_in_its_own_place(builder: str) -> None:
    build, before, written = WORDS[builder]
    for text, words in taken(build):
        if words != before:  # an empty argument of a method is left out
            assert words == [*before, written(text)]


def test_a_real_shell_reads_them_as_they_are() -> None:
    texts = [text for text in STRINGS if "\0" not in text and len(text) < 2000 and text.isprintable()]
    line = "printf '%s\\n' " + " ".join(quote(text) for text in texts)
    printed = subprocess.run(["sh", "-c", line], capture_output=True, check=True).stdout.decode()
    assert printed.splitlines() == [piece for text in texts for piece in text.splitlines() or [""]]


def test_each_is_one_component_of_an_address() -> None:
    for text in STRINGS:
        try:
            encoded = encode(text)
        except UsageError:
            continue
        assert encoded.isascii()
        assert not set(encoded) & set("&#?=/:;'\"\\ \n$`()<>|,@+")
        assert unquote(encoded) == text
        parts = urlsplit(f"app://host/search?q={encoded}&dev=0")
        assert parts.netloc == "host" and parts.path == "/search" and parts.fragment == ""
        assert parse_qs(parts.query, keep_blank_values=True) == {"q": [text], "dev": ["0"]}


def test_each_fills_a_page_of_the_table_and_nothing_else() -> None:
    page = Page(
        app="JD", uri="openapp.jdmobile://virtual?params={object}", object={"keyWord": "{keyword}"}, source="S10"
    )
    for text in STRINGS:
        try:
            address = fill(page, page.uri, {"keyword": text})
        except UsageError:
            continue
        (filled,) = parse_qs(urlsplit(address).query)["params"]
        assert json.loads(filled) == {"keyWord": text}
        for line in (am_start(data=address, action="a.V"), resolve_activity(action="a.V", data=address)):
            words = shlex.split(line)
            assert words[words.index("-d") + 1] == address


def test_each_is_one_field_of_a_mail_address() -> None:
    for text in STRINGS:
        given = {"to": ["a@example.com"], "subject": text, "body": text}
        try:
            address = ComposeEmail.address(FunctionCall(name="compose_email", parameters=given))
        except UsageError:
            continue
        sent = valid_text(text)  # half a character becomes a replacement character
        assert parse_qs(urlsplit(address).query, keep_blank_values=True) == {"subject": [sent], "body": [sent]}


def test_each_matches_only_itself_in_sql() -> None:
    import sqlite3

    connection = sqlite3.connect(":memory:")
    for text in STRINGS:
        try:
            exact, part = sql_text(text), sql_like("c", text)
        except UsageError:
            continue
        assert connection.execute(f"SELECT {exact}").fetchone() == (text,)
        holds = connection.execute(f"SELECT 1 FROM (SELECT ? AS c) WHERE {part}", (f"<{text}>",)).fetchone()
        assert holds == (1,)
        assert connection.execute(f"SELECT 1 FROM (SELECT 'other text' AS c) WHERE {part}").fetchone() is None or (
            text in "other text"
        )


@pytest.mark.parametrize(
    "address", ["intent:#Intent;end", "file:///sdcard/a", "javascript:1", "data:text/html,x", "tel:*%2306#"]
)
def test_addresses_that_carry_more_than_a_page_are_refused(address: str) -> None:
    with pytest.raises(UsageError, match=r"not an address|code for the network"):
        am_start(action="a.V", data=address)
    with pytest.raises(UsageError):
        am_start(action="a.V", extras={"x": Uri(address)})
