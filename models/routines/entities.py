"""Values that stand in a text: clock times, dates, percentages, addresses, files, numbers, names introduced."""

import re
from collections.abc import Callable, Iterator
from datetime import date
from typing import NamedTuple

_EXTENSIONS = "pdf|docx?|pptx?|xlsx?|csv|txt|md|rtf|odt|odp|ods|pages|key|zip|jpe?g|png|mp4|mp3|epub"
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_PART_OF_DAY = "(?P<part>凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|深夜|明早|今晚)?"
# The hundred most common Chinese family names cover about 85 % of the people (Ministry of Public Security, 2019).
_SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩邓冯曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭"
    "陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向常"
)
# Words that open a sentence after "this is …" but are nobody's name.
_NO_NAME = (
    r"(?!(?:a|an|the|my|your|our|his|her|just|only|not|to|from|for|about|urgent|important|very|really|so|it|what|how"
    r"|why|where|great|good|fine|sorry|here|now|still|on|in|at|us|all|that|to inform|regarding|automated|bank|customer"
    r"|delivery|service|support|order|parcel|courier|account|security|notice|team|free|new)\b)"
)
_NAME = rf"{_NO_NAME}(?:(?:dr|prof|professor|mr|mrs|ms|miss)\.?\s+)?(?P<name>[^\W\d_][\w.’'-]*(?:\s+(?-i:[A-Z])[\w’'-]*){{0,2}})"


class Entity(NamedTuple):
    """A value found in a text."""

    kind: str
    value: str
    start: int
    end: int


class _Pattern(NamedTuple):
    kind: str
    pattern: re.Pattern[str]
    value: Callable[[re.Match[str], date], str | None]


def _whole(match: re.Match[str], _today: date) -> str | None:
    return match[0].strip()


def _group(match: re.Match[str], _today: date) -> str | None:
    return str(match["value"]).strip()


def _clock(match: re.Match[str], _today: date) -> str | None:
    hour, minute = int(match["hour"]), int(match["minute"] or 0)
    half = (match["half"] or "").lower().replace(".", "")
    if half == "pm" and hour < 12:
        hour += 12
    if half == "am" and hour == 12:
        hour = 0
    return f"{hour:02}:{minute:02}" if hour < 24 and minute < 60 else None


def _chinese_clock(match: re.Match[str], _today: date) -> str | None:
    hour = int(match["hour"])
    minute = 30 if match["minute"] == "半" else int(match["digits"] or 0)
    if match["part"] in ("下午", "傍晚", "晚上", "夜里", "今晚") and hour < 12:
        hour += 12
    return f"{hour:02}:{minute:02}" if hour < 24 and minute < 60 else None


def _nearest_year(month: int, day: int, today: date) -> date | None:
    """The date of that day nearest to ``today``: texts leave the year out."""
    years = (today.year - 1, today.year, today.year + 1)
    try:
        return min((date(year, month, day) for year in years), key=lambda found: abs((found - today).days))
    except ValueError:
        return None


def _date(match: re.Match[str], today: date) -> str | None:
    name = match["month"]
    month = int(name) if name.isdigit() else _MONTHS.index(name[:3].lower()) + 1
    try:
        year = match["year"]
        found = date(int(year), month, int(match["day"])) if year else _nearest_year(month, int(match["day"]), today)
    except ValueError:
        return None
    return found.isoformat() if found else None


def _file(match: re.Match[str], _today: date) -> str | None:
    # Chinese has no spaces: "用邮箱把周报.pdf发给" holds the name behind its particle.
    return re.split(r"[把将了给送开阅看]", match[0])[-1]


def _phone(match: re.Match[str], _today: date) -> str | None:
    digits = re.sub(r"\D", "", match[0])
    return match[0].strip() if 7 <= len(digits) <= 15 else None


def _introduced(match: re.Match[str], _today: date) -> str | None:
    name = str(match["name"]).strip().rstrip(".")
    belongs = re.search(r"['’]s?$", name)
    # "this is amazing": a name in small letters is believed only beside a word about numbers.
    doubtful = name[0].islower() and not re.search(r"\b(?:number|phone|sim|mobile)\b", match.string, re.IGNORECASE)
    return None if belongs or doubtful or len(name) < 2 else name[0].upper() + name[1:]


def _pattern(kind: str, regex: str, value: Callable[[re.Match[str], date], str | None] = _whole) -> _Pattern:
    return _Pattern(kind, re.compile(regex, re.IGNORECASE), value)


