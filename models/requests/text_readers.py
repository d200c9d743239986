"""Readers of free words in a request: messages, titles, names, what to look up or to translate."""

import re

from pydantic import JsonValue

from models.values import titles
from models.values.choices import named
from models.values.folding import locate
from models.values.languages import spoken
from models.values.readers import ValueRequest

_SUBJECT = re.compile(
    r"(?:\b(?:with (?:the )?)?(?:subject|title)(?: line)?(?: is)?\s?[:,]?\s"
    r"|\b(?:about|regarding|concerning)\s|(?:主题|标题)(?:是|为|叫)?[:：]?\s?|关于|问问)"
    r"(?P<words>.+?)(?=,? (?:saying|and (?:text|say|body)|that says|with the text)\b|[，,;；]|的邮件|$)",
    re.IGNORECASE,
)
_BODY = re.compile(
    r"(?:\b(?:saying|says|text|body|tell (?:them|him|her)|that)(?: that)?\s?[:,]?\s|(?:内容|正文)(?:是|为)?[:：]?\s?"
    r"|就?写(?!一?封|邮件)|说|告诉\S{1,64}?@\S{1,64}?(?=[\u4e00-\u9fff])|@[\w.]{1,64}[:：，]\s?)(?P<words>.+)$",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:(?:that|to|saying|says|and|about|the number|number|please|pls)\s+|[:：,，]\s*"
    r"|(?:说|内容是|内容|告诉他|一下)[:：]?)+",
    re.IGNORECASE,
)
_TAIL = re.compile(r"(?:\s{1,4}(?:please|pls|plz|thanks)|[吧呗啊呀哈啦了]|一下)$", re.IGNORECASE)
_TRANSLATED = re.compile(
    r"^(?:(?:please |can you |could you )?translate |how (?:do|would|does) (?:you|i|one) say "
    r"|what(?:'s|s| is| does) |say |put )"
    r"[\"“]?(?P<words>.+?)[\"”]?(?: (?:in|into|to|from|mean)\b.*)?$",
    re.IGNORECASE,
)
_TRANSLATED_HAN = re.compile(
    r"^(?:请|麻烦)?(?:帮我)?(?:翻译)?[把将]?[“\"]?(?P<words>.+?)[”\"]?"
    r"(?:用\S{1,5}?(?:怎么|咋|如何)|翻译?[成为]|译[成为]|[什啥]么?意思|的[英法德日韩俄泰西]\S{0,3}$)"
)
_COMMAND = re.compile(
    r"^(?:(?:打开|运行|启动|搜索|搜|分享|播放|附近的?|周边的?|什么|求推荐|推荐|一份|一个|个|点|叫|来点|来份|给我|帮我|我要|我想)(?=\S{2}))+"
)
"""Chinese words that lead to a thing and are not its name."""
_IN_APP = re.compile(r"\s(?:on|in|via|from|using|with)\s(?P<app>[\w.' ]{2,20})$", re.IGNORECASE)
_APPS = ("platform_info", "app_name", "platform", "source", "map_app")
_ARTICLE_BEFORE = re.compile(r"(?:\b(?:the|a|an|my|our|your)\s{1,4})$", re.IGNORECASE)
_INTRODUCED_BEFORE = re.compile(
    r"(?:\b(?:saying|says|to say)|[:：“\"])\s{0,2}(?P<begin>[^\s:：“\"][^:：“\"]{0,12})$", re.IGNORECASE
)
"""What stands between the word that introduces a message and its span."""
_SHORT_REST = 2
"""Characters after a message that belong to it."""
_LOOK_UP = re.compile(
    r"^(?:(?:please|can you|could you|i wonder|i'?d like to know|i want to know|do you know|tell me"
    r"|(?:do a |run a )?(?:web|internet|online|google) search (?:for|on|about)?|search engine:?"
    r"|(?:search|look|find info|find out|find)(?: (?:the web|online|the internet|on the web|information))?"
    r"(?: (?:for|up|about|on))?|google|bing|look up)\s+)+"
    r"|^(?:请|帮我|麻烦|给我|我想知道|想知道)?用?(?:百度|谷歌|必应|网上|上网|在网上)?"
    r"(?:一下|搜一搜|搜一下|查一下|查查|搜搜|看看|搜索|搜|查|找)?(?:一下)?",
    re.IGNORECASE,
)
_LOOK_UP_AFTER = re.compile(
    r"[，,]?\s?(?:(?:帮我)?(?:搜一下|搜一搜|搜搜|查一下|查查|百度一下)|please|online)$", re.IGNORECASE
)
_BANK = re.compile(
    r"(?:工商|农业|中国|建设|交通|招商|邮储|邮政储蓄|平安|民生|兴业|光大|浦发|中信|华夏|广发|北京|上海|宁波|杭州)银行"
    r"|[工农中建交招]行|浦发|平安"
)
_LATIN = re.compile(r"[A-Za-z]")


