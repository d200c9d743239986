"""Readers of single parameters: from a span, the message and its moment to a value."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime, time, timedelta
from typing import NamedTuple

from pydantic import JsonValue

from function_pool.spec import FunctionSpec, ParameterSpec
from heed.language import HAN, Language
from models.values import amounts, codes, contacts, numbers, titles
from models.values.choices import choice
from models.values.folding import fold, locate
from models.values.incoming import IncomingText
from models.values.person import Person
from models.values.times import TimeReading, read_span, read_text
from models.values.times.pieces import PARTS, Half

HERE = {Language.EN: "current location", Language.ZH: "当前位置"}
"""The words for the phone's own place, as the executors take them."""
_LANGUAGES = {Language.EN: "English", Language.ZH: "中文"}
_HALVES: Mapping[str, Half] = {
    "set_alarm": "am",
    "cancel_alarm": "am",
    "reserve_restaurant": "pm",
    "order_food_delivery": "pm",
}
"""The half of the day of a clock time that states none, by function."""
_OFF = re.compile(r"\b(?:off|disable|disconnect|stop)\b|关闭|关掉|关了|断开|退出|关")
_NUMBERED = re.compile(
    r"(?:episode|ep\.?|page|p\.|slides?|lesson|unit|chapter)\s{0,2}(?P<number>\d{1,4})|第\s?(?P<han>[一二两三四五六七八九十百\d]{1,4})\s?[集页讲课节章话]"
)
_LIMIT = re.compile(
    r"(?:under|below|less than|max(?:imum)?|up to|no more than|within|不超过|低于)\s{0,2}[£$€¥₹]?\s?(?P<after>\d[\d,]{0,8})"
    r"|(?P<before>\d[\d,]{0,8}|[一二两三四五六七八九十百千]{1,6})\s?(?:元|块)?(?:钱)?\s?(?:以内|以下|之内|内|max\b|tops\b)"
)
_PERCENT = re.compile(r"(?P<number>\d{1,3})\s?(?:%|percent|per cent)|百分之(?P<han>\d{1,3})")
_EVERY = re.compile(
    r"\b(?:every|each|weekdays|daily|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays)\b|每|工作日"
)
_DAY_WORDS = (
    ("mon", r"\bmon|周一|星期一"), ("tue", r"\btue|周二|星期二"), ("wed", r"\bwed|周三|星期三"), ("thu", r"\bthu|周四|星期四"),
    ("fri", r"\bfri|周五|星期五"), ("sat", r"\bsat|周六|星期六"), ("sun", r"\bsun|周日|周天|星期天|星期日"),
)  # fmt: skip
_WORKDAYS = re.compile(r"\bweekdays?\b|\bmon(?:day)?s?\s?(?:-|to)\s?fri|工作日|周一到周五|周一至周五")
_EVERY_DAY = re.compile(r"\bevery ?day\b|\bdaily\b|\beach day\b|每天|每日")
_SCRIPTS = (
    ("Japanese", re.compile(r"[\u3040-\u30ff]")), ("Korean", re.compile(r"[\uac00-\ud7af]")),
    ("Russian", re.compile(r"[\u0400-\u04ff]")), ("Arabic", re.compile(r"[\u0600-\u06ff]")),
    ("Thai", re.compile(r"[\u0e00-\u0e7f]")), ("Chinese", re.compile(rf"[{HAN}]")),
)  # fmt: skip


class Request(NamedTuple):
    """One parameter to be read."""

    spec: FunctionSpec
    name: str
    spans: Mapping[str, str]
    text: IncomingText
    now: datetime
    person: Person

    @property
    def span(self) -> str:
        return self.spans.get(self.name, "").strip()

    @property
    def said(self) -> str:
        """Subject and text of a mail or notification; the text of a message."""
        own = self.text.title.strip() not in ("", self.text.sender)
        return f"{self.text.title}\n{self.text.text}" if own else self.text.text

    @property
    def parameter(self) -> ParameterSpec:
        return self.spec.parameters[self.name]

    def for_(self, name: str) -> "Request":
        """The request for another parameter of the same call."""
        return self._replace(name=name)


