"""Words for parameters and for the reasons of a risk class."""

from collections.abc import Mapping

from function_pool.assessment import RiskReason
from heed.language import Language
from heed.messages import Message, msg, template_in, translate

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


def describe_reason(reason: RiskReason, language: Language) -> str:
    """Returns the reason as a clause; for a plug-in's rule its name."""
    return translate(_WORDS.get(reason.rule, reason.rule), language)


def name_parameter(name: str, language: Language) -> str:
    """Returns the name of a parameter for people; for a plug-in's parameter its own name."""
    return template_in(language, parameter_words(name))


def parameter_words(name: str) -> str:
    """A parameter in English words; the catalogue has the translations of those of the pool."""
    return name.replace("_", " ")
