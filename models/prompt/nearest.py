"""Finds the entries of the behaviour log that are nearest to a moment, by the words that both have.

Rare words count more than frequent ones; the hour and the place of an entry count as words, so that a moment without
words has nearest entries too.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from pydantic import JsonValue

from collectors.context import Context, LogEntry
from heed.language import HAN

_WORD = re.compile(rf"[^\W\d_{HAN}]{{2,}}|\d{{3,}}|[{HAN}]+")
_ON_SCREEN = ("foreground.app", "trajectory.steps")
"""Facts about what is on the screen."""
_HOURS = 24


def nearest(entries: Sequence[LogEntry], context: Context) -> list[LogEntry]:
    """The entries before the moment that share words with its trigger and its screen, nearest first.

    Of entries with the same text only the newest is returned; what the trace quotes already is left out.
    """
    quoted = _quoted(context)
    past = [entry for entry in entries if entry.time < context.now and entry.action not in quoted]
    newest = list({entry.action: entry for entry in sorted(past, key=lambda entry: entry.time)}.values())
    wanted, terms = _of_moment(context), [_of_entry(entry) for entry in newest]
    frequency = Counter(term for each in terms for term in each)
    weight = {term: math.log((1 + len(newest)) / frequency[term]) for term in wanted if frequency[term]}
    scored = [(_score(each, weight), entry) for each, entry in zip(terms, newest, strict=True)]
    scored.sort(key=lambda pair: (pair[0], pair[1].time), reverse=True)
    return [entry for score, entry in scored if score > 0]


def _score(terms: Collection[str], weight: dict[str, float]) -> float:
    """Long entries share words by chance, so the sum is divided by the root of their length."""
    return sum(weight.get(term, 0.0) for term in terms) / math.sqrt(len(terms))


def _quoted(context: Context) -> set[str]:
    recent = context.value("log.recent", [])
    rows = recent if isinstance(recent, list) else []
    return {str(row.get("action", "")) for row in rows if isinstance(row, dict)}


def _of_entry(entry: LogEntry) -> set[str]:
    return {*words(entry.action), _hour(entry.time.hour), _place(entry.location)}


def _of_moment(context: Context) -> set[str]:
    texts = [
        *_texts(dict(context.trigger.data)),
        *(text for name in _ON_SCREEN for text in _texts(context.value(name))),
    ]
    hours = {_hour(context.now.hour + shift) for shift in (-1, 0, 1)}
    return {word for text in texts for word in words(text)} | hours | {_place(context.place)}


def _hour(hour: int) -> str:
    return f"@{hour % _HOURS}h"


def _place(place: str) -> str:
    return f"@{place.casefold()}"


def _texts(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


@lru_cache(maxsize=32_768)
def words(text: str) -> frozenset[str]:
    """The words of a text, folded; of Chinese, every two neighbouring characters."""
    found = set()
    for word in _WORD.findall(text.casefold()):
        chinese = re.match(f"[{HAN}]", word) is not None
        found |= {word[at : at + 2] for at in range(max(1, len(word) - 1))} if chinese else {word}
    return frozenset(found)
