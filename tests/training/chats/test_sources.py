"""Records that are learned from: the labelled corpus and exported files."""

import json
from pathlib import Path

import pytest

from function_pool.call import FunctionCall
from function_pool.spec import Pool, default_pool
from heed.errors import UsageError
from heed.language import Language
from training.chats.selection import balanced, is_need, split
from training.chats.sources import file_records, labelled_corpus
from training.generator.corpus import NeedMoment, writers, written
from training.generator.records import Record

POOL = default_pool()


def labelled_need() -> tuple[str, NeedMoment]:
    """A need with look-alikes, and the id of its label."""
    for writer in writers():
        for number, one in enumerate(written(writer, Language.EN)):
            if isinstance(one, NeedMoment) and one.calm:
                return f"{writer}/en/{number}", one
    raise AssertionError


ID, NEED = labelled_need()
CALL = FunctionCall(name=NEED.function[0], parameters={"some": "value"})
RECORDS = list(labelled_corpus(POOL, {ID: (CALL,)}))


def test_a_labelled_need_has_its_arguments_and_its_words() -> None:
    (need,) = filter(is_need, RECORDS)
    assert need["reference_information"]["profile"] == NEED.profile
    assert need["recommendation"] == [
        {"instruction": NEED.say, "function": [{"name": CALL.name, "parameters": {"some": "value"}}]}
    ]


def test_look_alikes_of_needs_without_a_label_are_left_out() -> None:
    kinds = [record["benchmark_metadata"]["id"].rpartition("/")[2] for record in RECORDS]
    assert sum(kind.startswith("calm-") for kind in kinds) == len(NEED.calm)
    assert kinds.count("calm") > 1000


def test_a_need_for_a_function_that_the_pool_lacks_is_left_out() -> None:
    other = next(name for name in POOL.functions if name != CALL.name)
    small = Pool(functions={other: POOL.get(other)})
    assert not any(map(is_need, labelled_corpus(small, {ID: (CALL,)})))


def test_pictures_of_an_export_are_found_beside_it(tmp_path: Path) -> None:
    trace = ["a step", {"source": "picture", "picture": "frames/1.png"}]
    record = {"reference_information": {"trace": trace}, "recommendation": []}
    path = tmp_path / "export.json"
    path.write_text(json.dumps([record]), "utf-8")
    (read,) = file_records(path)
    assert read["reference_information"]["trace"] == [
        "a step",
        {"source": "picture", "picture": str(tmp_path.resolve() / "frames/1.png")},
    ]


@pytest.mark.parametrize("text", ["{}", "[1]", "no JSON", '[{"id": 1}]'])
def test_a_file_without_records_is_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "export.json"
    path.write_text(text, "utf-8")
    with pytest.raises(UsageError, match="records"):
        file_records(path)


def made(number: int, *, need: bool, writer: str = "") -> Record:
    calls = [{"name": "set_alarm", "parameters": {}}] if need else []
    return {
        "benchmark_metadata": {"id": str(number), "writer": writer},
        "recommendation": [{"instruction": "x", "function": calls}],
    }


def test_held_out_writers_are_not_learned_from() -> None:
    records = [made(number, need=True, writer=f"w{number % 10}") for number in range(100)]
    parts = split(records, 0.2, seed=1)
    learned, held_out = ({record["benchmark_metadata"]["writer"] for record in part} for part in parts)
    assert len(parts.held_out) == 20
    assert not learned & held_out


def test_silence_has_its_share() -> None:
    records = [made(number, need=number < 30) for number in range(200)]
    for share, silences in ((0.5, 30), (0.0, 0), (0.25, 10), (1.0, 170)):
        chosen = balanced(records, share, 0, seed=1)
        assert sum(not is_need(record) for record in chosen) == silences
        assert len(chosen) == (silences if share == 1 else 30 + silences)
    assert len(balanced(records, 0.5, 10, seed=1)) == 10
