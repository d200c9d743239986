"""Links in texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collectors.links import MOST_LINKS, hosts, links, meeting


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Join https://us02web.zoom.us/j/84512345678?pwd=abc.", ["us02web.zoom.us"]),
        ("【顺丰】点击 https://t.cn/A6xyz，查看详情", ["t.cn"]),
        ("pay at evri-fee.top/pay or www.Royal-Mail.co", ["evri-fee.top", "www.royal-mail.co"]),
        ("see report.pdf at 8.30, mail ann@example.com/x", []),
        ("https://[half", []),
        ("HTTP://A.example/1 http://a.example/2", ["a.example"]),
    ],
)
def test_the_hosts_of_a_text(text: str, found: list[str]) -> None:
    assert list(hosts(links(text))) == found


def test_a_link_keeps_its_path_and_loses_the_full_stop() -> None:
    assert links("(https://meet.google.com/abc-defg-hij).") == ("https://meet.google.com/abc-defg-hij",)


@given(st.text(max_size=300))
def test_any_text_has_few_links(text: str) -> None:
    assert len(links(text)) <= MOST_LINKS and all(hosts([link]) or link for link in links(text))


def test_the_link_of_an_online_meeting_is_found_by_its_host_and_nothing_else() -> None:
    zoom = "https://us02web.zoom.us/j/845"
    assert meeting(["https://docs.example/zoom.us", zoom]) == (zoom, "Zoom")
    assert meeting(["https://zoom.us.evil.example/j/845", "https://notzoom.us/j/1"]) is None
