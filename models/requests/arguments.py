"""Reads the arguments of a call from the owner's own words, and finds which required ones are missing."""

import re
from collections.abc import Mapping
from datetime import datetime, time

from pydantic import JsonValue

from function_pool.call import FunctionCall
from function_pool.spec import FunctionSpec, Meaning, Pool
from function_pool.validation import NEEDS, InvalidCallError, validate
from models.requests.words import has_words, named_value
from models.values import amounts, contacts, numbers, titles
from models.values.choices import named
from models.values.folding import fold, locate
from models.values.incoming import IncomingText
from models.values.languages import spoken
from models.values.person import Person
from models.values.readers import ValueRequest, reader
from models.values.readers.request import Reader, stated
from models.values.readers.selections import choose

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
_SWITCH_OFF = re.compile(
    r"\b(?:off|disable|light (?:mode|theme)|lock|stop|without|kill)\b|关闭|关掉|关了|关|浅色|锁定|停|别转",
    re.IGNORECASE,
)
_FULL = re.compile(r"\b(?:full|max(?:imum)?|brightest|highest)\b|最亮|最大|最高")
_LEAST = re.compile(r"\b(?:min(?:imum)?|lowest|darkest)\b|最暗|最小|最低")
_HALVES = re.compile(r"一半|\bhalf\b")
_TENTHS = re.compile(r"(?P<tenths>[一二三四五六七八九])成")
_DEGREES = re.compile(r"\bto (?P<to>\d{1,3})\b|调?[到成为](?:百分之)?(?P<han>\d{1,3}|[一二两三四五六七八九十]{1,3})")
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
_UNITS = "one|two|three|four|five|six|seven|eight|nine"
_NUMBER_WORDS = re.compile(
    rf"\b(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[\s-](?:{_UNITS}))?|{_UNITS}|ten|eleven|twelve"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teen)\b",
    re.IGNORECASE,
)
_AFTER_NOON = re.compile(r"\bpm\b|\bp\.m\b|\d\s?pm\b|evening|afternoon|tonight|night|晚|下午|傍晚|夜")
_DOORS = re.compile(r"\b(?:door|lock|gate|garage|curtains?|blinds?|shutters?|window)\b|门|窗|锁|帘|闸")
_FOR = re.compile(r"\bfor\b", re.IGNORECASE)
_LATE_HOUR = 16
"""From this hour on, an alarm without a half of the day is read as one of the morning."""
_TURNS_ON = re.compile(r"\bturn\w* (?:\w+ ){0,4}on\b|\benable\b")
_DISABLES = re.compile(
    r"\b(?:off|disable|disconnect|stop|kill|no|leave|quit|exit|end|don'?t need|no longer|without|unpair|cut)\b"
    r"|关闭|关掉|关了|关上|关喽|断开|断掉|退出|停了|停用|不用|取消|别|不省|断网|关(?=$|[，,。吧啦])"
)
_LATIN = re.compile(r"[A-Za-z]")


def read_arguments(
    spec: FunctionSpec, text: str, spans: Mapping[str, str], now: datetime, person: Person
) -> dict[str, JsonValue]:
    """The arguments that a request states, in canonical form; what is not stated is absent.

    Args:
        spec: the function.
        text: the request.
        spans: by parameter name, the words that hold the value, give or take some words.
        now: the phone's clock.
        person: the owner.
    """
    request = ValueRequest(spec, "", spans, IncomingText(app="", text=text), now, person)
    values: dict[str, JsonValue] = {}
    for name in spec.parameters:
        value = _reader(spec, name)(request.for_(name))
        if value not in (None, "", []):
            values[name] = value
    return _valid(spec, values, now)


def missing_arguments(spec: FunctionSpec, values: Mapping[str, JsonValue]) -> tuple[str, ...]:
    """The parameters that a call cannot do without and that have no value; of alternatives one."""
    required = [name for name, parameter in spec.parameters.items() if parameter.required and name not in values]
    for needs in NEEDS:
        applies = needs.function == spec.name and (needs.value is None or values.get(needs.parameter) == needs.value)
        others = [other for other in needs.others if other in spec.parameters]
        if applies and others and not any(other in values for other in others):
            # A person is easier to name than a number.
            required.append(next((one for one in others if _is_person(spec, one)), others[0]))
    return tuple(dict.fromkeys(required))