Reader = Callable[[Request], JsonValue]


def stated(given: Request) -> JsonValue:
    """The words of the span."""
    return titles.cleaned(given.span)


# Times


def reading(given: Request, *, dated: bool = False, deadline: bool = False, past: bool = False) -> TimeReading | None:
    """The time that the span, or else the message, states."""
    half = _HALVES.get(given.spec.name)
    day_first = given.person.day_first
    if given.span:
        found = read_span(given.span, given.said, given.now, day_first=day_first, half=half, past=past)
        if found:
            return found
    return read_text(given.said, given.now, day_first=day_first, half=half, past=past, dated=dated, deadline=deadline)


def _moment(given: Request) -> JsonValue:
    found = reading(given)
    return found.start.isoformat(timespec="seconds") if found else None


def _due(given: Request) -> JsonValue:
    found = reading(given, deadline=True)
    return found.start.isoformat(timespec="seconds") if found else None


def _end(given: Request) -> JsonValue:
    start = reading(given.for_("start_time"))
    if start is None:
        return None
    end = start.end
    length = amounts.seconds(given.span) if given.span else None
    if end is None and length and start.has_time:
        end = start.start + timedelta(seconds=length)
    elif end is None and given.span:
        own = reading(given)
        end = (own.end or own.start) if own else None
        if end and end.date() != start.start.date() and not (own and own.has_date):
            end = datetime.combine(start.start.date(), end.time())
    return end.isoformat(timespec="seconds") if end and end > start.start else None


def _window(given: Request) -> tuple[datetime, datetime] | None:
    """From and to of the agenda that is asked about."""
    start = reading(given.for_("start_time"))
    if start is None:
        return None
    midnight = datetime.combine(start.start.date(), time(0))
    if start.has_time:
        end = _end(given.for_("end_time"))
        return start.start, datetime.fromisoformat(str(end)) if end else start.start + timedelta(hours=1)
    if start.part:
        first, last, _ = PARTS[start.part]
        return midnight + timedelta(hours=first), midnight + timedelta(hours=min(last, 24), seconds=-(last >= 24))
    last_day = start.end.date() if start.end else start.start.date()
    return midnight, datetime.combine(last_day, time(23, 59, 59))


def _window_start(given: Request) -> JsonValue:
    window = _window(given)
    return window[0].isoformat(timespec="seconds") if window else None


def _window_end(given: Request) -> JsonValue:
    window = _window(given)
    return window[1].isoformat(timespec="seconds") if window else None


def _day(given: Request) -> JsonValue:
    found = reading(given, dated=True, deadline=given.name == "due_date")
    return found.start.date().isoformat() if found and (found.has_date or given.span) else None


def _past_day(given: Request) -> JsonValue:
    found = reading(given, dated=True, past=True)
    return found.start.date().isoformat() if found and found.has_date else None


def _check_out(given: Request) -> JsonValue:
    start = reading(given.for_("check_in_date"), dated=True)
    if start and start.end:
        return start.end.date().isoformat()
    if not given.span or start is None:
        return None
    after = given._replace(now=given.now.replace(**_date_fields(start.start)))
    found = read_span(given.span, given.span, after.now, day_first=given.person.day_first)
    return (found.end or found.start).date().isoformat() if found else None


def _date_fields(moment: datetime) -> dict[str, int]:
    return {"year": moment.year, "month": moment.month, "day": moment.day}


def _clock(given: Request) -> JsonValue:
    found = reading(given)
    return f"{found.start:%H:%M}" if found and found.has_time else None


