"""Records in the benchmark's format: the corpus with labelled arguments, and files such as those of ``heed export``."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from function_pool.call import FunctionCall
from function_pool.spec import Pool, default_pool
from heed.errors import UsageError
from training.chats.arguments import Labels
from training.generator.corpus import corpus_records
from training.generator.records import Record


def labelled_corpus(pool: Pool, labels: Labels) -> Iterator[Record]:
    """The corpus: needs with labelled arguments and functions of ``pool``, their look-alikes, and the silences.

    Any other need is left out with its look-alikes, so that silence is not learned from its words alone.
    """
    for record in corpus_records(default_pool()):
        told = record["benchmark_metadata"]
        calls = labels.get(_label_id(told["moment"]), ())
        usable = bool(calls) and all(call.name in pool.functions for call in calls)
        if told["id"].endswith("/need"):
            yield from (_with_calls(record, calls),) if usable else ()
        elif usable or told["id"].endswith("/calm"):
            yield record


def _label_id(moment: str) -> str:
    """Labels count lines from 0, records from 1."""
    place, _, line = moment.rpartition("/")
    return f"{place}/{int(line) - 1}"


def _with_calls(record: Record, calls: Sequence[FunctionCall]) -> Record:
    (answer,) = record["recommendation"]
    filled = [{"name": call.name, "parameters": dict(call.parameters)} for call in calls]
    return {**record, "recommendation": [{**answer, "function": filled}]}


def file_records(path: Path) -> list[Record]:
    """The records of a JSON file in the benchmark's format, pictures by absolute path.

    Raises ``UsageError`` for another file.
    """
    try:
        raw = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"Cannot read the records {path}: {error}.") from error
    if not isinstance(raw, list) or not all(isinstance(one, dict) and "reference_information" in one for one in raw):
        raise UsageError(
            f"{path} holds no records in the benchmark's format.", "Use a file of `heed export` or of the generator."
        )
    return [_placed(record, path.parent.resolve()) for record in raw]


def _placed(record: Record, folder: Path) -> Record:
    said = record["reference_information"]
    trace = [_absolute(step, folder) for step in said.get("trace", ())]
    return {**record, "reference_information": {**said, "trace": trace}}


def _absolute(step: Any, folder: Path) -> Any:
    if isinstance(step, dict) and step.get("source") == "picture":
        return {**step, "picture": str(folder / step["picture"])}
    return step