def alternatives(spec: FunctionSpec, name: str) -> tuple[str, ...]:
    """The parameters any of which may stand in place of ``name``."""
    groups = (needs.others for needs in NEEDS if needs.function == spec.name and name in needs.others)
    return tuple(other for group in groups for other in group if other != name and other in spec.parameters)


def _is_person(spec: FunctionSpec, name: str) -> bool:
    return spec.parameters[name].meaning is Meaning.RECIPIENT


def _valid(spec: FunctionSpec, values: Mapping[str, JsonValue], now: datetime) -> dict[str, JsonValue]:
    """The arguments in canonical form, without those that do not fit."""
    relaxed = {
        name: parameter.model_copy(update={"must_fill": "optional"}) for name, parameter in spec.parameters.items()
    }
    pool = Pool(functions={spec.name: spec.model_copy(update={"parameters": relaxed})})
    kept = dict(values)
    while kept:
        try:
            return dict(validate(pool, FunctionCall(name=spec.name, parameters=kept), now).parameters)
        except InvalidCallError as error:
            faulty = {str(fault.parameter) for fault in error.faults} & kept.keys()
            if not faulty:  # what is missing is asked for; the rest is as it should be
                return kept
            kept = {name: value for name, value in kept.items() if name not in faulty}
    return {}


# --- readers that differ from those of incoming texts ---------------------------------------------------------------


def _reader(spec: FunctionSpec, name: str) -> Reader:
    own = _READERS.get(f"{spec.name}.{name}") or _READERS.get(name)
    if own:
        return own
    return _listed if has_words(spec.name, name) else reader(spec, name)


def _listed(given: ValueRequest) -> JsonValue:
    """An allowed value by the request's words; else as in incoming texts, but for their defaults."""
    own = named_value(given.spec.name, given.name, given.said, given.parameter.choices)
    return own or choose(given)


def _words(given: ValueRequest) -> JsonValue:
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


def _message(given: ValueRequest) -> JsonValue:
    """The words of a message; one or two characters that follow it, and an article before it, belong to it."""
    place = locate(given.span, given.said)
    words = given.span
    if place:
        before = _ARTICLE_BEFORE.search(given.said[: place[0]])
        end = len(given.said) if len(given.said) - place[1] <= _SHORT_REST else place[1]
        words = given.said[before.start() if before else place[0] : end]
    return _LEAD.sub("", words).strip(" \"“”'‘’:：,，") or None


def _query(given: ValueRequest) -> JsonValue:
    """What to look up: the request without the words that only say "look it up"."""
    words = _LOOK_UP_AFTER.sub("", _LOOK_UP.sub("", given.said.strip(" ?？.。!！")))
    return titles.cleaned(words) or _words(given)


def _bank(given: ValueRequest) -> JsonValue:
    match = _BANK.search(given.said)
    return match[0] if match else _words(given)


def _seconds(given: ValueRequest) -> JsonValue:
    return amounts.seconds(_in_digits(given.span)) or amounts.seconds(_in_digits(given.said))


def _minutes(given: ValueRequest) -> JsonValue:
    length = amounts.seconds(_in_digits(given.span or given.said))
    return length // 60 if length and length >= 60 else None


def _in_digits(text: str) -> str:
    """English number words below 100 as digits, which durations are read from."""

    def digits(match: re.Match[str]) -> str:
        return f"{sum(numbers.numbers(match[0])):g}"

    return _NUMBER_WORDS.sub(digits, text)


def _switched(given: ValueRequest) -> JsonValue:
    folded = fold(given.said)
    return bool(_TURNS_ON.search(folded)) or _DISABLES.search(folded) is None


def _subject(given: ValueRequest) -> JsonValue:
    match = _SUBJECT.search(given.said)
    return titles.cleaned(match["words"]) if match else None


def _body(given: ValueRequest) -> JsonValue:
    after = _SUBJECT.search(given.said)
    match = _BODY.search(given.said, after.end() if after else 0)
    if match:
        return match["words"].strip(" \"“”'‘’")
    return None if after else _message(given)


def _today(given: ValueRequest) -> datetime:
    return datetime.combine(given.now.date(), time(0))