def _free_time(given: Request) -> JsonValue:
    """A time where the pool takes any words."""
    if not given.span:
        return None
    found = read_span(given.span, given.said, given.now, day_first=given.person.day_first)
    return found.start.isoformat(timespec="minutes") if found and found.has_time else titles.cleaned(given.span)


def _period(given: Request) -> JsonValue:
    found = read_span(given.span, given.span, given.now, past=True) if given.span else None
    return found.start.date().isoformat() if found and found.has_date else stated(given)


def _repeat_days(given: Request) -> JsonValue:
    folded = fold(given.span or given.said)
    if _EVERY_DAY.search(folded):
        return [name for name, _ in _DAY_WORDS]
    if _WORKDAYS.search(folded):
        return [name for name, _ in _DAY_WORDS[:5]]
    named: list[JsonValue] = [name for name, words in _DAY_WORDS if re.search(words, folded)]
    return named if named and _EVERY.search(folded) else None


# Numbers


def _seconds(given: Request) -> JsonValue:
    length = amounts.seconds(given.span) or (amounts.seconds(given.said) if given.parameter.required else None)
    return length if length and length > 0 else None


def _minutes(given: Request) -> JsonValue:
    length = amounts.seconds(given.span) if given.span else None
    return length // 60 if length else None


def _delay(given: Request) -> JsonValue:
    return amounts.seconds(given.span) if given.span else None


def _whole(given: Request) -> JsonValue:
    return numbers.whole(given.span) if given.span else None


def _people(given: Request) -> JsonValue:
    if not given.span:
        return amounts.people(given.said)
    return amounts.people(given.span) or numbers.whole(given.span)


def _numbered(given: Request) -> JsonValue:
    match = _NUMBERED.search(fold(given.span or given.said))
    if match:
        return numbers.whole(match["number"] or match["han"])
    return numbers.whole(given.span) if given.span else None


def _limit(given: Request) -> JsonValue:
    match = _LIMIT.search(fold(given.span or given.said))
    found = numbers.whole(match["after"] or match["before"]) if match else None
    return found or (numbers.whole(given.span) if given.span else None)


def _percent(given: Request) -> JsonValue:
    match = _PERCENT.search(fold(given.span or given.said))
    found = numbers.whole(match["number"] or match["han"]) if match else None
    return found if found is not None else (numbers.whole(given.span) if given.span else None)


def _amount(given: Request) -> JsonValue:
    return (amounts.amount(given.span) if given.span else None) or amounts.marked_amount(given.said)


# People and numbers


def _person(given: Request) -> JsonValue:
    return contacts.person(given.span) if given.span else None


def _person_or_sender(given: Request) -> JsonValue:
    return _person(given) or contacts.sender_name(given.text)


def _recipient(given: Request) -> JsonValue:
    """Number or name in the span; else whom the message came from, as the phone shows them."""
    if given.span:
        return contacts.phone(given.span, shortest=5) or contacts.person(given.span)
    return given.text.sender.strip() or None


def _own_phone(given: Request) -> JsonValue:
    return contacts.phone(given.span, shortest=5) if given.span else None


def _phone(given: Request) -> JsonValue:
    return _own_phone(given) or contacts.phone(given.said) or contacts.sender_number(given.text)


def _sender_first(given: Request) -> JsonValue:
    return _own_phone(given) or contacts.sender_number(given.text) or contacts.phone(given.said)


def _stated_phone(given: Request) -> JsonValue:
    return _own_phone(given) or contacts.phone(given.said)


def _callee(given: Request) -> JsonValue:
    """A name to call, where no number is stated."""
    if given.span and not contacts.is_number(given.span):
        return contacts.person(given.span)
    return None if contacts.is_number(given.text.sender) or _stated_phone(given) else given.text.sender.strip() or None


def _contact(given: Request) -> JsonValue:
    return _person(given) or contacts.find("introduction", given.said)


def _email(given: Request) -> JsonValue:
    return contacts.find("email", given.span) or contacts.find("email", given.said)