_PATTERNS = (
    _pattern("email", r"[a-z0-9_.+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+"),
    _pattern("url", r"https?://[^\s'\"<>，。）)]+"),
    _pattern("file", rf"(?<![\w/@])[\w.()-]*[\w)]\.(?:{_EXTENSIONS})(?![.]?[a-z0-9])", _file),
    _pattern(
        "clock_time", r"(?<![\d:])(?P<hour>\d{1,2})[:：](?P<minute>\d{2})(?![\d:])\s*(?P<half>[ap]\.?m\b\.?)?", _clock
    ),
    _pattern("clock_time", r"(?<![\d:])(?P<hour>1[0-2]|[1-9])(?P<minute>(?!))?\s*(?P<half>[ap]\.?m\b\.?)", _clock),
    _pattern(
        "clock_time",
        rf"{_PART_OF_DAY}\s*(?P<hour>\d{{1,2}})\s*[点时](?!\w*内)\s*(?P<minute>半|(?P<digits>\d{{1,2}})\s*分?)?",
        _chinese_clock,
    ),
    _pattern("percent", r"(?<![\d.])(?P<value>\d{1,3})\s*(?:%|％|percent\b|per cent\b)", _group),
    _pattern("percent", r"百分之(?P<value>\d{1,3})", _group),
    _pattern("date", r"(?<!\d)(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?!\d)", _date),
    _pattern("date", rf"\b(?P<month>{_MONTH})\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(?P<year>\d{{4}}))?", _date),
    _pattern("date", rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<month>{_MONTH})\b(?:,?\s+(?P<year>\d{{4}}))?", _date),
    _pattern("date", r"(?:(?P<year>\d{4})年)?(?P<month>\d{1,2})月(?P<day>\d{1,2})[日号]", _date),
    _pattern("phone", r"(?<![\w.])\+?\d(?:[\d ()-]{5,17})\d(?![\w.]*\w)", _phone),
    _pattern("money", r"(?:[¥￥$€£]|CNY|USD|EUR|RMB)\s*(?P<value>\d+(?:[.,]\d+)*)", _group),
    _pattern("money", r"(?<![\w.])(?P<value>\d+(?:\.\d+)?)\s*(?:元|块|CNY|USD|EUR|RMB|yuan|dollars?|euros?)(?!\w)", _group),
    _pattern("minutes", r"(?<![\d.])(?P<value>\d{1,3})[\s-]*(?:minutes?|mins?|分钟)", _group),
    _pattern("seconds", r"(?<![\d.])(?P<value>\d{1,3})[\s-]*(?:seconds?|secs?|秒)", _group),
    _pattern("channel", r"(?<![\w&#])#(?P<value>[\w-]*[^\W\d_][\w-]*)", _group),
    _pattern(
        "channel",
        r"(?:the|his|her|my|our|to|in|into)\s+['\"“‘]?(?P<value>[\w-]+(?:\s(?-i:[A-Z])[\w-]*)?)['\"”’]?"
        r"\s+(?:channel|group chat|group|room)\b",
        _group,
    ),
    _pattern("channel", r"[在往到向给][“\"「『#]?(?P<value>[^\s，。,.在往到向给“”\"「」『』#]{1,12}?)[”\"」』]?\s*(?:频道|工作群|群组|群聊|群)", _group),
    _pattern("introduction", rf"(?:\bthis\s+is|\bthis['’]?s|\bit['’]s|\bit\s+is|\bmy\s+name\s+is|\bmy\s+name['’]s)\s+{_NAME}(?=\s*(?:[,.!;:–—-]|$|from\b|of\b|at\b|here\b|again\b|speaking\b|and\b|\(|with\b|on\b|writing\b|texting\b))", _introduced),
    _pattern("introduction", rf"(?:^|[,.!]\s*)(?:hi|hey|hello)?[,!]?\s*{_NAME}\s+here\b", _introduced),
    _pattern("introduction", r"\b(?:i\s+am|i['’]m)\s+(?P<name>(?-i:[A-Z])[\w’'-]+(?:\s+(?-i:[A-Z])[\w’'-]+){0,2})(?=\s*(?:[,.!;]|from\b|of\b))", _introduced),
    _pattern("introduction", rf"(?:我是|这是|我叫)(?:你的)?(?:同学|同事|朋友|老师)?(?P<name>(?:小|老)?[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}?)(?=[，,。.！!：:；;的换这了\s]|$)", _introduced),
    _pattern("introduction", r"(?:我是|这是|我叫)(?P<name>(?-i:[A-Z])[a-z]+)", _introduced),
)  # fmt: skip


def find(text: str, today: date) -> tuple[Entity, ...]:
    """All values in ``text``, by place; dates without a year are resolved near ``today``."""
    return tuple(sorted(_found(text, today), key=lambda entity: (entity.start, -entity.end)))


def _found(text: str, today: date) -> Iterator[Entity]:
    for kind, pattern, convert in _PATTERNS:
        for match in pattern.finditer(text):
            value = convert(match, today)
            if value:
                yield Entity(kind, value, match.start(), match.end())
