"""Time expressions of two languages and many regions, read on a Tuesday afternoon."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.values.times import read_span, read_text
from models.values.times.wording import day_words

NOW = datetime(2026, 5, 12, 16, 5, tzinfo=UTC)
"""A Tuesday."""


def shown(text: str, now: datetime = NOW, *, day_first: bool = True) -> str:
    found = read_text(text, now, day_first=day_first)
    if found is None:
        return ""
    form = "%Y-%m-%dT%H:%M" if found.has_time or found.part else "%Y-%m-%d"
    return found.start.strftime(form) + (f"..{found.end.strftime(form)}" if found.end else "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Thursday 14th, 8.30", "2026-05-14T08:30"),
        ("thurs arvo 3ish", "2026-05-14T15:00"),
        ("tmrw 7", "2026-05-13T07:00"),
        ("half seven", "2026-05-12T19:30"),
        ("quarter to 9", "2026-05-12T20:45"),
        ("ten past 5", "2026-05-12T17:10"),
        ("Fri 12/6 @ 5:15pm", "2026-06-12T17:15"),
        ("3-5pm", "2026-05-13T15:00..2026-05-13T17:00"),
        ("11am-1pm Sat", "2026-05-16T11:00..2026-05-16T13:00"),
        ("17th May 10am - 18th May 4pm", "2026-05-17T10:00..2026-05-18T16:00"),
        ("12 to 14 june", "2026-06-12..2026-06-14"),
        ("in 20 mins", "2026-05-12T16:25"),
        ("in half an hour", "2026-05-12T16:35"),
        ("see you in 5", "2026-05-12T16:10"),
        ("tonight", "2026-05-12T19:00"),
        ("noon", "2026-05-13T12:00"),
        ("EOD", "2026-05-12T17:00"),
        ("by the 15th", "2026-05-15"),
        ("end of month", "2026-05-31"),
        ("6/12 14:00", "2026-12-06T14:00"),
        ("14.05.", "2026-05-14"),
        ("6.12.2026", "2026-12-06"),
        ("05-Jun-26", "2026-06-05"),
        ("2026-05-14", "2026-05-14"),
        ("2026-05-14T08:30", "2026-05-14T08:30"),
        ("0900hrs Mon", "2026-05-18T09:00"),
        ("Tues 26th, 13:10", "2026-05-26T13:10"),
        ("sat 16 at 7:30 dinner", "2026-05-16T19:30"),
        ("next Thursday", "2026-05-21"),
        ("Friday week", "2026-05-22"),
        ("day after tomorrow 10ish", "2026-05-14T10:00"),
        ("table for 4 on Friday at 7, dinner", "2026-05-15T19:00"),
        ("be there at 0730", "2026-05-13T07:30"),
        ("230pm Wed", "2026-05-13T14:30"),
        ("a week on Saturday", "2026-05-23"),
        ("two weeks today", "2026-05-26"),
        ("tomorrow week", "2026-05-20"),
        ("end of June", "2026-06-30"),
        ("15th of next month", "2026-06-15"),
        ("every Sat 9.30 starting 6th June", "2026-06-06T09:30"),
    ],
)
def test_english_times_are_read(text: str, expected: str) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("明天下午三点半", "2026-05-13T15:30"),
        ("下周三上午10点", "2026-05-20T10:00"),
        ("周五前", "2026-05-15"),
        ("本月25号", "2026-05-25"),
        ("下个月5号", "2026-06-05"),
        ("5月14日(周四)8:30-10:00", "2026-05-14T08:30..2026-05-14T10:00"),
        ("8月12号到14号", "2026-08-12..2026-08-14"),
        ("今晚八点", "2026-05-12T20:00"),
        ("后天一早", "2026-05-14T08:00"),
        ("半小时后", "2026-05-12T16:35"),
        ("两个半小时后", "2026-05-12T18:35"),
        ("三天后", "2026-05-15"),
        ("3天内", "2026-05-15"),
        ("月底", "2026-05-31"),
        ("6月底", "2026-06-30"),
        ("明早6点20", "2026-05-13T06:20"),
        ("差十分八点", "2026-05-12T19:50"),
        ("晚上12点", "2026-05-13T00:00"),
        ("凌晨2点", "2026-05-13T02:00"),
        ("下下周一", "2026-05-25"),
        ("礼拜天晚上六点钟", "2026-05-17T18:00"),
        ("11月14日至15日", "2026-11-14..2026-11-15"),
        ("14日入住", "2026-05-14"),
    ],
)
def test_chinese_times_are_read(text: str, expected: str) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "大年初一",
        "I sat there",
        "call 0113 496 0467",
        "£8.50 each",
        "open 24/7",
        "第3集",
        "8号楼",
        "1/2 price",
        "see you at 25 Elm St",
        "31 Feb",
        "it may come",
        "my 50th birthday",
        "86.20元",
        "2 nights",
    ],
)
def test_what_is_no_time_is_not_read(text: str) -> None:
    assert shown(text) == ""


@pytest.mark.parametrize(
    ("text", "day_first", "expected"),
    [
        ("6/12", True, "2026-12-06"),
        ("6/12", False, "2026-06-12"),
        ("25/5", False, "2026-05-25"),
        ("05/06/2026", True, "2026-06-05"),
        ("05/06/2026", False, "2026-05-06"),
        ("08/19/26", True, "2026-08-19"),
    ],
)
def test_the_region_tells_the_day_from_the_month(text: str, day_first: bool, expected: str) -> None:
    assert shown(text, day_first=day_first) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("meeting tomorrow at 3", "2026-05-13T15:00"),
        ("school tomorrow at 8", "2026-05-13T08:00"),
        ("dinner tomorrow at 8", "2026-05-13T20:00"),
        ("明天八点吃饭", "2026-05-13T20:00"),
        ("明天七点闹钟", "2026-05-13T07:00"),
        ("today at 5", "2026-05-12T17:00"),
        ("b4 6 today", "2026-05-12T18:00"),
        ("20:30", "2026-05-12T20:30"),
        ("08:30", "2026-05-13T08:30"),
    ],
)
def test_the_half_of_the_day_follows_the_sense(text: str, expected: str) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Friday 15 May", "2026-05-15"),
        ("Monday 15 May", "2026-05-15"),  # the weekday is the more frequent slip
        ("Fri 14th", "2026-08-14"),  # no month is stated: the near month in which both agree
        ("Wed 3rd", "2026-06-03"),
    ],
)
def test_a_stated_date_wins_over_its_weekday(text: str, expected: str) -> None:
    assert shown(text) == expected


def test_a_date_that_is_over_is_next_years() -> None:
    assert shown("3 March") == "2027-03-03"


def test_a_past_day_is_read_where_one_is_asked_for() -> None:
    found = read_text("paid on Saturday", NOW, past=True)
    assert found is not None
    assert found.start.date().isoformat() == "2026-05-09"


def test_a_weekday_said_on_that_day_is_next_weeks_unless_its_time_is_ahead() -> None:
    assert shown("Tuesday") == "2026-05-19"
    assert shown("Tuesday 18:00") == "2026-05-12T18:00"


def test_a_span_takes_day_and_time_from_beside_it() -> None:
    text = "PNR 8412 dt 31-01-26 CSMT-PUNE. Coach C4 seat 31. Sch dep 06:40. Happy journey"
    found = read_span("06:40", text, datetime(2026, 1, 28, 21, 12, tzinfo=UTC))
    assert found is not None
    assert found.start.isoformat() == "2026-01-31T06:40:00"


@pytest.mark.parametrize("span", ["Thurs 14th 7.30am", "you Thurs 14th 7.30am for", "14th 7.30am", "Thurs 14th"])
def test_a_span_may_be_some_words_too_wide_or_narrow(span: str) -> None:
    text = "G'day its Wayne, can get to you Thurs 14th 7.30am for the hot water"
    found = read_span(span, text, NOW)
    assert found is not None
    assert found.start.isoformat() == "2026-05-14T07:30:00"


def test_the_phones_offset_does_not_change_its_clock() -> None:
    zoned = NOW.replace(tzinfo=timezone(timedelta(hours=8)))
    assert shown("tomorrow 9am", zoned) == shown("tomorrow 9am", NOW) == "2026-05-13T09:00"


_PARTS = [
    "thurs",
    "14th",
    "5",
    "31",
    "feb",
    "3-5pm",
    "at",
    "to",
    "半",
    "下周",
    "月底",
    "13点",
    "99:99",
    "24",
    "明天",
    "-",
    "\n",
    "12/13",
    "in",
]


@given(
    st.one_of(st.text(max_size=60), st.lists(st.sampled_from(_PARTS), max_size=8).map(" ".join)),
    st.datetimes(min_value=datetime.fromisoformat("1990-01-01"), max_value=datetime.fromisoformat("2090-01-01")),
    st.booleans(),
)
def test_any_text_is_read_without_an_error(text: str, now: datetime, past: bool) -> None:
    read_text(text, now, past=past)
    read_span(text[:10], text, now, day_first=past)


@pytest.mark.parametrize(
    ("text", "last", "part", "words"),
    [
        ("on Thursday at 8.30", False, False, "Thursday"),
        ("Wednesday 20 May", False, False, "20 May"),
        ("10 Feb - 12 Feb", True, False, "12 Feb"),
        ("周四下午", False, True, "周四下午"),
        ("周四下午", False, False, "周四"),
        ("Friday morning", False, True, "Friday morning"),
        ("at half past eight", False, True, None),
    ],
)
def test_a_day_is_named_by_its_words(text: str, last: bool, part: bool, words: str | None) -> None:
    assert day_words(text, last=last, part=part) == words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # A clock time stands beside the day, but not in one expression with it.
        ("Thursday 15th instead, 5 sharp, the town hall", "2026-05-15T17:00"),
        ("Sat 18 July, got the hall at the club from 5", "2026-07-18T17:00"),
        ("tomorrow at mine, say 11, bring the keys", "2026-05-13T11:00"),
        ("all trades in for 6 tomorrow", "2026-05-13T18:00"),
        ("Sunday supper 5. Bring rolls", "2026-05-17T17:00"),
        ("can you close Thursday at 7 instead of Carl?", "2026-05-14T07:00"),
        # Three and four digits.
        ("the auction is Sat 930", "2026-05-16T09:30"),
        ("dinner 630 on Friday", "2026-05-15T18:30"),
        ("allocated Sat 22/08 0700-1900", "2026-08-22T07:00..2026-08-22T19:00"),
        ("we need 300 people by Friday", "2026-05-15"),
        # What another time replaces.
        ("we start at 9 not 9:30 tomorrow", "2026-05-13T09:00"),
        ("it is 11 instead of 9:30 tomorrow", "2026-05-13T11:00"),
        ("not the 27th, it's the 20th at 1:30", "2026-05-20T13:30"),
        ("moved off the 14th, now Friday 7pm", "2026-05-15T19:00"),
        # Ranges.
        ("the class is Friday 10:00-12:30, training day", "2026-05-15T10:00..2026-05-15T12:30"),
        ("you do 14 till 17 on Friday", "2026-05-15T14:00..2026-05-15T17:00"),
        ("between 12 n 2 fri", "2026-05-15T12:00..2026-05-15T14:00"),
        ("plots 30-38 is tomorrow 11 sharp", "2026-05-13T11:00"),
        ("quarter after 4 tomorrow", "2026-05-13T16:15"),
        ("2moz 7.30", "2026-05-13T07:30"),
        # Chinese: a weekday before the hour, one character for the part of the day, no minutes without a nought.
        ("周五八点见", "2026-05-15T08:00"),
        ("周四七点十分", "2026-05-14T07:10"),
        ("礼拜二五点半", "2026-05-12T17:30"),
        ("19号晚十点半", "2026-05-19T22:30"),
        ("明天提到早六点四十", "2026-05-13T06:40"),
        ("明晚八点五台山", "2026-05-13T20:00"),
        ("明天八点零五分", "2026-05-13T08:05"),
    ],
)
def test_times_as_chats_state_them(text: str, expected: str) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize(
    ("text", "span", "expected"),
    [
        ("you got my fryer 4 to 7 tonight ok", "7 tonight", "2026-05-12T16:00"),
        ("call time is 9:50 not 10 tomorrow", "10 tomorrow", "2026-05-13T09:50"),
        ("review moved from tues to wed 2:30-3:15", "wed 2:30-3:15", "2026-05-13T14:30"),
    ],
)
def test_a_span_at_the_wrong_end_still_means_the_start(text: str, span: str, expected: str) -> None:
    found = read_span(span, text, NOW.replace(hour=9), whole=True)
    assert found is not None
    assert found.start.strftime("%Y-%m-%dT%H:%M") == expected
