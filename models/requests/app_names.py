"""The app, shop or service through which a request wants to be done."""

import re

from pydantic import JsonValue

from models.requests.words import named_value
from models.values import titles
from models.values.choices import choice, named
from models.values.folding import fold, locate
from models.values.names import other_name
from models.values.readers import ValueRequest

APP_PARAMETERS = frozenset({"app_name", "map_app", "platform", "platform_info", "target_app", "source"})
"""Parameters that tell how something is done, not what it is about."""
_INTRODUCED = re.compile(r"(?:\b(?:on|via|using|use|through)\s{1,2}(?:the\s|my\s)?|使?用|通过)$")
_FROM = re.compile(r"\bfrom\s{1,2}(?:the\s)?$|[从看]$")
_HOW = ("on", "via", "using", "through", "with", "from")
_AT_END = re.compile(
    rf"\b(?P<how>{'|'.join(_HOW)})\s(?:the\s)?(?P<app>[A-Z][\w'&+-]{{1,20}}(?:\s[A-Z][\w'&+-]{{1,20}}){{0,2}})[.!?]?$"
)
_IN_APP = re.compile(r"\s(?:on|in|via|from|using|with)\s(?P<app>[\w.' ]{2,20})$", re.IGNORECASE)
_APP_FIRST = re.compile(r"(?P<app>\S{1,6}?)[看听搜]")
_PLACES = frozenset({"location", "destination", "start_location", "end_location", "city_or_hotel", "city"})
_WITH = frozenset({"pay_bill", "transfer_money", "translate_text", "open_document"})
"""Functions of which "with Revolut" names an app; of others it is a person."""
_NAMED_AFTER = re.compile(r"^\s?(?:app\b|application\b|的?(?:应用|软件|客户端|app)|[上里](?!面))")
_DATE = re.compile(
    r"\d|\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september"
    r"|october|november|december|today|tonight|tomorrow)\b"
)


def app(given: ValueRequest) -> JsonValue:
    """The app that a request names: one that the pool lists, or another where the words say that it is one.

    A span alone is not enough: the words that it stands on may be a place, a person or a piece of music.
    """
    listed = given.parameter.choices
    known = named_value(given.spec.name, given.name, given.said, listed) or choice(
        given.spec.name, given.name, given.span, given.text, listed
    )
    if known:
        return known
    words = given.span if _is_introduced(given) else _at_end(given)
    if not words or _DATE.search(fold(words)):
        return None
    return other_name(words) if given.parameter.open else titles.cleaned(words)


def without_app(words: str, given: ValueRequest) -> str:
    """Words of another parameter, without the app that they end or begin with: ``cats on YouTube``, ``B站看原神``."""
    parameters = APP_PARAMETERS & given.spec.parameters.keys()

    def listed(name: str) -> bool:
        return any(named(given.spec.name, one, name, given.spec.parameters[one].choices) for one in parameters)

    ends, begins, other = _IN_APP.search(words), _APP_FIRST.match(words), _AT_END.search(words)
    if ends and listed(ends["app"]):
        return words[: ends.start()]
    if begins and listed(begins["app"]):
        words = words[begins.end() :]
    elif other and any(app(given.for_(name)) for name in parameters):
        return words[: other.start()].strip() or words
    return words


def _at_end(given: ValueRequest) -> str:
    """The name that the request ends with, where its preposition can introduce an app."""
    match = _AT_END.search(given.said)
    if match is None or _is_elsewhere(given, match["app"]):
        return ""
    fits = {"with": given.spec.name in _WITH, "from": given.name == "source"}.get(match["how"], True)
    return match["app"] if fits else ""


def _is_introduced(given: ValueRequest) -> bool:
    """Whether the words around the span say that it is an app."""
    place = locate(given.span, given.said)
    if place is None or _is_elsewhere(given, given.span):
        return False
    before, after = fold(given.said[: place[0]]), fold(given.said[place[1] :])
    from_it = given.name == "source" and _FROM.search(before)
    return bool(_INTRODUCED.search(before) or from_it or _NAMED_AFTER.search(after))


def _is_elsewhere(given: ValueRequest, words: str) -> bool:
    """Whether the words are a place, or the end of more words, of another parameter."""
    others = {name: fold(span).strip() for name, span in given.spans.items() if name != given.name}
    folded = fold(words).strip()
    told = [f"{how} {folded}" for how in _HOW]
    told += [f"{folded}{where}" for where in "上里"]
    return any(
        span == folded
        if name in _PLACES
        else folded in span and span != folded and not any(one in span for one in told)
        for name, span in others.items()
    )


def shares_words(given: ValueRequest) -> bool:
    """Whether the words of another parameter of the call overlap with the span."""
    place = locate(given.span, given.said)
    others = (locate(words, given.said) for name, words in given.spans.items() if name != given.name)
    return place is not None and any(one and one[0] < place[1] and place[0] < one[1] for one in others)
