"""Names in messages: who wrote, who is called on, who introduces themselves."""

import pytest

from models.values import contacts
from models.values.incoming import IncomingText


def text(said: str, sender: str) -> IncomingText:
    return IncomingText(app="com.whatsapp", sender=sender, known=True, text=said)


@pytest.mark.parametrize(
    ("sender", "said", "name"),
    [
        ("Flat 3 🐀", "Ximena: yours is 31.70 this month", "Ximena"),
        ("Deer camp", "Duane: chips in for the ground rent", "Duane"),
        ("周末轮子🚴", "老毕：中午鱼头锅一人92", "老毕"),
        ("Sook Mun", "Reminder: 20 for the court", "Sook Mun"),
        ("Anna", "note: bring the keys", "Anna"),
        ("Anna Lee", "Anna: this is my bot test", "Anna Lee"),
    ],
)
def test_in_a_group_the_writer_stands_before_the_text(sender: str, said: str, name: str) -> None:
    assert contacts.sender_name(text(said, sender)) == name


@pytest.mark.parametrize(
    ("name", "said", "called"),
    [
        ("Kenz", "Yo Kenz rent goes thru me now, 615", True),
        ("小姜", "小姜 三月租金该打了", True),
        ("莉莉", "昊昊妈妈：莉莉，班费80你转我就行", True),
        ("Bhavini", "u owe Bhavini 15 for the stuff", False),
        ("", "anything", False),
    ],
)
def test_whom_a_text_begins_with_is_called_on(name: str, said: str, called: bool) -> None:
    assert contacts.is_addressed(name, said) is called


@pytest.mark.parametrize(
    ("span", "said", "name"),
    [
        ("Wes, Anders", "Hey it's Wes, Anders gave me your number", "Wes"),
        ("Tess, Rhonda Savage", "Hi Tess, Rhonda Savage from Fond du Lac. New cell", "Rhonda Savage"),
        ("Michelle (Zayn", "Michelle (Zayn's mum): new number", "Michelle"),
        ("药师你好 我是鲁班路社区卫生站的蓝护士", "段药师你好 我是鲁班路社区卫生站的蓝护士", "蓝护士"),
        ("小寸，昌平路这片都归我", "我是收件员小寸，昌平路这片都归我", "小寸"),
    ],
)
def test_of_a_span_that_runs_on_the_name_is_kept(span: str, said: str, name: str) -> None:
    assert contacts.introduced(span, said) == name
