"""Assigns verbs to objects in short factual sentences.

The verb of an object is the nearest one before it ("opened Clock and *disabled* the 07:30 *alarm*"); where its clause
has none, the nearest one after it ("the *alarm* was *switched off*", "把*闹钟关掉*"). An answer in the next sentence
belongs to the object of the question ("A prompt for *power saving* appeared. He tapped *Enable*.").
"""

from collections.abc import Iterable, Iterator

from models.routines.language.lexicon import GrammarWords, Lexicon, PhraseMention
from models.routines.language.tokens import TokenizedText, VerbForm, WordToken

_REACH = 6
"""Number of words before a verb in which a negation or a delegation is searched."""


def _is_chinese(token: WordToken) -> bool:
    return "\u3400" <= token.stem[0] <= "\u9fff"


def stands_as_verb(text: TokenizedText, mention: PhraseMention, grammar: GrammarWords) -> bool:
    """Whether the phrase is used as a verb: "opened the app", not "the open app" or "a post"."""
    token = text.tokens[mention.first]
    if _is_chinese(token) or mention.first == 0:
        return True
    before = text.tokens[mention.first - 1]
    if token.after_break or before.stem in grammar.before_verbs:
        return True
    if token.form is VerbForm.PAST:
        return before.stem not in grammar.determiners
    if token.form is VerbForm.UNCHANGED or mention.last > mention.first:
        near = {earlier.stem for earlier in text.tokens[max(0, mention.first - 3) : mention.first]}
        return not near & grammar.determiners
    # "Kim opens …": a plain form as the second word of its clause.
    return before.after_break and before.stem not in grammar.determiners


