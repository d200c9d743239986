"""Groups repeated actions by identity and finds the parameters that a group has in common."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from pydantic import JsonValue

from function_pool.spec import FunctionSpec
from models.routines.language.lexicon import FunctionVocabulary, Lexicon
from models.routines.mining.history import ActionOccurrence

SAME_WORDS = 0.5
"""Two texts count as equal if they share at least this part of their words (Jaccard similarity)."""
_MAJORITY = 0.5
"""A value belongs to the habit if at least this share of the actions has it."""

WordSet = frozenset[str]
_ADDRESS = re.compile(r"\S*[@/._:]\S*")
"""E-mail addresses, paths, file names and clock times: only equal values match."""


class CommonParameters(NamedTuple):
    """The parameters of a habit: constants, and dates as the number of days before the action."""

    parameters: Mapping[str, JsonValue]
    days_before: Mapping[str, int]


def group_by_identity(
    done: Iterable[ActionOccurrence], vocabulary: FunctionVocabulary, lexicon: Lexicon
) -> list[list[ActionOccurrence]]:
    """Acts of one function in groups with the same identity: equal values, or texts that say the same.

    An action whose line leaves part of the identity out belongs to those that are like it in another parameter.
    """
    found: list[list[ActionOccurrence]] = []
    for one in sorted(done, key=lambda each: sum(name not in each.action.parameters for name in vocabulary.identity)):
        home = next((members for members in found if _same(members[0], one, vocabulary, lexicon)), None)
        if home is None:
            found.append([one])
        else:
            home.append(one)
    return [sorted(members, key=lambda each: each.reading.entry.time) for members in found]


def _same(known: ActionOccurrence, one: ActionOccurrence, vocabulary: FunctionVocabulary, lexicon: Lexicon) -> bool:
    ours, theirs = known.action.parameters, one.action.parameters
    both = [name for name in vocabulary.identity if name in ours and name in theirs]
    if len(both) < len([name for name in vocabulary.identity if name in ours or name in theirs]):
        others = (set(ours) & set(theirs)) - set(vocabulary.identity)
        if not any(ours[name] == theirs[name] for name in others):
            return False
    return all(_similar(_word_set(ours[name], lexicon), _word_set(theirs[name], lexicon)) for name in both)


def _similar(one: WordSet, other: WordSet) -> bool:
    if not one or not other:
        return one == other
    return len(one & other) / len(one | other) >= SAME_WORDS


def _word_set(value: JsonValue, lexicon: Lexicon) -> WordSet:
    """The words of a value; synonyms ("ack", "received") are replaced by the name of their class."""
    if isinstance(value, list):
        return frozenset().union(*(_word_set(member, lexicon) for member in value))
    if not isinstance(value, str) or _ADDRESS.fullmatch(value):
        return frozenset({str(value)})
    text = lexicon.parse(value)
    mentions = [
        mention
        for mention in lexicon.mentions("object", text)
        if any(lexicon.objects[name].synonyms for name in mention.names)
    ]
    covered = {word for mention in mentions for word in mention.words}
    classes = {min(mention.names) for mention in mentions}
    return frozenset(classes | {token.stem for at, token in enumerate(text.tokens) if at not in covered})


def common_parameters(
    done: Sequence[ActionOccurrence], spec: FunctionSpec, vocabulary: FunctionVocabulary
) -> CommonParameters:
    """The values that most of the actions have.

    An identity parameter without a majority gets its latest value, since its values in a group are similar.
    """
    parameters: dict[str, JsonValue] = {}
    days_before: dict[str, int] = {}
    for name, parameter in spec.parameters.items():
        pairs = [(one, one.action.parameters[name]) for one in done if name in one.action.parameters]
        if not pairs or (not parameter.required and len(pairs) < _MAJORITY * len(done)):
            continue
        values = [value for _, value in pairs]
        offsets = [offset for one, value in pairs if (offset := _days_before(one, value)) is not None]
        if len(offsets) == len(pairs):
            days = _most_common(offsets)
            if isinstance(days, int):
                days_before[name] = days
        elif parameter.type == "string" and any(isinstance(value, list) for value in values):
            parameters.update(_named(name, _common_members(values)))
        else:
            common = _most_common(values)
            parameters.update(_named(name, values[-1] if common is None and name in vocabulary.identity else common))
    return CommonParameters(parameters, days_before)


def _named(name: str, value: JsonValue) -> dict[str, JsonValue]:
    return {} if value is None else {name: value}


def _days_before(one: ActionOccurrence, value: JsonValue) -> int | None:
    """The number of days from the date ``value`` to the action; None if ``value`` is not a date."""
    try:
        return (one.reading.entry.time.date() - date.fromisoformat(str(value))).days
    except ValueError:
        return None


def _most_common(values: Sequence[JsonValue]) -> JsonValue:
    """The value of the majority in its latest spelling; None without a majority.

    A value that occurs once has a majority only if it is the only one.
    """
    keys = [repr(value).casefold() for value in values]
    key, count = Counter(reversed(keys)).most_common(1)[0]
    if count < _MAJORITY * len(values) or (count == 1 and len(values) > 1):
        return None
    return next(value for value, own in zip(reversed(values), reversed(keys), strict=True) if own == key)


def _common_members(values: Sequence[JsonValue]) -> JsonValue:
    """The members that most of the lists have, joined by commas; a single value counts as a list of one."""
    lists = [list(map(str, value)) if isinstance(value, list) else [str(value)] for value in values]
    counts = Counter(member for members in lists for member in dict.fromkeys(members))
    common = [member for member, count in counts.most_common() if count >= _MAJORITY * len(lists) and count > 1]
    return ", ".join(common) or None