def _emails(given: Request) -> JsonValue:
    own = contacts.emails(given.span)
    found = own or contacts.emails(given.said) or contacts.emails(given.text.sender)
    return list(found) or None


def _copies(given: Request) -> JsonValue:
    return list(contacts.emails(given.span)) or None


# Codes and links


def _url(given: Request) -> JsonValue:
    own = contacts.find("url", given.span) or (
        given.span if re.fullmatch(r"[\w.-]{3,60}/\S{1,300}", given.span) else None
    )
    return own or contacts.find("url", given.said)


def _stated_url(given: Request) -> JsonValue:
    return _url(given) if given.span or given.spec.name == "open_reading_material" else None


def _file(given: Request) -> JsonValue:
    return contacts.find("file", given.span) or contacts.find("file", given.said) or stated(given)


def _tracking(given: Request) -> JsonValue:
    return codes.tracking_number(given.span) or codes.code(given.span) or codes.tracking_number(given.said)


def _account(given: Request) -> JsonValue:
    if given.span:
        return codes.account(given.span) or _spaced_code(given.span)
    return codes.account(given.said)


def _spaced_code(span: str) -> str | None:
    digits = re.sub(r"[\s-]", "", span)
    return digits if digits.isdigit() else codes.code(span)


def _meeting(given: Request) -> JsonValue:
    if given.span:
        return codes.meeting_id(given.span) or codes.code(given.span)
    return None if contacts.find("url", given.said) else codes.meeting_id(given.said)


def _password(given: Request) -> JsonValue:
    if given.span:
        return codes.password(given.span) or given.span.strip(" ,.。，:：\"'“”")
    return codes.password(given.said)


def _network(given: Request) -> JsonValue:
    if given.span:
        return codes.network(given.span) or given.span.strip(" ,.。，:：\"'“”")
    return codes.network(given.said)


# Choices


def _choice(given: Request) -> JsonValue:
    return choice(given.spec.name, given.name, given.span, given.text, given.parameter.choices)


def _or(reader: Reader, otherwise: JsonValue) -> Reader:
    """``reader``, with the value that the pool has for all others."""

    def read(given: Request) -> JsonValue:
        found = reader(given)
        return otherwise if found is None else found

    return read


def _always(value: JsonValue) -> Reader:
    return lambda given: value


def _optional_choice(given: Request) -> JsonValue:
    """A choice that only its own span states: its words are too common elsewhere."""
    return _choice(given) if given.span else None


def _enabled(given: Request) -> JsonValue:
    return _OFF.search(fold(given.span or given.said)) is None


def _device_action(given: Request) -> JsonValue:
    found = choice(given.spec.name, "action", given.span, given.text, given.parameter.choices)
    sets = _device_value(given.for_("value")) is not None
    if sets and found in (None, "turn_on", "open", "start"):
        return "set_value"
    return "turn_on" if found == "set_value" and not sets else found


def _device_value(given: Request) -> JsonValue:
    if given.span:
        number = numbers.whole(given.span)
        return str(number) if number is not None else stated(given)
    match = re.search(r"(?P<degrees>\d{2})\s?(?:度|°|degrees|deg\b|c\b)", fold(given.said))
    return match["degrees"] if match else None


def _search_mode(given: Request) -> JsonValue:
    if _clock(given.for_("time")):
        return "time"
    if given.spans.get("label"):
        return "label"
    return (
        "all" if re.search(r"\ball (?:my |your |ur )?alarms\b|所有闹钟|全部闹钟|闹钟都", fold(given.said)) else "next"
    )


def _chat_app(given: Request) -> JsonValue:
    own = choice("send_instant_message", "app_name", given.span, given.text)
    return own or titles.cleaned(given.span) or None


def _app(given: Request) -> JsonValue:
    name = titles.cleaned(given.span)
    return re.sub(r"(?i)(?<=\S)\s(?:app|application)$", "", name) if name and len(name) > 4 else name


