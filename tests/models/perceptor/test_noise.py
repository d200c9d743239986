"""What is mixed into a record leaves its own words, and where it ends, as they were."""

from evaluation.generator.corpus import corpus_records
from evaluation.generator.records import records
from function_pool.spec import default_pool
from models.perceptor.noise import Record, noisy

RECORDS = list(corpus_records(default_pool(), held_out=True))[:60]
SOURCES = list(records(40, 3, default_pool()))


def made(seed: int) -> list[Record]:
    return list(noisy(RECORDS, SOURCES, seed))


def test_the_own_steps_stay_in_their_order_and_the_last_one_stays_last() -> None:
    for plain, mixed in zip(RECORDS, made(1), strict=True):
        own, among = (record["reference_information"]["trace"] for record in (plain, mixed))
        later = iter(among)
        assert all(step in later for step in own)
        assert among[-1] == own[-1]
        assert len(own) <= len(among) <= 5 * len(own)


def test_only_steps_and_phone_change_and_most_records_grow() -> None:
    grown = 0
    for plain, mixed in zip(RECORDS, made(1), strict=True):
        assert mixed["recommendation"] == plain["recommendation"]
        assert mixed["reference_information"]["profile"] == plain["reference_information"]["profile"]
        grown += len(mixed["reference_information"]["trace"]) > len(plain["reference_information"]["trace"])
    assert grown >= 40


def test_a_seed_gives_the_same_records() -> None:
    assert made(2) == made(2) != made(3)
