"""The features of a log line by which the log-line reader recognises functions, as numbers of a hash table."""

import zlib
from collections.abc import Iterable, Iterator
from itertools import pairwise

from models.routines.language.app_finder import AppFinder
from models.routines.language.lexicon import Lexicon, PhraseMention
from models.routines.language.parsed_text import ParsedText

TABLE = 1 << 15
"""Size of the hash table."""
_AFFIX = 4
"""Letters of the beginning of an English word that count as a feature of their own."""


def features(parsed: ParsedText, lexicon: Lexicon, apps: AppFinder) -> list[int]:
    """The numbers of a line's features, sorted and without duplicates."""
    named = {*_words(parsed), *_classes(parsed, lexicon), *(f"app {name}" for name in apps.functions(parsed.text))}
    return sorted({zlib.crc32(name.encode()) % TABLE for name in named})


def _words(parsed: ParsedText) -> Iterator[str]:
    """Words and their neighbours; what is quoted was said or named by somebody and tells nothing of the action."""
    tokens = [token for token in parsed.text.tokens if token.quote < 0]
    words = ["0" if token.stem.isdigit() else token.stem for token in tokens]
    yield from words
    yield from (word[:_AFFIX] + "*" for word in words if len(word) > _AFFIX)
    yield from (f"{one} {other}" for one, other in pairwise(words))
    runs = zip(words, words[1:], words[2:], strict=False)
    yield from (" ".join(run) for run in runs if not run[0].isascii())
    yield from (f"^{words[at]}" for at, token in enumerate(tokens) if token.after_break)
    if parsed.text.quotes:
        yield '"'


def _classes(parsed: ParsedText, lexicon: Lexicon) -> Iterator[str]:
    """Classes of the lexicon's verbs and objects, and kinds of entities: what different words have in common."""
    verbs = {f"verb {name}" for name in _unquoted(parsed, lexicon.mentions("verb", parsed.text))}
    objects = {f"object {name}" for name in _unquoted(parsed, parsed.objects)}
    yield from verbs | objects
    yield from (f"{verb}, {thing}" for verb in verbs for thing in objects)
    yield from (f"value {entity.kind}" for entity in parsed.entities)


def _unquoted(parsed: ParsedText, mentions: Iterable[PhraseMention]) -> Iterator[str]:
    tokens = parsed.text.tokens
    return (name for mention in mentions if tokens[mention.first].quote < 0 for name in mention.names)