def _carrier(given: Request) -> JsonValue:
    number = str(_tracking(given.for_("tracking_number")) or "").upper()
    prefixes = {"SF": "SF", "YT": "YTO", "JD": "JD", "1Z": "UPS"}
    return _choice(given) or prefixes.get(number[:2])


# Texts


def _who(given: Request) -> str | None:
    name = contacts.sender_name(given.text)
    return None if name and len(name) > 24 else name


def _title(given: Request) -> JsonValue:
    signed = titles.signature(given.text.text)
    return titles.title(given.span, given.text, signed or _who(given))


def _content(given: Request) -> JsonValue:
    return titles.content(given.span, given.text)


def _subject(given: Request) -> JsonValue:
    subject = given.text.title.strip()
    return stated(given) or (f"Re: {subject}" if subject and given.text.app == "mail" else None)


def _quote(given: Request) -> JsonValue:
    return (titles.quoted(given.span) or stated(given)) if given.span else titles.quoted(given.said)


def _message(given: Request) -> JsonValue:
    return given.span.strip(" \"“”'‘’") or None


def _here(given: Request) -> JsonValue:
    return stated(given) or HERE[given.person.language]


def _from_home(given: Request) -> JsonValue:
    return stated(given) or given.person.home or None


def _address(given: Request) -> JsonValue:
    if given.span and (place := locate(given.span, given.said)):
        whole = titles.address(given.said[place[0] : place[1] + 12])
        # "52 Cragside" is widened to "52 Cragside Walk", never narrowed.
        if whole and len(whole) > len(given.span) and whole.startswith(given.span):
            return whole
    return stated(given) or titles.address(given.said)


def _category(given: Request) -> JsonValue:
    language = "zh" if re.search(f"[{HAN}]", given.text.text) else "en"
    return stated(given) or choice(given.spec.name, f"category.{language}", "", given.text)


def _bank(given: Request) -> JsonValue:
    sender = None if contacts.is_number(given.text.sender) else given.text.sender.strip()
    return stated(given) or titles.signature(given.text.text) or sender


def _hospital(given: Request) -> JsonValue:
    signed = titles.signature(given.text.text)
    return stated(given) or (signed if signed and re.search("医|院|诊所|卫生|妇幼", signed) else None)


def _to_translate(given: Request) -> JsonValue:
    return _message(given) if len(given.span) * 2 >= len(given.text.text) else given.text.text.strip() or None


def _target_language(given: Request) -> JsonValue:
    named = titles.cleaned(given.span)
    return named.title() if named and named.isascii() else named or _LANGUAGES[given.person.language]


def _source_language(given: Request) -> JsonValue:
    if given.span:
        return _target_language(given)
    found = next((name for name, script in _SCRIPTS if script.search(given.text.text)), None)
    return found


def _scene(given: Request) -> JsonValue:
    name = titles.cleaned(given.span)
    return re.sub(r"(?i)(?<=\S)\s?(?:scene|routine)$", "", name) if name else None


def _workout_app(given: Request) -> JsonValue:
    return _choice(given)


