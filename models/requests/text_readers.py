"""Readers of free words in a request: messages, titles, names, what to look up or to translate."""

import re

from pydantic import JsonValue

from models.requests.app_names import without_app
from models.values import titles
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
    r"^(?:(?:that|to|by|saying|says|and|about|the number|number|please|pls)\s+|[:：,，]\s*"
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
    r"^(?:(?:打开|运行|启动|搜索|搜|分享|播放|附近的?|周边的?|什么|求推荐|推荐|一[份个首部集杯碗张本]|个|点|叫|来点|来份|给我|帮我|我要|我想)(?=\S{2}))+"
)
"""Chinese words that lead to a thing and are not its name."""
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
_GIVEN_TO = re.compile(r"(?:给|跟|和|与|告诉|问|叫|约|通知|找|联系|呼叫|拨打?|@)(?P<begin>[\u4e00-\u9fff]{1,2})$")
_NO_NAME = re.compile(r"[我你他她它们人的发打转钱块]|微信|电话|短信|消息|一下")
_COUNTED = re.compile(
    r"(?:[份个杯碗首部集张双件本点来买搜查找订听放看]|[一看查搜找]下)(?P<begin>[\u4e00-\u9fff]{1,2})$"
)
_NO_THING = re.compile(r"[的有去在到我你上下里和一几些篇讲看午早晚时]|附近")
_IN_CALENDAR = re.compile(
    r"\s(?:in|into|to|on)\s(?:my|the|our)\s(?:diary|calendar|agenda|schedule)\b.*$|[，,]?(?:记|写|加|放|存|添加)(?:到|进|入|在)?日[历程].*$",
    re.IGNORECASE,
)
_TABLE_FOR = re.compile(
    r"^(?:a )?(?:table )?(?:for )?(?:\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|us)"
    r"(?: people| persons| of us)? (?:at|in) ",
    re.IGNORECASE,
)
_BOOKED = re.compile(r"^(?:预?订|预约)(?:个|一?桌|位)?(?=\S{2})")
_OPENED = re.compile(r"(?:打开|启动|运行|进入|卸载)(?P<app>[\u4e00-\u9fff]{2,10}?)(?:吧|一下|应用|软件)?$")
_LATE_COMMAND = re.compile(r"^\S{0,4}?(?:播放|[放听来]一?首)(?=\S{2})")
"""Chinese words that lead to a thing, behind the end of an app's name."""
_REST_OF_NAME = re.compile(r"[\u4e00-\u9fff](?=[转打发说付还的，,\d]|$)")
_RECIPIENTS = ("recipient", "contact_name", "payee")
_MOST_BEFORE = 8
"""Characters between a recipient and the message to them."""
_LEADS_TO_MESSAGE = re.compile(r"[说发]|短信|消息|微信|电话")
_AFTER_COLON = re.compile(r"翻?译[成为]\S{1,5}?[：:，,]\s?(?P<words>.+)$")
_INTO = re.compile(r"^(?:.{0,12}翻?译[成为]|[成为]|(?:in)?to\s)")
_GOES_TO = re.compile(
    r"(?:导航|带我|[去到回])[去到回](?P<place>[^，,。去到]{2,20})$|导航(?P<other>[^，,。去到]{2,20})$"
)


def whole_name(given: ValueRequest) -> str:
    """The span of a person, with the Chinese characters of the name that it cuts off (给张|伟)."""
    name = _with_beginning(given, _GIVEN_TO, _NO_NAME)
    place = locate(name, given.said)
    rest = _REST_OF_NAME.match(given.said, place[1]) if place and len(name) == 1 else None
    return name + rest[0] if rest and not _NO_NAME.search(rest[0]) else name


def _with_beginning(given: ValueRequest, led: re.Pattern[str], never: re.Pattern[str]) -> str:
    """The span with the few Chinese characters between it and the word that leads to it."""
    place = locate(given.span, given.said)
    match = led.search(given.said[: place[0]]) if place else None
    if match is None or never.search(match["begin"]) or not "\u3400" <= given.span[:1] <= "\u9fff":
        return given.span
    return match["begin"] + given.span