def _ordered(given: ValueRequest) -> JsonValue:
    """The product of an order; a word for the page to show ("basket") is none."""
    words = str(_words(given) or "")
    views = given.spec.parameters["view"].choices
    return None if not words or named_value(given.spec.name, "view", words, views) else words


def _agenda_start(given: ValueRequest) -> JsonValue:
    own = reader(given.spec, given.name)(given)
    return own or _today(given).isoformat(timespec="seconds")


def _agenda_end(given: ValueRequest) -> JsonValue:
    own = reader(given.spec, given.name)(given)
    return own or _today(given).replace(hour=23, minute=59, second=59).isoformat(timespec="seconds")


def _percent(given: ValueRequest) -> int | None:
    folded = fold(given.said)
    if _FULL.search(folded):
        return 100
    if _LEAST.search(folded):
        return 0
    if _HALVES.search(folded):
        return 50
    tenths = _TENTHS.search(folded)
    if tenths:
        return (numbers.whole(tenths["tenths"]) or 0) * 10
    found = next(numbers.numbers(given.span or given.said), None)
    return int(found) if found is not None and found == int(found) and 0 <= found <= 100 else None


def _display_value(given: ValueRequest) -> JsonValue:
    setting = _listed(given.for_("setting"))
    if setting == "brightness":
        found = _percent(given)
        return None if found is None else str(found)
    if setting == "screen_timeout":
        length = amounts.seconds(given.said)
        return str(length) if length else None
    if setting == "font_scale":
        factor = next(numbers.numbers(given.span or given.said), None)
        return None if factor is None else f"{factor:g}"
    return "off" if _SWITCH_OFF.search(fold(given.said)) else "on"


def _device_value(given: ValueRequest) -> JsonValue:
    own = reader(given.spec, given.name)(given)
    if own:
        return own
    match = _DEGREES.search(fold(given.said))
    found = numbers.whole(match["to"] or match["han"]) if match else None
    return None if found is None else str(found)


def _device(given: ValueRequest) -> JsonValue:
    """The device; for a question about a room alone, its thermometer has no other name than the room."""
    return _words(given) or (_words(given.for_("room")) if given.spec.name == "query_smart_device_state" else None)


def _device_action(given: ValueRequest) -> JsonValue:
    if _device_value(given.for_("value")) is not None:
        return "set_value"
    action = named_value(given.spec.name, given.name, given.said, given.parameter.choices)
    if _DOORS.search(fold(given.said)):
        return {"turn_on": "open", "turn_off": "close"}.get(str(action), action)
    return action or ("turn_on" if "开" in given.said else None)


def _search_mode(given: ValueRequest) -> JsonValue:
    folded = fold(given.said)
    if _ALL_ALARMS.search(folded):
        return "all"
    if _clock(given.for_("time")):
        return "time"
    return "label" if given.spans.get("label") else "next"


_ALL_ALARMS = re.compile(r"\b(?:all|every|alarms)\b|所有|全部|全都?|都[关别停删]")


def _clock(given: ValueRequest) -> JsonValue:
    """The time of an alarm; without a half of the day that of a morning, at whatever time it is asked for."""
    own = reader(given.spec, given.name)
    # "for six in the evening" is a clock time here, where a text could mean six people.
    at = IncomingText(app="", text=_FOR.sub("at", given.said))
    read = own(given) or own(given._replace(spans={}, text=at))
    if not isinstance(read, str):
        return None
    hour, _, minute = read.partition(":")
    is_late = int(hour) >= _LATE_HOUR and not _AFTER_NOON.search(fold(given.said)) and hour not in given.said
    return f"{int(hour) - 12:02}:{minute}" if is_late else read


def _text_to_translate(given: ValueRequest) -> JsonValue:
    quoted = titles.quoted(given.said)
    if quoted:
        return quoted
    said = given.said.strip(" ?？.。")
    match = _TRANSLATED.search(said) or _TRANSLATED_HAN.search(said)
    return match["words"].strip() if match else _message(given)


def _target_language(given: ValueRequest) -> JsonValue:
    """The stated language; without one the owner's, if the text is in another."""
    named = titles.cleaned(given.span)
    if named:
        return named.title() if named.isascii() else named
    text = str(_text_to_translate(given.for_("text")) or "")
    own = "English" if given.person.language == "en" else "中文"
    other = spoken(text, given.person.language) not in (None, own) or bool(
        own == "中文" and text and _LATIN.search(text)
    )
    return own if other else None