BY_PARAMETER: Mapping[str, Reader] = {
    "start_time": _moment,
    "end_time": _end,
    "query_calendar_events.start_time": _window_start,
    "query_calendar_events.end_time": _window_end,
    "due_time": _due,
    "reserve_time": _moment,
    "departure_time": _moment,
    "expected_time": _free_time,
    "pickup_time": _free_time,
    "check_in_date": _day,
    "check_out_date": _check_out,
    "date": _day,
    "due_date": _day,
    "before_date": _day,
    "record_expense.date": _past_day,
    "set_alarm.time": _clock,
    "cancel_alarm.time": _clock,
    "date_range": _period,
    "repeat_days": _repeat_days,
    "duration_seconds": _seconds,
    "duration_minutes": _minutes,
    "delay_minutes": _minutes,
    "reminder_minutes": _minutes,
    "delay_seconds": _delay,
    "quantity": _whole,
    "party_size": _people,
    "guest_num": _people,
    "passenger_num": _people,
    "ticket_num": _people,
    "episode": _numbered,
    "open_document.page": _numbered,
    "price_max": _limit,
    "level_percent": _percent,
    "trigger_level": _percent,
    "amount": _amount,
    "payee": _person_or_sender,
    "contact_name": _callee,
    "make_phone_call.phone_number": _phone,
    "save_contact.phone_number": _phone,
    "reserve_restaurant.phone_number": _own_phone,
    "block_phone_number.phone_number": _sender_first,
    "sender_number": _sender_first,
    "receiver_phone": _stated_phone,
    "receiver_name": _person,
    "send_sms.recipient": _recipient,
    "send_instant_message.recipient": _recipient,
    "share_file.recipient": _person_or_sender,
    "save_contact.name": _contact,
    "email": _email,
    "to": _emails,
    "cc": _copies,
    "meeting_url": _url,
    "url": _stated_url,
    "file_name": _file,
    "content_uri_or_path": _file,
    "tracking_number": _tracking,
    "account": _account,
    "meeting_id": _meeting,
    "password": _password,
    "ssid": _network,
    "carrier": _carrier,
    "track_package.carrier": _or(_carrier, "auto"),
    "clock_in_out.platform": _or(_choice, "other"),
    "make_phone_call.call_type": _or(_choice, "voice"),
    "call_type": _choice,
    "priority": _optional_choice,
    "stream": _or(_choice, "ring"),
    "set_do_not_disturb.mode": _or(_choice, "priority"),
    "metric": _or(_choice, "all"),
    "sport_type": _or(_choice, "other"),
    "record_expense.type": _or(_choice, "expense"),
    "clean_up_media_files.action": _or(_choice, "review_only"),
    "show_payment_code.code_type": _or(_choice, "pay"),
    "search_mode": _search_mode,
    "enabled": _enabled,
    "control_smart_device.action": _device_action,
    "control_smart_device.value": _device_value,
    "target_app": _chat_app,
    "launch_app.app_name": _app,
    "manage_app.app_name": _app,
    "start_workout.app_name": _workout_app,
    "create_calendar_event.title": _title,
    "create_reminder.content": _content,
    "subject": _subject,
    "body": _message,
    "send_sms.content": _message,
    "send_instant_message.content": _message,
    "publish_social_post.content": _message,
    "event_name": _quote,
    "topic_or_title": _quote,
    "course_name": _quote,
    "play_video.query": _quote,
    "play_music.query": _quote,
    "start_location": _here,
    "search_transport.start_location": stated,
    "sender_address": _from_home,
    "receiver_address": _address,
    "destination": _address,
    "end_location": _address,
    "delivery_address": stated,
    "record_expense.category": _category,
    "bank_name": _bank,
    "hospital": _hospital,
    "translate_text.text": _to_translate,
    "target_language": _target_language,
    "source_language": _source_language,
    "scene_name": _scene,
    "start_navigation": _always(None),
    "resume": _always(None),
    "vibrate": _always(None),
    "media_ids": _always(None),
    "image_uris": _always(None),
    "attachment_uri": _always(None),
    "sim_slot": _always(None),
}
"""By ``FUNCTION.PARAMETER``, or by the parameter's name."""


def reader(spec: FunctionSpec, name: str) -> Reader:
    """The reader of a parameter; one that the table lacks is a choice, a number or the words of its span."""
    own = BY_PARAMETER.get(f"{spec.name}.{name}") or BY_PARAMETER.get(name)
    if own:
        return own
    parameter = spec.parameters[name]
    if parameter.choices:
        return _choice
    return _whole if parameter.type in ("int", "float") else _enabled if parameter.type == "bool" else stated
