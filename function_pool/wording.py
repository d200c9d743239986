"""Words for parameters, the values of arguments, and the reasons of a risk class."""

from collections.abc import Mapping, Set
from functools import cache
from importlib.resources import files

import yaml
from pydantic import JsonValue

from function_pool.app_names import chinese_app_names
from function_pool.assessment import RiskReason
from function_pool.spec import default_pool
from heed.dates import length_text, time_text
from heed.language import Language
from heed.messages import Message, Text, joined, msg, template_in, translate
from heed.value_text import value_text

_SECONDS: Mapping[str, int] = {
    "duration_seconds": 1,
    "delay_seconds": 1,
    "duration_minutes": 60,
    "reminder_minutes": 60,
    "delay_minutes": 60,
}
"""Parameters that are lengths of time, with the seconds of their unit."""

_WORDS: Mapping[str, Message] = {
    "app_is_kept": msg("the app and its data stay"),
    "only_shown": msg("nothing is moved or deleted"),
    "only_restored": msg("files are only brought back"),
    "special_number": msg("an emergency, service or premium number"),
    "lock_or_fire": msg("a lock, or a device that can cause a fire"),
    "does_anything": msg("its effect cannot be known in advance"),
    "opens_the_phone": msg("others can use this phone's connection"),
    "joins_network": msg("joins a network with a password"),
    "cuts_off": msg("nobody can reach you while it is on"),
    "outside_shared_storage": msg("the file is outside shared storage"),
    "third_party_url": msg("the address comes from text that others wrote"),
    "third_party_recipient": msg("the number or recipient comes from text that others wrote"),
    "third_party_amount": msg("the amount comes from text that others wrote"),
    "third_party_file": msg("the file comes from text that others wrote"),
    "third_party_secret": msg("the password comes from text that others wrote"),
    "third_party_name": msg("the name of the app or service comes from text that others wrote"),
    "by_model": msg("a model chooses each step in the app"),
    "many_items": msg("more than 20 items"),
    "not_only_screenshots": msg("not only screenshots"),
}
"""Words of the reasons of a risk class, by their rule."""
_PARAMETERS: Mapping[str, str] = {
    "app_name": "app",
    "attachment_uri": "attachment",
    "before_date": "before",
    "cc": "copies to",
    "check_in_date": "check-in date",
    "check_out_date": "check-out date",
    "content_uri_or_path": "file",
    "delay_minutes": "delay",
    "delay_seconds": "delay",
    "duration_minutes": "duration",
    "duration_seconds": "duration",
    "guest_num": "guests",
    "image_uris": "pictures",
    "level_percent": "percent",
    "max_items": "how many at most",
    "media_ids": "files",
    "meeting_id": "meeting number",
    "meeting_url": "meeting address",
    "passenger_num": "passengers",
    "platform_info": "platform",
    "price_max": "highest price",
    "radius_m": "radius in metres",
    "reminder_minutes": "reminder before",
    "sim_slot": "SIM slot",
    "ssid": "network",
    "ticket_num": "tickets",
    "to": "recipient",
    "url": "address",
}
"""Words of the parameters whose own names are not plain words."""


def describe_reason(reason: RiskReason, language: Language) -> str:
    """Returns the reason as a clause; for a plug-in's rule its name."""
    return translate(_WORDS.get(reason.rule, reason.rule), language)


def name_parameter(name: str, language: Language) -> str:
    """Returns the name of a parameter for people; for a plug-in's parameter its own name."""
    return template_in(language, parameter_words(name))


def parameter_words(name: str) -> str:
    """A parameter in English words; the catalogue has the translations of those of the pool."""
    return _PARAMETERS.get(name) or name.replace("_", " ")


def argument_text(parameter: str, value: JsonValue, language: Language, *, with_year: bool = False) -> str:
    """Returns the value of an argument for people: listed values, times and lengths in words, others as they are."""
    if isinstance(value, list):
        return joined((argument_text(parameter, one, language, with_year=with_year) for one in value), language)
    if isinstance(value, str) and language is Language.ZH and parameter in _app_parameters():
        value = chinese_app_names().get(value, value)
    if isinstance(value, str) and value in _value_words().get(parameter, {}):
        return translate(listed_value(parameter, value), language)
    if parameter in _SECONDS and type(value) is int:
        return length_text(value * _SECONDS[parameter], language)
    if isinstance(value, str):
        return time_text(value, language, with_year=with_year)
    return value_text(value, language)


def listed_value(parameter: str, value: str) -> Text:
    """Returns the words for a value that the pool lists; any other value as it is."""
    word = _value_words().get(parameter, {}).get(value)
    return value if word is None else Message(template=word)


@cache
def _app_parameters() -> Set[str]:
    """The parameters whose values are apps or services: those with an open list, and two that have no list."""
    specs = default_pool().functions.values()
    open_ones = {name for spec in specs for name, parameter in spec.parameters.items() if parameter.open}
    return open_ones | {"bank_name", "target_app"}


@cache
def _value_words() -> Mapping[str, Mapping[str, str]]:
    table: Mapping[str, Mapping[str, str]] = yaml.safe_load(
        files("function_pool").joinpath("value_words.yaml").read_text("utf-8")
    )
    return table
