"""The chats of one training: which records are learned from and which are held out."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from pydantic import Field

from function_pool.spec import Pool
from heed.errors import UsageError
from heed.model import Frozen
from models.config import PromptConfig
from training.chats.arguments import own_labels, read_labels
from training.chats.chat import Chats, ChatWriter, write_records
from training.chats.screens import with_screens
from training.chats.selection import balanced, split
from training.chats.sources import file_records, labelled_corpus
from training.generator.records import Record


class DataChoice(Frozen):
    """Which records become chats."""

    files: tuple[Path, ...] = ()
    """Records in the benchmark's format, e.g. of ``heed export``; none = the corpus."""
    labels: tuple[Path, ...] = ()
    """Labelled arguments of the corpus; none = those beside it."""
    screens: bool = True
    """Whether screenshots in the corpus become pictures."""
    silence: float = Field(default=0.5, ge=0, le=1)
    """Share of chats in which silence is right."""
    held_out: float = Field(default=0.05, ge=0, lt=1)
    """Share of records that are measured with and not learned from."""
    limit: int = Field(default=0, ge=0)
    """Most chats to learn from; 0 = all."""
    most_held_out: int = Field(default=200, ge=0)
    """Most held-out chats."""
    seed: int = 1


class Dataset(NamedTuple):
    """The chats of one training."""

    learn: Chats
    held_out: Chats
    held_out_file: Path
    """The held-out records, for ``heed eval proactivemobile``."""

    @property
    def figures(self) -> Mapping[str, int]:
        """Numbers for the report."""
        return {
            "chats to learn from": len(self.learn.chats),
            "of them silences": self.learn.silent,
            "chats held out": len(self.held_out.chats),
            **{f"left out: {reason}": count for reason, count in self.learn.left_out.items()},
        }


def make_dataset(choice: DataChoice, pool: Pool, prompt: PromptConfig, folder: Path) -> Dataset:
    """Writes the chosen records to ``folder`` and makes chats of them; ``UsageError`` when there is no usable one."""
    writer = ChatWriter(pool, prompt)
    parts = split(_records(choice, pool), choice.held_out, choice.seed)
    files = {}
    for name, records, limit in (
        ("learn", parts.learn, choice.limit),
        ("held-out", parts.held_out, choice.most_held_out),
    ):
        chosen = balanced(records, choice.silence, limit, choice.seed)
        if choice.screens and not choice.files:
            chosen = [with_screens(record, folder / "screens") for record in chosen]
        files[name] = write_records(chosen, folder / f"{name}.json")
    made = Dataset(writer.write(files["learn"]), writer.write(files["held-out"]), files["held-out"])
    if not made.learn.chats:
        raise UsageError(f"No record can be learned from: {made.learn.left_out or 'there is none'}.")
    return made


def _records(choice: DataChoice, pool: Pool) -> list[Record]:
    if choice.files:
        return [record for path in choice.files for record in file_records(path)]
    labels = read_labels(choice.labels or own_labels())
    if not labels:
        raise UsageError(
            "There are no labelled arguments, so no call of the corpus can be learned.",
            "Name a file of labels with --arguments, or records to learn from.",
        )
    return list(labelled_corpus(pool, labels))
