"""Readers of single arguments in a request; where there is none, the readers of incoming texts serve."""

import re
from collections.abc import Mapping
from datetime import datetime, time

from pydantic import JsonValue

from function_pool.spec import FunctionSpec
from models.requests import text_readers as texts
from models.requests.app_names import APP_PARAMETERS, app, shares_words
from models.requests.date_ranges import day_of_stay
from models.requests.words import has_words, named_value
from models.values import amounts, contacts, numbers
from models.values.folding import fold
from models.values.incoming import IncomingText
from models.values.readers import ValueRequest, reader
from models.values.readers.request import Reader, stated
from models.values.readers.selections import choose

_SWITCH_OFF = re.compile(
    r"\b(?:off|disable|light (?:mode|theme)|lock|stop|without|kill)\b|关闭|关掉|关了|关|浅色|锁定|停|别转",
    re.IGNORECASE,
)
_FULL = re.compile(r"\b(?:full|max(?:imum)?|brightest|highest)\b|最亮|最大|最高")
_LEAST = re.compile(r"\b(?:min(?:imum)?|lowest|darkest)\b|最暗|最小|最低")
_HALVES = re.compile(r"一半|\bhalf\b")
_TENTHS = re.compile(r"(?P<tenths>[一二三四五六七八九])成")
_DEGREES = re.compile(r"\bto (?P<to>\d{1,3})\b|调?[到成为](?:百分之)?(?P<han>\d{1,3}|[一二两三四五六七八九十]{1,3})")
_UNITS = "one|two|three|four|five|six|seven|eight|nine"
_NUMBER_WORDS = re.compile(
    rf"\b(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[\s-](?:{_UNITS}))?|{_UNITS}|ten|eleven|twelve"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teen)\b",
    re.IGNORECASE,
)
_AFTER_NOON = re.compile(r"\bpm\b|\bp\.m\b|\d\s?pm\b|evening|afternoon|tonight|night|晚|下午|傍晚|夜")
_DOORS = re.compile(r"\b(?:door|lock|gate|garage|curtains?|blinds?|shutters?|window)\b|门|窗|锁|帘|闸")
_FOR = re.compile(r"\bfor\b", re.IGNORECASE)
_TIME = re.compile(r"\d|[一二两三四五六七八九十半]点|\b(?:noon|midnight|tonight|now|asap)\b|中午|今晚|现在|立刻|尽快")
_NOTE = re.compile(
    r"(?:\b(?:note|noting|saying|because|reason)\b\s?[:,]?\s?(?:that\s)?|(?:备注|说明|原因)(?:是|为|写)?[:：]?\s?|因为)(?P<words>.+)$",
    re.IGNORECASE,
)
_LATE_HOUR = 16
"""From this hour on, an alarm without a half of the day is read as one of the morning."""
_TURNS_ON = re.compile(r"\bturn\w* (?:\w+ ){0,4}on\b|\benable\b")
_DISABLES = re.compile(
    r"\b(?:off|disable|disconnect|stop|kill|no|leave|quit|exit|end|don'?t need|no longer|without|unpair|cut)\b"
    r"|关闭|关掉|关了|关上|关喽|断开|断掉|退出|停了|停用|不用|取消|别|不省|断网|关(?=$|[，,。吧啦])"
)


def reader_in_requests(spec: FunctionSpec, name: str) -> Reader:
    """The reader of a parameter."""
    own = _READERS.get(f"{spec.name}.{name}") or _READERS.get(name)
    if own:
        return own
    if name in APP_PARAMETERS:
        return app
    return _listed if has_words(spec.name, name) else reader(spec, name)


def _listed(given: ValueRequest) -> JsonValue:
    """An allowed value by the request's words; else as in incoming texts, but for their defaults."""
    own = named_value(given.spec.name, given.name, given.said, given.parameter.choices)
    return own or choose(given)


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


def _today(given: ValueRequest) -> datetime:
    return datetime.combine(given.now.date(), time(0))


def _ordered(given: ValueRequest) -> JsonValue:
    """The product of an order; a word for the page to show ("basket") is none."""
    words = str(texts.words_of(given) or "")
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
    return texts.words_of(given) or (
        texts.words_of(given.for_("room")) if given.spec.name == "query_smart_device_state" else None
    )


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


def _person(given: ValueRequest) -> JsonValue:
    return contacts.person(texts.whole_name(given)) if given.span else None


def _recipient(given: ValueRequest) -> JsonValue:
    if not given.span:
        return None
    return contacts.phone(given.span, shortest=5) or _person(given)


def _addition(given: ValueRequest) -> JsonValue:
    """Words that are said beside what the call is about; those of another value are none."""
    return None if shares_words(given) else reader(given.spec, given.name)(given)


def _hour(given: ValueRequest) -> JsonValue:
    """When something is wanted; words without a time are none."""
    return stated(given) if _TIME.search(fold(given.span)) else None


def _department(given: ValueRequest) -> JsonValue:
    """A department, without the hospital's name before it."""
    words = str(stated(given) or "")
    return words.removeprefix(str(stated(given.for_("hospital")) or "")).removeprefix("的") or None


def _clocking_note(given: ValueRequest) -> JsonValue:
    match = _NOTE.search(given.said)
    return match["words"] if match else None


def _number(given: ValueRequest) -> JsonValue:
    return contacts.phone(given.span, shortest=3) or contacts.phone(given.said, shortest=5)


def _caller(given: ValueRequest) -> JsonValue:
    """A number to call, however short."""
    return contacts.phone(given.span or given.said, shortest=3)


def _contact(given: ValueRequest) -> JsonValue:
    return None if _caller(given.for_("phone_number")) else _person(given)


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
    "keyword": texts.words_of,
    "check_shopping_order.keyword": _ordered,
    "event_name": texts.words_of,
    "restaurant_name": texts.restaurant,
    "description": _addition,
    "remark": _addition,
    "caption": _addition,
    "note": _addition,
    "city": _addition,
    "company": _addition,
    "job_title": _addition,
    "sender_address": _addition,
    "send_package.carrier": app,
    "expected_time": _hour,
    "clock_in_out.note": _clocking_note,
    "book_medical_appointment.department": _department,
    "check_in_date": day_of_stay,
    "check_out_date": day_of_stay,
    "device_name": _device,
    "create_calendar_event.title": texts.event_title,
    "create_reminder.content": texts.words_of,
    "set_alarm.time": _clock,
    "set_alarm.label": texts.words_of,
    "cancel_alarm.time": _clock,
    "cancel_alarm.label": texts.words_of,
    "cancel_alarm.search_mode": _search_mode,
    "compose_email.subject": texts.subject,
    "compose_email.body": texts.body,
    "send_sms.content": texts.message,
    "send_instant_message.content": texts.message,
    "publish_social_post.content": texts.message,
    "query_calendar_events.start_time": _agenda_start,
    "query_calendar_events.end_time": _agenda_end,
    "translate_text.text": texts.text_to_translate,
    "translate_text.target_language": texts.target_language,
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
    "destination": texts.place,
    "end_location": texts.place,
    "bank_name": texts.bank,
    "hospital": stated,
    "service_type": stated,
    "launch_app.app_name": texts.app,
    "manage_app.app_name": texts.app,
    "scene_name": texts.scene,
    "web_search.query": texts.query,
    "record_expense.category": texts.words_of,
    "course_name": texts.words_of,
    "topic": texts.words_of,
    "topic_or_title": texts.words_of,
    "play_music.query": texts.words_of,
    "play_video.query": texts.words_of,
}
"""By ``FUNCTION.PARAMETER``, or by the parameter's name; the others are read as in incoming texts."""
