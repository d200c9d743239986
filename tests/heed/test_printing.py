"""What commands print: whole lines for programs, lines that break between words for people."""

import io

import pytest

from heed.printing import Printer

SENTENCE = "Shall I turn on Do Not Disturb for 60 minutes?"
LINK = "Console: http://127.0.0.1:32983/#a-link-of-one-word"


def printed(line: str, width: int) -> str:
    """What a printer of this width prints."""
    file = io.StringIO()
    Printer(file=file, width=width).print(line, soft_wrap=True)
    return file.getvalue()


def test_a_line_stays_whole_where_no_terminal_shows_it() -> None:
    assert printed(SENTENCE, 30) == f"{SENTENCE}\n"


def test_in_a_terminal_a_line_breaks_between_words_and_a_link_stays_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert [line.strip() for line in printed(SENTENCE, 30).splitlines()] == [
        "Shall I turn on Do Not Disturb",
        "for 60 minutes?",
    ]
    assert printed(LINK, 30) == f"{LINK}\n"
