"""The hand-written moments become records in the benchmark's format."""

import json
from pathlib import Path

from evaluation.generator.corpus import corpus_records
from evaluation.proactivemobile.cases import load_cases
from function_pool.spec import default_pool

RECORDS = list(corpus_records(default_pool()))
HELD_OUT = list(corpus_records(default_pool(), held_out=True))


def test_a_need_and_its_look_alike_share_a_moment() -> None:
    kinds: dict[str, set[bool]] = {}
    for record in RECORDS:
        answered = bool(record["recommendation"][0]["function"])
        kinds.setdefault(record["benchmark_metadata"]["moment"], set()).add(answered)
    assert all(kind == {True, False} for kind in kinds.values())


def test_what_is_held_out_covers_every_function_and_is_nowhere_else() -> None:
    kept = [json.dumps(record["reference_information"]) for record in HELD_OUT]
    assert not {json.dumps(record["reference_information"]) for record in RECORDS} & set(kept)
    assert {record["benchmark_metadata"]["template"].split("/")[0] for record in HELD_OUT} == set(
        default_pool().functions
    )


def test_the_records_are_cases_of_the_benchmark(tmp_path: Path) -> None:
    path = tmp_path / "corpus.json"
    path.write_text(json.dumps(RECORDS), "utf-8")
    cases = load_cases(path)
    assert len({case.id for case in cases}) == len(cases)
    assert 0.4 <= sum(case.silent for case in cases) / len(cases) <= 0.6
    assert {case.language for case in cases} == {"en", "zh"}
