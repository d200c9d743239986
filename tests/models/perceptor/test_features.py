"""What the network sees of a context: its parts in order, the latest steps first to stay."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from collectors.context import RenderedContext
from models.perceptor.features import MOST, Kind, features, phrases, pieces
from models.perceptor.tokens import Vocabulary

WORDS = ("home", "rain", "battery", "opened", "maps", "closed")
VOCABULARY = Vocabulary(("[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS))


def said(*trace: str, profile: str = "home", phone: str = "battery", world: str = "rain") -> RenderedContext:
    return RenderedContext(profile=profile, phone=phone, world=world, trace=trace)


def test_parts_come_in_order_and_the_last_step_is_told_apart() -> None:
    kinds = [piece.kind for piece in pieces(said("opened", "maps"), VOCABULARY) if piece.phrase]
    assert kinds == [Kind.PROFILE, Kind.WORLD, Kind.PHONE, Kind.STEP, Kind.LAST_STEP]


def test_every_part_ends_with_a_mark_even_an_empty_one() -> None:
    numbers = features(said(profile="", phone="", world=""), VOCABULARY).pieces.tolist()
    assert numbers == [VOCABULARY.start, *[VOCABULARY.end] * 3]


def test_the_oldest_steps_are_left_out_where_there_is_no_room() -> None:
    seen = pieces(said(*["opened"] * 500, "closed"), VOCABULARY)
    assert len(seen) <= MOST
    assert [piece.phrase for piece in seen if piece.phrase][-1] == "closed"


def test_every_part_keeps_its_share_however_long_the_others_are() -> None:
    long = "home " * 500
    seen = pieces(said(*["opened maps"] * 100, profile=long, phone=long, world=long), VOCABULARY)
    assert len(seen) in {MOST, MOST - 1, MOST - 2}
    of = Counter(Kind.STEP if piece.kind is Kind.LAST_STEP else piece.kind for piece in seen)
    assert of[Kind.STEP] > of[Kind.PHONE] > of[Kind.PROFILE] > of[Kind.WORLD] > MOST / 10


def test_a_part_has_the_room_that_others_do_not_need() -> None:
    seen = pieces(said("opened", profile="home. " * 500), VOCABULARY)
    assert len(seen) == MOST
    assert {piece.phrase for piece in seen} >= {"rain", "battery", "opened"}


def test_the_last_step_stays_however_long_it_is() -> None:
    long = "home " * 500
    seen = pieces(said("opened", long, profile=long, phone=long, world=long), VOCABULARY)
    assert sum(piece.kind is Kind.LAST_STEP for piece in seen) > MOST / 4


@given(st.text(), st.text(), st.lists(st.text(max_size=400), max_size=12))
def test_any_context_fits(phone: str, profile: str, trace: list[str]) -> None:
    seen = features(said(*trace, phone=phone, profile=profile), VOCABULARY)
    assert 4 <= len(seen.pieces) == len(seen.kinds) <= MOST


def test_a_text_falls_into_what_it_says() -> None:
    assert phrases("Battery 9 %, not charging; Wi-Fi off. At home") == [
        "Battery 9 %,",
        "not charging;",
        "Wi-Fi off",
        "At home",
    ]
    assert phrases("电量9%，未充电；在家。") == ["电量9%，", "未充电；", "在家。"]
