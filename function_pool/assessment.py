"""The risk class of one call: that of the function, changed by its arguments and their trust labels."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from pydantic import JsonValue

from function_pool.call import FunctionCall
from function_pool.risk import Risk
from function_pool.spec import FunctionSpec, Meaning
from heed.model import Frozen
from heed.trust import Trust

Arguments = Mapping[str, JsonValue]


class RiskReason(Frozen):
    """A reason why a call's class differs from its function's."""

    rule: str
    """Key of the wording table, e.g. ``third_party_recipient``."""
    risk: Risk
    """The class that the rule requires."""
    parameter: str = ""
    """The parameter that it concerns; empty for the call as a whole."""


class Assessment(Frozen):
    """The class of a call and the reasons for it."""

    risk: Risk
    reasons: tuple[RiskReason, ...] = ()


class _Rule(NamedTuple):
    function: str
    applies: Callable[[Arguments], bool]
    risk: Risk
    name: str


_LOCK_OR_FIRE = re.compile(
    r"(?<![bc])lock|garage|\bgas\b|oven|stove|heater|furnace|security|锁|燃气|煤气|车库|烤箱|灶|取暖|保险柜|安防",
    re.IGNORECASE,
)
# Three digits are emergency or network services everywhere. Charged beyond the normal rate: +979 (ITU-T E.169.2),
# area code 900 (North America), 09 (United Kingdom), 0900 (Germany and neighbours).
_SPECIAL_NUMBER = re.compile(r"\d{3}|\+979\d+|(?:\+?1)?900\d{7}|\+449\d{9}|(?:\+49|0)900\d{4,}")
_SHARED_STORAGE = ("/sdcard/", "/storage/emulated/", "content://media/")


def _is(parameter: str, *values: JsonValue) -> Callable[[Arguments], bool]:
    return lambda arguments: arguments.get(parameter) in values


def _has(parameter: str) -> Callable[[Arguments], bool]:
    return lambda arguments: parameter in arguments


def _calls_special_number(arguments: Arguments) -> bool:
    return bool(_SPECIAL_NUMBER.fullmatch(str(arguments.get("phone_number", ""))))


def _is_lock_or_fire(arguments: Arguments) -> bool:
    return bool(_LOCK_OR_FIRE.search(f"{arguments.get('device_name', '')} {arguments.get('value', '')}"))


def _outside_shared_storage(arguments: Arguments) -> bool:
    path = str(arguments.get("content_uri_or_path", ""))
    return "/" in path and not path.startswith(_SHARED_STORAGE)


_RULES = (
    _Rule("manage_app", _is("action", "force_stop", "suspend", "resume", "open_settings"), Risk.R1, "app_is_kept"),
    _Rule("clean_up_media_files", _is("action", "review_only"), Risk.R0, "only_shown"),
    _Rule("clean_up_media_files", _is("action", "restore"), Risk.R1, "only_restored"),
    _Rule("make_phone_call", _calls_special_number, Risk.R5, "special_number"),
    _Rule("reserve_restaurant", _calls_special_number, Risk.R5, "special_number"),
    _Rule("control_smart_device", _is_lock_or_fire, Risk.R5, "lock_or_fire"),
    _Rule("set_connectivity", _is("connection_type", "hotspot"), Risk.R5, "opens_the_phone"),
    _Rule("set_connectivity", _has("password"), Risk.R5, "joins_network"),
    _Rule("set_connectivity", _is("connection_type", "airplane_mode"), Risk.R2, "cuts_off"),
    _Rule("share_file", _outside_shared_storage, Risk.R5, "outside_shared_storage"),
)
"""Classes by arguments; they may lie below the function's own, which is that of its worst call."""


def assess(spec: FunctionSpec, call: FunctionCall) -> Assessment:
    """Returns the class of ``call`` (validated) and the reasons for it.

    Text that a third party may have written raises the class where it decides who gets something (a recipient, a
    number), what is opened (a URL) or what it costs (an amount): to R5 for a URL, otherwise to "asked each time"
    (R2), or to R5 where each call is asked anyway. A name that an open list lacks only chooses among the apps on the
    phone: it is asked each time.
    """
    by_arguments = [
        RiskReason(rule=rule.name, risk=rule.risk)
        for rule in _RULES
        if rule.function == spec.name and rule.applies(call.parameters)
    ]
    base = max([reason.risk for reason in by_arguments], default=spec.risk)
    by_trust = list(_by_trust(spec, call, base))
    risk = max([base, *(reason.risk for reason in by_trust)])
    return Assessment(risk=risk, reasons=(*by_arguments, *by_trust))


_DECIDES = {
    Meaning.URL: "third_party_url",
    Meaning.RECIPIENT: "third_party_recipient",
    Meaning.PHONE_NUMBER: "third_party_recipient",
    Meaning.EMAIL: "third_party_recipient",
    Meaning.AMOUNT: "third_party_amount",
    Meaning.FILE: "third_party_file",
    Meaning.SECRET: "third_party_secret",
}


def _by_trust(spec: FunctionSpec, call: FunctionCall, base: Risk) -> Iterator[RiskReason]:
    raised = Risk.R2 if base < Risk.R2 else Risk.R5
    for name, value in call.parameters.items():
        parameter = spec.parameters.get(name)
        if parameter is None or call.trust_of(name) is not Trust.THIRD_PARTY:
            continue
        if rule := _DECIDES.get(parameter.meaning):
            yield RiskReason(rule=rule, risk=Risk.R5 if rule == "third_party_url" else raised, parameter=name)
        elif parameter.open and value not in parameter.choices:
            yield RiskReason(rule="third_party_name", risk=max(base, Risk.R2), parameter=name)