def event_title(given: ValueRequest) -> JsonValue:
    """The title of an appointment, without the calendar that it goes to."""
    words = words_of(given)
    return _IN_CALENDAR.sub("", words) or None if isinstance(words, str) else None


def restaurant(given: ValueRequest) -> JsonValue:
    """A restaurant, without the number of people before it."""
    words = words_of(given)
    return _BOOKED.sub("", _TABLE_FOR.sub("", words)) or None if isinstance(words, str) else None


def words_of(given: ValueRequest) -> JsonValue:
    """The words of the span, without what leads to them and without the app that they name at the end."""
    span = _with_beginning(given, _COUNTED, _NO_THING)
    words = _TAIL.sub("", _LEAD.sub("", span.strip(" \"“”'‘’")))
    words = _COMMAND.sub("", _LATE_COMMAND.sub("", words))
    words = without_app(words, given)
    return titles.cleaned(_without_location(words, given))


def _without_location(words: str, given: ValueRequest) -> str:
    """``Thai food in Soho`` is ``Thai food``, where the function has a parameter for the place."""
    location = given.spans.get("location", "") if given.name == "keyword" else ""
    return re.sub(rf"(?i)\s(?:in|near|around)\s{re.escape(location)}$", "", words) if location else words


def message(given: ValueRequest) -> JsonValue:
    """The words of a message; what introduces it up to its span, and one or two characters after it, belong to it."""
    place = locate(given.span, given.said)
    words = given.span
    if place:
        end = len(given.said) if len(given.said) - place[1] <= _SHORT_REST else place[1]
        words = given.said[_begin(given, place[0]) : end]
    return _LEAD.sub("", words).strip(" \"“”'‘’:：,，") or None


def _begin(given: ValueRequest, start: int) -> int:
    """Where a message begins whose span begins at ``start``: after what introduces it, or at an article."""
    before = given.said[:start]
    introduced = _INTRODUCED_BEFORE.search(before)
    if introduced:
        return introduced.start("begin")
    article = _ARTICLE_BEFORE.search(before)
    return article.start() if article else _after_recipient(given, start)


def _after_recipient(given: ValueRequest, start: int) -> int:
    """The end of the recipient, where only a few Chinese characters follow it before the span (告诉张三|明天|不来)."""
    places = (locate(whole_name(given.for_(name)), given.said) for name in _RECIPIENTS if given.spans.get(name))
    end = next((place[1] for place in places if place), start)
    between = given.said[end:start]
    is_part = 0 < len(between) <= _MOST_BEFORE and not between.isascii() and not _LEADS_TO_MESSAGE.search(between)
    return end if is_part else start


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
    stated = _AFTER_COLON.search(given.said)
    quoted = stated["words"].strip(' “”"') if stated else titles.quoted(given.said)
    if quoted:
        return quoted
    said = given.said.strip(" ?？.。")
    match = _TRANSLATED.search(said) or _TRANSLATED_HAN.search(said)
    return match["words"].strip() if match else message(given)


def target_language(given: ValueRequest) -> JsonValue:
    """The stated language; without one the owner's, if the text is in another."""
    stated = titles.cleaned(_INTO.sub("", given.span))
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
    stated = titles.cleaned(re.sub(r"(?i)^(?:(?:to|at|in|near|from|of)\s+|[去到从在回]\s*)", "", given.span))
    match = _GOES_TO.search(given.said)
    whole = (match["place"] or match["other"]) if match else ""
    # A span may hold the beginning of the place alone.
    return whole if whole.startswith(stated or "") and whole else stated


def app(given: ValueRequest) -> JsonValue:
    """An app's name, without "app" behind it."""
    opened = _OPENED.search(given.said)
    whole = opened["app"] if opened and given.span and given.span in opened["app"] else None
    name = whole or words_of(given)
    return re.sub(r"(?i)(?<=\S)\s?(?:app|application|应用|软件)$", "", name) if isinstance(name, str) else None


def scene(given: ValueRequest) -> JsonValue:
    """The name of a scene, without "scene" behind it."""
    name = words_of(given)
    return re.sub(r"(?i)(?<=\S)\s?(?:scene|routine|mode|场景|模式)$", "", name) if isinstance(name, str) else None
