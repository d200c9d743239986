"""Readers of allowed values."""

import re
from collections.abc import Mapping

from pydantic import JsonValue

from models.values import numbers, titles
from models.values.choices import choice, named
from models.values.folding import fold
from models.values.names import other_name
from models.values.readers.codes import tracking
from models.values.readers.moments import alarm
from models.values.readers.request import Reader, ValueRequest, stated

_OFF = re.compile(r"\b(?:off|disable|disconnect|stop)\b|关闭|关掉|关了|断开|退出|关")
_DOORS = re.compile(r"\b(?:door|lock|gate|garage|curtains?|blinds?|shutters?|window)\b|门|锁|窗帘|闸|卷帘")
_FLIGHT = re.compile(r"(?<![a-z0-9])(?:[a-z]{2}|\d[a-z]|[a-z]\d)\s?\d{3,4}(?![a-z0-9])")
_FAST_TRAIN = re.compile(r"(?<![a-z0-9])[gd]\d{1,4}(?![a-z0-9])")
_GUIDE = re.compile(r"\b(?:navigate|navi|sat ?nav|directions)\b|导航")


def choose(given: ValueRequest) -> JsonValue:
    """A listed value; of an open list also the name that the span states."""
    listed, other = given.parameter.choices, None
    if given.parameter.open and not named(given.spec.name, given.name, given.span, listed):
        other = other_name(given.span)
    return other or choice(given.spec.name, given.name, given.span, given.text, listed)


def or_else(reader: Reader, otherwise: JsonValue) -> Reader:
    """``reader``, with the value that the pool has for all others."""

    def read(given: ValueRequest) -> JsonValue:
        found = reader(given)
        return otherwise if found is None else found

    return read


def always(value: JsonValue) -> Reader:
    return lambda given: value


def optional_choice(given: ValueRequest) -> JsonValue:
    """A choice that only its own span states: its words are too common elsewhere."""
    return choose(given) if given.span else None


def enabled(given: ValueRequest) -> JsonValue:
    return _OFF.search(fold(given.span or given.said)) is None


def device_action(given: ValueRequest) -> JsonValue:
    found = choice(given.spec.name, "action", given.span, given.text, given.parameter.choices)
    sets = device_value(given.for_("value")) is not None
    if _DOORS.search(fold(given.spans.get("device_name", "") or given.said)):
        found = {"turn_on": "open", "turn_off": "close"}.get(str(found), found)
    if sets and found in (None, "turn_on", "open", "start"):
        return "set_value"
    return "turn_on" if found == "set_value" and not sets else found


def device_value(given: ValueRequest) -> JsonValue:
    if given.span:
        number = numbers.whole(given.span)
        return str(number) if number is not None else stated(given)
    match = re.search(r"(?P<degrees>\d{2})\s?(?:度|°|degrees|deg\b|c\b)", fold(given.said))
    return match["degrees"] if match else None


def transport(given: ValueRequest) -> JsonValue:
    """Means of transport by its words, or by the number of a flight or train."""
    found = choose(given)
    if found:
        return found
    folded = fold(given.span or given.said)
    return "high_speed_rail" if _FAST_TRAIN.search(folded) else "flight" if _FLIGHT.search(folded) else None


def guidance(given: ValueRequest) -> JsonValue:
    return True if _GUIDE.search(fold(given.said)) else None


def search_mode(given: ValueRequest) -> JsonValue:
    if alarm(given.for_("time")):
        return "time"
    if given.spans.get("label"):
        return "label"
    return (
        "all" if re.search(r"\ball (?:my |your |ur )?alarms\b|所有闹钟|全部闹钟|闹钟都", fold(given.said)) else "next"
    )


def chat_app(given: ValueRequest) -> JsonValue:
    own = choice("send_instant_message", "app_name", given.span, given.text)
    return own or titles.cleaned(given.span) or None


def app(given: ValueRequest) -> JsonValue:
    name = titles.cleaned(given.span)
    return re.sub(r"(?i)(?<=\S)\s(?:app|application)$", "", name) if name and len(name) > 4 else name


def carrier(given: ValueRequest) -> JsonValue:
    number = str(tracking(given.for_("tracking_number")) or "").upper()
    prefixes = {"SF": "SF", "YT": "YTO", "JD": "JD", "1Z": "UPS"}
    return choose(given) or prefixes.get(number[:2])


READERS: Mapping[str, Reader] = {
    "carrier": carrier,
    "track_package.carrier": or_else(carrier, "auto"),
    "clock_in_out.platform": or_else(choose, "other"),
    "make_phone_call.call_type": or_else(choose, "voice"),
    "call_type": choose,
    "priority": optional_choice,
    "stream": or_else(choose, "ring"),
    "set_do_not_disturb.mode": or_else(choose, "priority"),
    "metric": or_else(choose, "all"),
    "sport_type": or_else(choose, "other"),
    "bill_type": or_else(choose, "other"),
    "record_expense.type": or_else(choose, "expense"),
    "clean_up_media_files.action": or_else(choose, "review_only"),
    "show_payment_code.code_type": or_else(choose, "pay"),
    "search_mode": search_mode,
    "enabled": enabled,
    "control_smart_device.action": device_action,
    "control_smart_device.value": device_value,
    "target_app": chat_app,
    "launch_app.app_name": app,
    "manage_app.app_name": app,
    "start_navigation": guidance,
    "transport_type": transport,
    "resume": always(None),
    "vibrate": always(None),
    "media_ids": always(None),
    "image_uris": always(None),
    "attachment_uri": always(None),
    "sim_slot": always(None),
}
"""By ``FUNCTION.PARAMETER``, or by the parameter's name."""
