"""Whose number it is, and who is meant."""

import pytest

from android_bridge.phone_numbers import same_number
from collectors.contacts import Contact, contact_by_number, mentioned

BOB = Contact("Bob Li", ("555-0100", "+86 139 0000 1024"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("+86 139-0000-1024", "13900001024"),
        ("0086 13900001024", "139 0000 1024"),
        ("(020) 7946 0018", "+44 20 7946 0018"),
        ("555-0100", "5550100"),
        ("10086", "10086"),
    ],
)
def test_the_same_number_written_differently(one: str, other: str) -> None:
    assert same_number(one, other) and same_number(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [("5550199", "5550100"), ("95533", "1095533"), ("", ""), ("BANK", "BANK"), ("13900001024", "13900001025")],
)
def test_other_numbers_are_others(one: str, other: str) -> None:
    assert not same_number(one, other)


def test_a_number_names_its_contact() -> None:
    assert contact_by_number([BOB], "139 0000 1024") == BOB
    assert contact_by_number([BOB], "5550199") is None


@pytest.mark.parametrize("text", ["hi, this is Bob, my new number", "BOB here", "Bob Li says hi", "it's bob."])
def test_a_contact_is_mentioned_by_first_or_whole_name(text: str) -> None:
    assert mentioned(BOB, text)


@pytest.mark.parametrize("text", ["bobsled season", "hello", "", "the Li family"])
def test_a_part_of_a_word_mentions_nobody(text: str) -> None:
    assert not mentioned(BOB, text)


def test_a_chinese_name_is_found_inside_a_sentence() -> None:
    assert mentioned(Contact("王小雨", ("1",)), "我是王小雨，这是我的新号码")
    assert not mentioned(Contact("王", ("1",)), "我是王小雨")
