"""The corpus is complete and readable, and no text of it gets past the functions every text goes through."""

import unicodedata
from collections import Counter

import pytest

from heed.redaction import redact
from heed.safe_text import safe_text
from tests.security.corpus import FOLDER, LIMITS, Channel, attacks, through

CATEGORIES = {path.stem for path in FOLDER.glob("*.yaml")}


def test_the_corpus_holds_at_least_four_hundred_different_texts() -> None:
    assert len({attack.text for attack in attacks()}) == len(attacks()) >= 400
    assert len({attack.id for attack in attacks()}) == len(attacks())
    assert min(Counter(attack.category for attack in attacks()).values()) >= 15


def test_the_files_hold_no_invisible_character_themselves() -> None:
    for path in FOLDER.glob("*.yaml"):
        text = path.read_text("utf-8")
        assert all(char == "\n" or unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Zl", "Zp"} for char in text)


@pytest.mark.parametrize("channel", list(Channel))
def test_every_channel_delivers_most_of_the_corpus(channel: Channel) -> None:
    limit = LIMITS[channel].bytes
    texts = [attack.text for attack in through(channel)]
    assert len(texts) >= 400
    assert limit is None or all(len(text.encode("utf-8", "replace")) <= limit for text in texts)


@pytest.mark.parametrize("multiline", [False, True])
def test_no_attack_keeps_a_control_character_once_it_is_safe(multiline: bool) -> None:
    for attack in attacks():
        shown = safe_text(attack.text, multiline=multiline)
        assert shown.replace("\n", "").isprintable() or _only_ordinary(shown), attack.id
        assert multiline or "\n" not in shown, attack.id
        assert safe_text(shown, multiline=multiline) == shown, attack.id


def _only_ordinary(text: str) -> bool:
    """Python calls wide blanks, joiners of emoji and unassigned characters unprintable."""
    return all(unicodedata.category(char) not in {"Cc", "Cs", "Zl", "Zp"} for char in text if char != "\n")


def test_every_secret_of_the_corpus_is_redacted() -> None:
    assert not [
        attack.id for attack in attacks() if attack.category == "secrets" and redact(attack.text) == attack.text
    ]


def test_every_attack_can_be_redacted_twice_with_one_result() -> None:
    changed = [attack.id for attack in attacks() if redact(redact(attack.text)) != redact(attack.text)]
    assert not changed