def _person(given: ValueRequest) -> JsonValue:
    return contacts.person(given.span) if given.span else None


def _recipient(given: ValueRequest) -> JsonValue:
    if not given.span:
        return None
    return contacts.phone(given.span, shortest=5) or contacts.person(given.span)


def _number(given: ValueRequest) -> JsonValue:
    return contacts.phone(given.span, shortest=3) or contacts.phone(given.said, shortest=5)


def _caller(given: ValueRequest) -> JsonValue:
    """A number to call, however short."""
    return contacts.phone(given.span or given.said, shortest=3)


def _contact(given: ValueRequest) -> JsonValue:
    return None if _caller(given.for_("phone_number")) else _person(given)


def _place(given: ValueRequest) -> JsonValue:
    return titles.cleaned(re.sub(r"(?i)^(?:to|at|in|near|from|of|去|到|从|在|回)\s*", "", given.span))


def _app(given: ValueRequest) -> JsonValue:
    name = _words(given)
    return re.sub(r"(?i)(?<=\S)\s?(?:app|application|应用|软件)$", "", name) if isinstance(name, str) else None


def _scene(given: ValueRequest) -> JsonValue:
    name = _words(given)
    return re.sub(r"(?i)(?<=\S)\s?(?:scene|routine|mode|场景|模式)$", "", name) if isinstance(name, str) else None


def _ringer(given: ValueRequest) -> JsonValue:
    return named_value(given.spec.name, given.name, given.said, given.parameter.choices)


def _default(value: JsonValue) -> Reader:
    def read(given: ValueRequest) -> JsonValue:
        return _listed(given) or value

    return read


_READERS: Mapping[str, Reader] = {
    "duration_seconds": _seconds,
    "duration_minutes": _minutes,
    "enabled": _switched,
    "keyword": _words,
    "check_shopping_order.keyword": _ordered,
    "event_name": _words,
    "restaurant_name": _words,
    "device_name": _device,
    "create_calendar_event.title": _words,
    "create_reminder.content": _words,
    "set_alarm.time": _clock,
    "set_alarm.label": _words,
    "cancel_alarm.time": _clock,
    "cancel_alarm.label": _words,
    "cancel_alarm.search_mode": _search_mode,
    "compose_email.subject": _subject,
    "compose_email.body": _body,
    "send_sms.content": _message,
    "send_instant_message.content": _message,
    "publish_social_post.content": _message,
    "query_calendar_events.start_time": _agenda_start,
    "query_calendar_events.end_time": _agenda_end,
    "translate_text.text": _text_to_translate,
    "translate_text.target_language": _target_language,
    "translate_text.source_language": stated,
    "set_display.value": _display_value,
    "set_volume_and_ringer.level_percent": lambda given: (
        None if _ringer(given.for_("ringer_mode")) else _percent(given)
    ),
    "set_volume_and_ringer.ringer_mode": _ringer,
    "set_volume_and_ringer.stream": _default("media"),
    "set_do_not_disturb.mode": _default("priority"),
    "show_payment_code.code_type": _default("pay"),
    "start_workout.sport_type": _default("other"),
    "book_medical_appointment.service": _default("registration"),
    "capture_image.mode": _default("photo"),
    "control_smart_device.action": _device_action,
    "control_smart_device.value": _device_value,
    "send_sms.recipient": _recipient,
    "send_instant_message.recipient": _recipient,
    "share_file.recipient": _person,
    "transfer_money.payee": _person,
    "save_contact.name": _person,
    "make_phone_call.contact_name": _contact,
    "make_phone_call.phone_number": _caller,
    "block_phone_number.phone_number": _number,
    "report_spam_message.sender_number": _number,
    "destination": _place,
    "end_location": _place,
    "bank_name": _bank,
    "hospital": stated,
    "service_type": stated,
    "launch_app.app_name": _app,
    "manage_app.app_name": _app,
    "scene_name": _scene,
    "web_search.query": _query,
    "record_expense.category": _words,
    "course_name": _words,
    "topic_or_title": _words,
    "play_music.query": _words,
    "play_video.query": _words,
}
"""By ``FUNCTION.PARAMETER``, or by the parameter's name; the others are read as in incoming texts."""