def words_of(given: ValueRequest) -> JsonValue:
    """The words of the span, without what leads to them and without the app that they name at the end."""
    words = _TAIL.sub("", _LEAD.sub("", given.span.strip(" \"“”'‘’")))
    return titles.cleaned(_without_app(_COMMAND.sub("", words), given))


def _without_app(words: str, given: ValueRequest) -> str:
    """``cats on YouTube`` is ``cats``, where the function has a parameter for the app."""
    match = _IN_APP.search(words)
    apps = [name for name in _APPS if name in given.spec.parameters]
    known = match and any(
        named(given.spec.name, name, match["app"], given.spec.parameters[name].choices) for name in apps
    )
    return words[: match.start()] if match and known else words


def message(given: ValueRequest) -> JsonValue:
    """The words of a message; what introduces it up to its span, and one or two characters after it, belong to it."""
    place = locate(given.span, given.said)
    words = given.span
    if place:
        end = len(given.said) if len(given.said) - place[1] <= _SHORT_REST else place[1]
        words = given.said[_begin(given.said[: place[0]]) : end]
    return _LEAD.sub("", words).strip(" \"“”'‘’:：,，") or None


def _begin(before: str) -> int:
    """Where a message begins, given what stands before its span: after what introduces it, or at an article."""
    introduced = _INTRODUCED_BEFORE.search(before)
    if introduced:
        return introduced.start("begin")
    article = _ARTICLE_BEFORE.search(before)
    return article.start() if article else len(before)


def query(given: ValueRequest) -> JsonValue:
    """What to look up: the request without the words that only say "look it up"."""
    words = _LOOK_UP_AFTER.sub("", _LOOK_UP.sub("", given.said.strip(" ?？.。!！")))
    return titles.cleaned(words) or words_of(given)


def bank(given: ValueRequest) -> JsonValue:
    """A bank by its name; else the words of the span."""
    match = _BANK.search(given.said)
    return match[0] if match else words_of(given)


def subject(given: ValueRequest) -> JsonValue:
    """The subject of an e-mail, where the request has one."""
    match = _SUBJECT.search(given.said)
    return titles.cleaned(match["words"]) if match else None


def body(given: ValueRequest) -> JsonValue:
    """The text of an e-mail."""
    after = _SUBJECT.search(given.said)
    match = _BODY.search(given.said, after.end() if after else 0)
    if match:
        return match["words"].strip(" \"“”'‘’")
    return None if after else message(given)


def text_to_translate(given: ValueRequest) -> JsonValue:
    """What is quoted, or stands between the words that ask for a translation."""
    quoted = titles.quoted(given.said)
    if quoted:
        return quoted
    said = given.said.strip(" ?？.。")
    match = _TRANSLATED.search(said) or _TRANSLATED_HAN.search(said)
    return match["words"].strip() if match else message(given)


def target_language(given: ValueRequest) -> JsonValue:
    """The stated language; without one the owner's, if the text is in another."""
    stated = titles.cleaned(given.span)
    if stated:
        return stated.title() if stated.isascii() else stated
    text = str(text_to_translate(given.for_("text")) or "")
    own = "English" if given.person.language == "en" else "中文"
    other = spoken(text, given.person.language) not in (None, own) or bool(
        own == "中文" and text and _LATIN.search(text)
    )
    return own if other else None


def place(given: ValueRequest) -> JsonValue:
    """A place, without the preposition before it."""
    return titles.cleaned(re.sub(r"(?i)^(?:to|at|in|near|from|of|去|到|从|在|回)\s*", "", given.span))


def app(given: ValueRequest) -> JsonValue:
    """An app's name, without "app" behind it."""
    name = words_of(given)
    return re.sub(r"(?i)(?<=\S)\s?(?:app|application|应用|软件)$", "", name) if isinstance(name, str) else None


def scene(given: ValueRequest) -> JsonValue:
    """The name of a scene, without "scene" behind it."""
    name = words_of(given)
    return re.sub(r"(?i)(?<=\S)\s?(?:scene|routine|mode|场景|模式)$", "", name) if isinstance(name, str) else None
