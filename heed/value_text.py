"""Values that were read or given, such as facts and arguments, as sentences show them."""

from collections.abc import Mapping

from pydantic import JsonValue

from heed.language import Language
from heed.messages import Message, joined, msg, translate

_PLAIN: Mapping[bool | None, Message] = {
    True: msg("yes"),
    False: msg("no"),
    None: msg("none"),
}


def value_text(value: JsonValue, language: Language) -> str:
    """``yes``, ``no``, ``none``; lists and mappings with commas; any other value as it is."""
    if isinstance(value, list):
        return joined((value_text(item, language) for item in value), language)
    if isinstance(value, dict):
        return joined((f"{name}: {value_text(item, language)}" for name, item in value.items()), language)
    return translate(_PLAIN[value], language) if value is None or isinstance(value, bool) else str(value)