class VerbFinder:
    """The verbs of a text; one that reports no action of the owner has no names, but still governs its objects."""

    all: tuple[PhraseMention, ...]
    foreign: frozenset[int]
    """The sentences that report no action of the owner: what others did, what was not done, what the phone asked."""

    def __init__(self, lexicon: Lexicon, text: TokenizedText) -> None:
        self._text = text
        self._grammar = lexicon.grammar
        self._asked = _sentences_with(lexicon, text, "prompt")
        self._automatic = _sentences_with(lexicon, text, "automation")
        self._pronoun_owner = any(token.stem in self._grammar.owner for token in text.tokens)
        objects = [set(mention.words) for mention in lexicon.mentions("object", text)]
        self._before_objects = {min(words) - 1 for words in objects}
        # A verb inside a longer object ("Power *Saving* Mode") is part of the object's name.
        known = [
            verb for verb in lexicon.mentions("verb", text) if not any(set(verb.words) < words for words in objects)
        ]
        taps = {mention.last for mention in known if "tap" in mention.names}
        candidates = sorted((*known, *_unknown_verbs(text, known)), key=lambda mention: mention.first)
        verbs = [mention for mention in candidates if self._is_verb(mention, taps)]
        self.all = tuple(self._with_subject(mention) for mention in verbs)
        own = {text.tokens[verb.first].sentence for verb in self.all if verb.names}
        declared = {text.tokens[verb.first].sentence for verb in verbs if verb.names}
        self.foreign = frozenset((declared - own) | self._asked | self._automatic)

    # --- verb forms, and the subject of each verb ---

    def _is_verb(self, mention: PhraseMention, taps: set[int]) -> bool:
        token = self._text.tokens[mention.first]
        if mention.first - 1 in taps or (token.quote >= 0 and self._quote_follows_tap(token, taps)):
            return True
        # One Chinese character is a verb only directly before an object: "看新闻", not "看到他".
        if _is_chinese(token) and mention.first == mention.last and mention.first not in self._before_objects:
            return False
        return token.quote < 0 and stands_as_verb(self._text, mention, self._grammar)

    def _quote_follows_tap(self, token: WordToken, taps: set[int]) -> bool:
        """Whether the word begins a quoted label that is tapped: "tapped 'Enable'"."""
        opens = next(index for index, other in enumerate(self._text.tokens) if other.quote == token.quote)
        return self._text.tokens[opens].start == token.start and any(opens - 4 < tap < opens for tap in taps)

    def _with_subject(self, mention: PhraseMention) -> PhraseMention:
        automatic = self._text.tokens[mention.first].sentence in self._automatic
        own = not automatic and not self._is_denied(mention) and not self._has_other_subject(mention)
        return mention if own else mention._replace(names=frozenset())

    def _is_denied(self, mention: PhraseMention) -> bool:
        """Whether the action is negated or delegated: "did not buy", "asked her to send"."""
        sentence = self._text.tokens[mention.first].sentence
        near = self._text.tokens[max(0, mention.first - _REACH) : mention.first]
        earlier = [token.stem for token in near if token.sentence == sentence]
        if any(stem in self._grammar.negations for stem in earlier[-2:]):
            return True
        return earlier[-1:] == ["to"] and bool(self._grammar.stems(self._grammar.delegations) & set(earlier))

    def _has_other_subject(self, mention: PhraseMention) -> bool:
        """Whether somebody or something else did it: "a student sent …", "Kim wrote … He replied …"."""
        begin = self._clause(mention.first)
        subject = self._text.tokens[begin : mention.first]
        if not subject or {token.stem for token in subject} & (self._grammar.owner | self._grammar.owner_nouns):
            return False
        if subject[-1].stem in self._grammar.passives or mention.first - begin > _REACH:
            return False
        named = all(self._text.raw[token.start].isupper() for token in subject) and self._pronoun_owner
        return subject[0].stem in self._grammar.determiners or named

    # --- the verbs of an object ---

    def governing(self, position: int) -> Iterator[PhraseMention]:
        """The verbs that may govern the object whose first token is ``position``, most likely first."""
        sentence = self._text.tokens[position].sentence
        here = self._in_sentence(sentence)
        before = [verb for verb in here if verb.first <= position]
        after = [verb for verb in here if verb.first > position]
        behind: PhraseMention | None = None
        if not any(self._clause(verb.first) == self._clause(position) for verb in before):
            behind = next((verb for verb in after if self._reaches_back(verb, position)), None)
        if behind is not None:
            yield behind
        elif before:
            yield before[-1]
            yield from self._coordinated(before)
            yield from [verb for verb in after if self._names_again(verb)][:1]
        if sentence in self._asked or "?" in self._text.raw[slice(*self._text.sentences[sentence])]:
            answers = (*after, *self._in_sentence(sentence + 1)[:2])
            yield from [verb for verb in answers if verb.names & self._grammar.answers]

    def _in_sentence(self, sentence: int) -> list[PhraseMention]:
        return [verb for verb in self.all if self._text.tokens[verb.first].sentence == sentence]

    def _coordinated(self, before: list[PhraseMention]) -> Iterator[PhraseMention]:
        """The verb joined to the last one by a conjunction: "selected and opened"."""
        if len(before) > 1 and before[-1].first - before[-2].last <= 2:
            yield before[-2]

    def _reaches_back(self, verb: PhraseMention, position: int) -> bool:
        """Whether the verb governs an object before it: in the same clause, or through "it"."""
        return self._clause(verb.first) == self._clause(position) or self._names_again(verb)

    def _names_again(self, verb: PhraseMention) -> bool:
        """Whether the verb's object is the pronoun "it" or "them"."""
        return any(token.stem in ("it", "them") for token in self._text.tokens[verb.first : verb.last + 2])

    def _clause(self, position: int) -> int:
        """Index of the first token of the clause that contains ``position``."""
        return next((index for index in range(position, -1, -1) if self._text.tokens[index].after_break), 0)


def _sentences_with(lexicon: Lexicon, text: TokenizedText, name: str) -> frozenset[int]:
    return frozenset(
        text.tokens[mention.first].sentence for mention in lexicon.mentions("object", text) if name in mention.names
    )


def _unknown_verbs(text: TokenizedText, known: Iterable[PhraseMention]) -> Iterator[PhraseMention]:
    """Verb forms that the lexicon does not declare; they govern the objects after them."""
    taken = {position for mention in known for position in mention.words}
    for position, token in enumerate(text.tokens):
        past = text.raw[token.end - 2 : token.end] == "ed"
        if position not in taken and token.form is VerbForm.PAST and (past or token.after_break):
            yield PhraseMention(frozenset(), (position,))
