"""Declared sets of what is never stored, shown to a model, or logged.

A secret is replaced by ``[code]``, ``[card]``, ``[id]`` or ``[key]``: the reader still knows that something
was there. Applied by the collectors before a fact is built and by the log formatter as a second net.

Three kinds of rule, from certain to circumstantial:

* *shapes* that mean only one thing (a private key, a card number with a right check digit);
* *values named by their word* (``password: hunter2``, ``护照号 E12345678``);
* *one-time codes*: a bare number is a secret only near a word such as "verification code", so prices, times,
  dates, years, phone numbers and quantities nearby must be told apart from it.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping
from typing import NamedTuple

from pydantic import JsonValue

from heed.messages import Message, Text, Value

# --- shapes ---------------------------------------------------------------------------------------------------
# `\b` would see no boundary between a Chinese character and a letter, so the borders are spelled out.
_START = r"(?<![A-Za-z0-9])"
_END = r"(?![A-Za-z0-9])"
_DIGIT = re.compile(r"\d")


class _Rule(NamedTuple):
    label: str
    pattern: re.Pattern[str]
    holds: Callable[[str], bool] | None = None
    """A check of the matched text, such as its check digit."""

    def apply(self, text: str) -> str:
        label = f"[{self.label}]"
        return self.pattern.sub(lambda match: match[0] if self.holds and not self.holds(match[0]) else label, text)


class _Named(NamedTuple):
    label: str
    words: tuple[str, ...]
    """One of these must be there at all, in lower case: looking for them first is ten times as fast."""
    pattern: re.Pattern[str]
    """Its first group stays, the rest is the value."""

    def apply(self, text: str, folded: str) -> str:
        return self.pattern.sub(rf"\1[{self.label}]", text) if any(word in folded for word in self.words) else text


def _luhn(text: str) -> bool:
    total = 0
    for place, digit in enumerate(reversed(_DIGIT.findall(text))):
        value = int(digit) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def _iban(text: str) -> bool:
    """ISO 13616: letters as numbers, the first four characters last, modulo 97 is 1."""
    compact = text.replace(" ", "")
    turned = compact[4:] + compact[:4]
    return 15 <= len(compact) <= 34 and int("".join(str(int(letter, 36)) for letter in turned)) % 97 == 1


_KEY_PREFIXES = (
    r"sk-|pk-|sk_(?:live|test)_|pk_(?:live|test)_|rk_live_|gh[pousr]_|github_pat_|glpat-|xox[abprs]-|hf_|npm_|pypi-|"
    r"SG\.|ya29\.|AIza|AKIA|ASIA"
)

SHAPES: tuple[_Rule, ...] = (
    _Rule("key", re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.S)),
    _Rule("key", re.compile(rf"{_START}(?:{_KEY_PREFIXES})[-_.A-Za-z0-9]{{12,}}")),
    _Rule("key", re.compile(rf"{_START}eyJ[\w-]{{8,}}\.[\w-]{{8,}}\.[\w-]{{8,}}", re.A)),
    # Chinese resident identity card: region, date of birth, serial and a check digit or X (GB 11643).
    _Rule("id", re.compile(r"(?<!\d)\d{6}(?:18|19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx]" + _END)),
    # Social security number (US) and national insurance number (UK).
    _Rule("id", re.compile(r"(?<![\d-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])")),
    _Rule("id", re.compile(_START + r"[A-CEGHJ-PR-TW-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]" + _END)),
    # ISO/IEC 7812 issuers of payment cards begin with 2 to 6; other long numbers (orders, times in ms) are not cards.
    _Rule("card", re.compile(r"(?<![A-Za-z\d+-])(?:3[0-9]|[456]\d|2[2-7])(?:[ -]?\d){12,17}(?![\d-])" + _END), _luhn),
    _Rule("card", re.compile(_START + r"[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?" + _END), _iban),
)


def _by_shape(text: str) -> str:
    for rule in SHAPES:
        text = rule.apply(text)
    return text


# --- values named by their word -----------------------------------------------------------------------------------
_IS = r"[\s:：=#]*(?:(?:no\.?|number|is|was|号码?|为|是)[\s:：=#]*){0,3}"

_PASSWORD = ("passw", "passphrase", "pwd", "密码", "口令")

NAMED: tuple[_Named, ...] = (
    _Named("key", ("bearer",), re.compile(r"(\bbearer\s+)[-\w.~+/]{12,}=*", re.I | re.A)),
    _Named(
        "key",
        ("key", "token", "secret", "signature"),
        re.compile(
            r"((?:(?:api|access|secret)[-_ ]?key|token|client[-_]?secret|signature)[\"']?\s*[:=]\s*[\"']?)"
            r"[-\w.~+/%]{8,}=*",
            re.I | re.A,
        ),
    ),
    _Named("key", _PASSWORD, re.compile(r"((?:password|passwd|passphrase|pwd|密码|口令)\s*[:：=]\s*)[!-~]{4,}", re.I)),
    _Named(
        "key",
        _PASSWORD,
        re.compile(r"((?:password|passwd|passphrase|密码|口令)\s*(?:is|为|是)\s*)(?=[!-~]*\d)[!-~]{4,}", re.I),
    ),
    _Named(
        "id",
        ("passport", "护照"),
        re.compile(rf"((?:passport|护照){_IS})(?:[A-Z]{{1,2}}\d{{7,8}}|\d{{9}}){_END}", re.I),
    ),
    _Named(
        "id",
        ("身份证", "社保", "医保", "驾驶证", "social security", "licen"),
        re.compile(
            rf"((?:身份证|社保|医保卡?|驾驶证|social security|driver'?s licen[cs]e){_IS})[A-Z]?\d{{7,18}}[\dX*]*", re.I
        ),
    ),
    _Named(
        "card",
        ("卡", "账号", "帐号", "账户", "iban", "card", "account", "acct"),
        re.compile(rf"((?:卡号|银行卡|账号|帐号|账户|iban|card|account|acct){_IS})\d(?:[ -]?\d){{8,18}}", re.I),
    ),
    _Named("code", ("cvv", "cvc", "安全码"), re.compile(rf"((?:cvv2?|cvc2?|安全码){_IS})\d{{3,4}}(?!\d)", re.I)),
)


def _by_name(text: str) -> str:
    folded = text.casefold()
    for rule in NAMED:
        text = rule.apply(text, folded)
    return text


# --- one-time codes -----------------------------------------------------------------------------------------------
_STRONG = re.compile(
    r"(?:verification|security|confirmation|authenti\w+|auth|login|log-in|sign-in|access|one[- ]time|single-use|2fa)"
    r"[ -](?:code|pin|password|passcode|number)s?|passcodes?|one[- ]time|\b(?:otp|mtan)\b"
    r"|验证码|校验码|驗證碼|动态码|动态密码|动态口令|随机码|激活码|短信码|登录码|确认码|授权码|安全码",
    re.I,
)
"""Words that announce a code: the nearest number to them is one unless something else explains it."""

_WEAK = re.compile(r"(?<!\[)\b(?:code|pin)\b|密码|口令|提取码", re.I)
"""Words that name a code only when directly tied to it ("code is 482913", "482913 is your code")."""

_NOT_SECRET = re.compile(
    r"(?:zip|post(?:al)?|promo(?:tion)?|discount|coupon|voucher|error|status|exit|area|country|dial(?:ling)?|dress|source|"
    r"qr|bar|colou?r|product|item|room|gate|course|flight|tax|sort|hs|折扣|优惠|邮政|兑换)[ -]?$",
    re.I,
)
"""What stands before a weak word that names something public."""

# "[code]" itself stands for the number it replaced, so that redacting twice changes nothing more.
_NUMBER = r"\[code\]|\d{4,8}|\d{3}[ -]\d{3,4}|\d{2} \d{2} \d{2}"
_MIXED = r"[A-Z]{1,2}-\d{4,8}|(?=[A-Z]*\d[A-Z]*\d)[A-Z0-9]{5,8}|(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{4,8}"
_CANDIDATE = re.compile(
    rf"(?<![A-Za-z\d])(?<!\d[.,:：/-])(?<![¥￥$€£])(?:(?P<number>{_NUMBER})|{_MIXED})(?![A-Za-z\d]|[.,:：/-]\d|-[A-Za-z\d])"
)

_TIED_AFTER = re.compile(
    r"[\s:：=#*“”\"'「『【\[（(<-]*(?:(?:is|was|are|为|是|码)[\s:：=#*“”\"'「『【\[（(<]*){0,2}$", re.I
)
_TIED_BEFORE = re.compile(
    r"^[\s)）】\]」』”\"',，]*(?:(?:is|as|for|为|是|作为|[（(【])\s*)(?:[^\d\n.。!！?？]{0,30})$", re.I
)

_UNIT_AFTER = re.compile(
    r"^\s*(?:[%％°]|元|块|万|亿|美元|人民币|港币|欧元|分钟|小时|天|日|秒|年|月|号楼|楼|室|米|公里|千米|公斤|人|条|个|件|次|份|张|"
    r"(?:yuan|rmb|cny|usd|eur|gbp|dollars?|euros?|pounds?|minutes?|mins?|hours?|hrs?|days?|seconds?|secs?|weeks?|months?|"
    r"years?|people|points?|steps?|km|kg|m|cm|mb|gb|kb|miles?|am|pm|[ap]\.m)(?![A-Za-z]))",
    re.I,
)
_REASON_BEFORE = re.compile(
    r"(?<![A-Za-z])(?:[¥￥$€£]|rmb|cny|usd|eur|gbp|call|phone|tel|dial|text|sms|to|from|hotline|致电|拨打|电话|热线|客服|来电|联系|发送[至到]|回复|尾号|"
    r"末四位|订单号?|单号|编号|余额|消费|支出|金额|ending(?: in)?|order|invoice|ticket|flight|room|gate|ref(?:erence)?|"
    r"amount|balance)"
    r"[\s:：#.]*(?:(?:number|no\.?|is|为|是|at)[\s:：#.]*)?$",
    re.I,
)
_YEAR = re.compile(r"(?:19|20)\d{2}$")
_WINDOW = 60


class _Span(NamedTuple):
    start: int
    end: int
    is_number: bool = False
    """Letters and digits mixed are a code only where grammar ties them to the word."""


def _explained(text: str, span: _Span) -> bool:
    """Whether something other than a code explains this number: a unit, a price, a phone call, a year."""
    before, after = text[max(0, span.start - 24) : span.start], text[span.end : span.end + 16]
    is_year = bool(_YEAR.fullmatch(text[span.start : span.end]))
    return is_year or bool(_UNIT_AFTER.match(after)) or bool(_REASON_BEFORE.search(before))


def _tied(text: str, word: _Span, span: _Span) -> bool:
    """Whether grammar ties the number to the word: "code: 482913", "482913 is your code"."""
    if span.start >= word.end:
        return bool(_TIED_AFTER.match(text[word.end : span.start])) and not _UNIT_AFTER.match(text[span.end :][:16])
    return bool(_TIED_BEFORE.match(text[span.end : word.start])) and not _REASON_BEFORE.search(text[: span.start][-24:])


def _distance(word: _Span, span: _Span) -> int:
    return span.start - word.end if span.start >= word.end else word.start - span.end


def _near(text: str, word: _Span, spans: list[_Span]) -> list[_Span]:
    """The numbers within reach of the word, best first: tied to it, then nearest. ``spans`` are in text order."""
    first = bisect_left(spans, word.start - _WINDOW - 10, key=lambda span: span.start)
    last = bisect_right(spans, word.end + _WINDOW, key=lambda span: span.start)
    within = (span for span in spans[first:last] if 0 <= _distance(word, span) <= _WINDOW)
    return sorted(within, key=lambda span: (not _tied(text, word, span), _distance(word, span)))


def _strong_code(text: str, word: _Span, spans: list[_Span]) -> _Span | None:
    near = _near(text, word, spans)
    return next((s for s in near if _tied(text, word, s) or (s.is_number and not _explained(text, s))), None)


def _weak_code(text: str, word: _Span, spans: list[_Span]) -> _Span | None:
    if _NOT_SECRET.search(text[max(0, word.start - 16) : word.start]):
        return None
    return next((span for span in _near(text, word, spans) if _tied(text, word, span)), None)


def _codes(text: str) -> set[_Span]:
    spans = [_Span(*match.span(), match["number"] is not None) for match in _CANDIDATE.finditer(text)]
    if not spans:
        return set()
    strong = [_Span(*match.span()) for match in _STRONG.finditer(text)]
    weak = [_Span(*match.span()) for match in _WEAK.finditer(text)]
    weak = [word for word in weak if not any(one.start <= word.start < one.end for one in strong)]
    found = [_strong_code(text, word, spans) for word in strong] + [_weak_code(text, word, spans) for word in weak]
    return {span for span in found if span is not None}


def _by_vicinity(text: str) -> str:
    for span in sorted(_codes(text), reverse=True):
        text = f"{text[: span.start]}[code]{text[span.end :]}"
    return text


# --- what the rooms call ------------------------------------------------------------------------------------------
STRUCTURAL_KEYS = frozenset({"number", "numbers", "package", "activity", "time", "before", "oldest", "sha256"})
"""Fields of structured values that hold an identifier by definition: a phone number is never a card."""


def redact(text: str) -> str:
    """``text`` with one-time codes, card, account and ID numbers and keys replaced by their labels."""
    return _by_vicinity(_by_name(_by_shape(text)))


def redact_text(text: Text) -> Text:
    """``redact`` for a message: its values are redacted, the template is ours."""
    if isinstance(text, str):
        return redact(text)
    return text.model_copy(update={"values": {name: _redact_item(value) for name, value in text.values.items()}})


def _redact_item(value: Value) -> Value:
    if isinstance(value, tuple):
        return tuple(redact_text(item) if isinstance(item, Message | str) else item for item in value)
    return redact_text(value) if isinstance(value, Message | str) else value


def redact_value(value: JsonValue) -> JsonValue:
    """``value`` with every string in it redacted, fields of ``STRUCTURAL_KEYS`` excepted."""
    if isinstance(value, str):
        return redact(str(value))  # an enum becomes its plain text
    if isinstance(value, list):
        return [redact_value(item) for item in value]
    return redact_fields(value) if isinstance(value, dict) else value


def redact_fields(fields: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The fields of a structured value, redacted."""
    return {key: value if key in STRUCTURAL_KEYS else redact_value(value) for key, value in fields.items()}
