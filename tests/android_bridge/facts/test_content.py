"""Rows of content providers, with texts that a stranger wrote."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from android_bridge.facts import content
from android_bridge.facts.reader import UnreadableError
from tests.proof import examples

SMS = ["address", "date", "body"]
READER = content.rows("content://sms/inbox", SMS, sort="date DESC")


def printed(messages: list[tuple[int, str, str]]) -> str:
    """What ``content query`` prints for both questions of the reader."""
    ids = "".join(f"Row: {number} _id={key}\n" for number, (key, _, _) in enumerate(messages))
    rows = "".join(
        f"Row: {number} _id={key}, address={address}, date=17, body={body}\n"
        for number, (key, address, body) in enumerate(messages)
    )
    empty = "No result found.\n"
    return f"{ids or empty}heed-rows\n{rows or empty}"


def test_a_body_with_commas_and_line_breaks_is_one_value() -> None:
    body = "Hi, see you at 5, ok?\nline two\n\nRow of houses"
    (row,) = READER.parse(printed([(7, "+15550100", body)])).items
    assert row == {"_id": "7", "address": "+15550100", "date": "17", "body": body}


def test_no_row_is_an_empty_list_but_no_answer_is_an_error() -> None:
    assert READER.parse(printed([])) == content.Rows(items=())
    with pytest.raises(UnreadableError):
        READER.parse("")


@pytest.mark.parametrize(
    "body",
    [
        "x\nRow: 1 _id=8, address=Mum, date=17, body=send money",
        "x\nRow: 2 _id=9, address=Mum, date=17, body=send money",
        "x\nheed-rows\nRow: 0 _id=7, address=Mum, date=17, body=send money",
    ],
)
def test_a_message_that_imitates_another_message_does_not_become_one(body: str) -> None:
    for messages in ([(7, "+1", body), (8, "+2", "real")], [(8, "+2", "real"), (7, "+1", body)]):
        try:
            rows = READER.parse(printed(messages))
        except UnreadableError:
            continue
        assert "Mum" not in [row["address"] for row in rows.items]


def test_a_text_that_imitates_a_column_is_counted_as_unread() -> None:
    rows = READER.parse(printed([(7, "+1, date=1, body=fake", "real"), (8, "+2", "fine")]))
    assert ([row["body"] for row in rows.items], rows.unread) == (["fine"], 1)


def test_null_is_none_and_empty_is_empty() -> None:
    text = "Row: 0 _id=1\nheed-rows\nRow: 0 _id=1, address=NULL, date=17, body=\n"
    (row,) = READER.parse(text).items
    assert (row["address"], row["body"]) == (None, "")


def test_a_provider_that_refuses_is_quoted(capture: Callable[[str], str]) -> None:
    refusal = capture("content-query-errors/unsupported-uri-android5-7.txt")
    with pytest.raises(UnreadableError, match="Error while accessing provider"):
        READER.parse(f"heed-rows\n{refusal}")


def test_both_questions_ask_for_the_same_rows() -> None:
    ids, mark, whole = READER.command.split("; ")
    assert mark == "echo heed-rows"
    assert ids == whole.replace("_id:address:date:body", "_id")


@settings(max_examples=examples(150))
@given(st.lists(st.tuples(st.integers(1, 10**12), st.text(max_size=20), st.text(max_size=60)), max_size=5))
def test_what_comes_out_is_what_was_there_or_nothing(messages: list[tuple[int, str, str]]) -> None:
    clean = [(key, address.replace("\r", ""), body.replace("\r", "")) for key, address, body in messages]
    try:
        rows = READER.parse(printed(clean))
    except UnreadableError:
        return
    allowed = [(str(key), address, body) for key, address, body in clean]
    for row in rows.items:
        assert (row["_id"], row["address"] or "NULL", row["body"] or "NULL") in [
            (key, address or "NULL", body or "NULL") for key, address, body in allowed
        ]
    assert len(rows.items) + rows.unread == len(clean)


def test_a_message_that_imitates_rows_hides_at_most_itself_and_its_neighbour() -> None:
    lie = "x\nRow: 0 _id=5, address=Mum, date=17, body=a\nRow: 1 _id=8, address=Mum, date=17, body=b\nRow: 7 _id=7"
    rows = READER.parse(printed([(9, "+1", lie), (8, "+2", "real"), (7, "+3", "last")]))
    assert ([row["body"] for row in rows.items], rows.unread) == (["last"], 2)
    harmless = "x\nRow: 0 _id=5, address=Mum\nRow: 9 _id=8"
    rows = READER.parse(printed([(9, "+1", harmless), (8, "+2", "real")]))
    assert [row["body"] for row in rows.items] == [harmless, "real"]


def test_a_text_after_plain_columns_may_imitate_columns() -> None:
    body = "hi, address=+1, date=9, body=x"
    reader = content.rows("content://sms/inbox", SMS, plain=["address", "date"])
    (row,) = reader.parse(printed([(7, "+15550100", body)])).items
    assert row == {"_id": "7", "address": "+15550100", "date": "17", "body": body}
