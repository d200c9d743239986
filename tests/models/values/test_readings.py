"""Amounts, durations, numbers, codes, names and titles."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heed.language import Language
from models.values import amounts, codes, contacts, numbers, titles
from models.values.folding import fold, locate
from models.values.incoming import IncomingText
from models.values.languages import spoken


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        ("£38.50", "38.50"),
        ("Rs 1,184.00", "1184.00"),
        ("1,18,400 rs", "118400"),
        ("86块8", "86.8"),
        ("2,346.80", "2346.80"),
        ("六十块", "60"),
        ("about 45 quid", "45"),
        ("no sum", None),
    ],
)
def test_amounts_are_digits(span: str, expected: str | None) -> None:
    assert amounts.amount(span) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Your bill for account 4471 902 663 is £84.20 and is due by 30 June 2026", "84.20"),
        ("户号1120458837,剩余6.42元,应缴120元", "120"),
        ("bring 3 chairs at 8.30", None),
    ],
)
def test_only_sums_with_a_currency_stand_out(text: str, expected: str | None) -> None:
    assert amounts.marked_amount(text) == expected


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("35 mins", 2100),
        ("in 35 minutes", 2100),
        ("an hour and a half", 5400),
        ("half an hour", 1800),
        ("1h 20m", 4800),
        ("90 secs", 90),
        ("四十分钟", 2400),
        ("一个半小时", 5400),
        ("半小时", 1800),
        ("一刻钟", 900),
        ("soon", None),
    ],
)
def test_durations_are_seconds(text: str, seconds: int | None) -> None:
    assert amounts.seconds(text) == seconds


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("table for 8", 8),
        ("9 of us", 9),
        ("us 2", 2),
        ("六个人", 6),
        ("两张票", 2),
        ("at 7 for 2", 2),
        ("for 8pm", None),
    ],
)
def test_people_are_counted(text: str, expected: int | None) -> None:
    assert amounts.people(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("二十五", 25), ("一百二", 120), ("两千零五", 2005), ("十", 10), ("三万五", 35000), ("12", 12)],
)
def test_chinese_numbers_are_read(text: str, expected: int) -> None:
    assert numbers.chinese_number(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("They're on (02) 5550 7188.", "(02) 5550 7188"),
        ("打13066215508，老号不用", "13066215508"),
        ("+44 7700 900355 tell her", "+44 7700 900355"),
        ("order 12", None),
    ],
)
def test_phone_numbers_are_found(text: str, expected: str | None) -> None:
    assert contacts.phone(text) == expected


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        ("its Dave", "Dave"),
        ("call Poonam from", "Poonam"),
        ("my sister's", "sister"),
        ("Tony", "Tony"),
        ("给小雅", "小雅"),
        ("Dan (hubby)", "Dan"),
        ("!", None),
    ],
)
def test_a_span_is_trimmed_to_the_name(span: str, expected: str | None) -> None:
    assert contacts.person(span) == expected


@pytest.mark.parametrize(
    ("sender", "text", "expected"),
    [
        ("Dave Plumber", "can do thurs", "Dave Plumber"),
        ("+44 7700 900222", "Hi its Dave the plumber", None),
        ("+44 7700 900222", "Hi, this is Dave from the garage", "Dave"),
        ("U11 Parents", "Coach Mo: pitch change", "Coach Mo"),
        ("U11 Parents", "pitch change", None),
        ("四(1)班家长群", "张老师:春游定了", "张老师"),
    ],
)
def test_the_writer_of_a_message_is_named_only_where_plain(sender: str, text: str, expected: str | None) -> None:
    assert contacts.sender_name(IncomingText(app="com.whatsapp", sender=sender, text=text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("顺丰 SF1408827719365 你查查", "SF1408827719365"),
        ("its Tracked 24 number is QK482219075GB can you", "QK482219075GB"),
        ("waybill 4082276159, est.", "4082276159"),
        ("ring 0113 496", None),
    ],
)
def test_parcel_numbers_are_found(text: str, expected: str | None) -> None:
    assert codes.tracking_number(text) == expected


@pytest.mark.parametrize(
    ("text", "meeting", "password"),
    [
        ("zoom id 845 2210 7734 passcode bump26, quick", "84522107734", "bump26"),
        ("会议号 615-482-907 密码 3391 没进的赶紧", "615-482-907", "3391"),
        ("see you there", None, None),
    ],
)
def test_meeting_numbers_and_passwords_are_found(text: str, meeting: str | None, password: str | None) -> None:
    assert codes.meeting_id(text) == meeting
    assert codes.password(text) == password


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("wifi here is PaulineGuest and password is teapot1962", "PaulineGuest"),
        ("家里新换的wifi:shaxia_5G 密码 aa1881502", "shaxia_5G"),
        ("the wifi is down", None),
    ],
)
def test_networks_are_found(text: str, expected: str | None) -> None:
    assert codes.network(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("您尾号3321的信用卡", "3321"),
        ("account 4471 902 663 is", "4471 902 663"),
        ("小型汽车粤B7K4Q2于", "粤B7K4Q2"),
        ("your bill is ready", None),
    ],
)
def test_accounts_are_found(text: str, expected: str | None) -> None:
    assert codes.account(text) == expected


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Buenas tardes, la llave está en la caja", "Spanish"),
        ("Ciao bella, domani alle 7", "Italian"),
        ("안녕하세요", "Korean"),
        ("Bitte schick mir die Unterlagen", "German"),
        ("ok", None),
    ],
)
def test_the_language_of_a_text_is_named(text: str, name: str | None) -> None:
    assert spoken(text, Language.EN) == name
    assert (spoken(text, Language.ZH) is None) == (name is None)


def test_titles_say_what_and_with_whom() -> None:
    text = IncomingText(app="sms", sender="Dave", text="can do thurs 8.30 for the boiler")
    assert titles.title("the boiler", text, "Dave") == "Boiler (Dave)"
    assert titles.title("boiler with Dave", text, "Dave") == "Boiler with Dave"
    assert titles.event(IncomingText(app="sms", text="豆豆妈妈 这周五下午三点半开家长会")) == "家长会"


def test_articles_are_cut_only_as_words() -> None:
    assert titles.cleaned(" the activation, ") == "activation"
    assert titles.cleaned("activate your card") == "activate your card"


def test_folded_texts_keep_their_offsets() -> None:
    text = "ＡＢＣ　５月１４日 ﬁne İstanbul"
    assert len(fold(text)) == len(text)
    assert locate("5月14日", text) == (4, 9)


@given(st.text(max_size=200))
def test_any_text_is_read_without_an_error(text: str) -> None:
    message = IncomingText(app="mail", sender=text[:20], title=text[:30], text=text)
    for read in (
        amounts.amount,
        amounts.marked_amount,
        amounts.seconds,
        amounts.people,
        numbers.whole,
        codes.code,
        codes.tracking_number,
        codes.account,
        codes.network,
        codes.password,
        contacts.phone,
        contacts.person,
        titles.cleaned,
        titles.quoted,
        titles.address,
    ):
        read(text)
    contacts.sender_name(message)
    titles.content("", message)


@pytest.mark.parametrize(
    ("span", "text", "stated"),
    [
        ("89", "paid 89 PLN at the till", "89 PLN"),
        ("180", "CHF 180 for the lift", "CHF 180"),
        ("486.00元", "合计486.00元", "486.00元"),
        ("232，每人58", "一共232，每人58", "58"),
        ("18 400", "total 18 400 Ft", "18 400 Ft"),
        ("£1,250.50", "the rent is £1,250.50 now", "£1,250.50"),
        ("four hundred", "four hundred each", None),
        ("", "", None),
    ],
)
def test_a_sum_is_read_with_its_currency_as_it_stands(span: str, text: str, stated: str | None) -> None:
    assert amounts.as_stated(span, text) == stated
