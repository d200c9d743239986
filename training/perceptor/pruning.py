"""``python -m training.perceptor.pruning COUNT``: takes the rarest Chinese words out of the network that ships.

A word goes if the training texts do not have it; a text that has it is read character by character instead. The other
pieces keep their weights, so that every other text is read as before.
"""

import sys
from pathlib import Path

import numpy as np
import onnx
import typer
from onnx import numpy_helper

from models.perceptor.tokens import is_chinese
from training.perceptor.sources import possible_words, word_counts

DATA = Path(__file__).parents[2] / "models" / "perceptor" / "data"
TEXTS = Path(__file__).parents[1]
"""The folder with all training texts."""


def main(count: int) -> None:
    """Write the vocabulary and the network without ``count`` words."""
    pieces = (DATA / "vocabulary.txt").read_text("utf-8").splitlines()
    dropped = rarest(pieces, count)
    kept = np.array([number for number, piece in enumerate(pieces) if piece not in dropped])
    model = onnx.load(DATA / "perceptor.onnx")
    for tensor in model.graph.initializer:
        if tensor.name in ("words", "words.scale"):
            rows = numpy_helper.to_array(tensor)
            tensor.CopyFrom(numpy_helper.from_array(rows[kept], tensor.name))
    (DATA / "vocabulary.txt").write_text("".join(f"{pieces[number]}\n" for number in kept), "utf-8")
    onnx.save(model, DATA / "perceptor.onnx")
    typer.echo(f"{len(dropped)} words dropped, {len(kept)} pieces left")


def rarest(pieces: list[str], count: int) -> set[str]:
    """The Chinese words that no training text has and that jieba's word list counts least."""
    known, used, counts = set(pieces), used_words(), dict(word_counts())
    words = [
        piece
        for piece in pieces
        if len(piece) > 1 and is_chinese(piece) and piece not in used and all(char in known for char in piece)
    ]
    return set(sorted(words, key=lambda word: (counts.get(word, 0), word))[:count])


def used_words() -> set[str]:
    """Every run of Chinese characters of the training texts that may be a word."""
    files = (path for path in TEXTS.rglob("*") if path.suffix in (".jsonl", ".json", ".yaml"))
    return {word for path in files for word in possible_words(path.read_text("utf-8"))}


if __name__ == "__main__":
    main(int(sys.argv[1]))
