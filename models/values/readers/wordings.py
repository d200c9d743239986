"""Readers of words: titles, messages, places, names of things."""

import re
from collections.abc import Mapping

from pydantic import JsonValue

from heed.language import HAN, Language
from models.values import contacts, titles
from models.values.choices import choice
from models.values.folding import locate
from models.values.languages import spoken
from models.values.readers.request import Reader, ValueRequest, stated

_LANGUAGES = {Language.EN: "English", Language.ZH: "中文"}
HERE = {Language.EN: "current location", Language.ZH: "当前位置"}
"""The words for the phone's own place, as the executors take them."""


def who(given: ValueRequest) -> str | None:
    name = contacts.person(contacts.sender_name(given.text) or "")
    return None if name and len(name) > 24 else name


def title(given: ValueRequest) -> JsonValue:
    signed = titles.signature(given.text.text)
    return titles.title(given.span, given.text, signed or who(given))


def content(given: ValueRequest) -> JsonValue:
    return titles.content(given.span, given.text)


def subject(given: ValueRequest) -> JsonValue:
    subject = given.text.title.strip()
    replied = f"Re: {subject}" if subject and given.text.app == "mail" else None
    return (
        stated(given)
        or replied
        or contacts.find("file", given.said)
        or titles.quoted(given.said)
        or message(given.for_("body"))
    )


def quote(given: ValueRequest) -> JsonValue:
    return (titles.quoted(given.span) or stated(given)) if given.span else titles.quoted(given.said)


def message(given: ValueRequest) -> JsonValue:
    return given.span.strip(" \"“”'‘’") or None


def body(given: ValueRequest) -> JsonValue:
    """The words to write; a draft that states none holds its subject, for the owner to go on."""
    return message(given) or subject(given.for_("subject"))


def here(given: ValueRequest) -> JsonValue:
    return stated(given) or HERE[given.person.language]


def from_home(given: ValueRequest) -> JsonValue:
    return stated(given) or given.person.home or None


def address(given: ValueRequest) -> JsonValue:
    if given.span and (place := locate(given.span, given.said)):
        whole = titles.address(given.said[place[0] : place[1] + 12])
        # "52 Cragside" is widened to "52 Cragside Walk", never narrowed.
        if whole and len(whole) > len(given.span) and whole.startswith(given.span):
            return whole
    return stated(given) or titles.address(given.said)


def category(given: ValueRequest) -> JsonValue:
    language = "zh" if re.search(f"[{HAN}]", given.text.text) else "en"
    return stated(given) or choice(given.spec.name, f"category.{language}", "", given.text)


def bank(given: ValueRequest) -> JsonValue:
    sender = None if contacts.is_number(given.text.sender) else given.text.sender.strip()
    return stated(given) or titles.signature(given.text.text) or sender


def stated_or_choice(given: ValueRequest) -> JsonValue:
    return stated(given) or choice(given.spec.name, given.name, "", given.text)


def hospital(given: ValueRequest) -> JsonValue:
    signed = titles.signature(given.text.text)
    return stated(given) or (signed if signed and re.search("医|院|诊所|卫生|妇幼", signed) else None)


def to_translate(given: ValueRequest) -> JsonValue:
    """The text to translate; None for what the owner's own people write, and unless it is plainly another language."""
    if given.text.known or spoken(given.text.text, given.person.language) in (None, _LANGUAGES[given.person.language]):
        return None
    return message(given) if len(given.span) * 2 >= len(given.text.text) else given.text.text.strip() or None


def target_language(given: ValueRequest) -> JsonValue:
    named = titles.cleaned(given.span)
    return named.title() if named and named.isascii() else named or _LANGUAGES[given.person.language]


def source_language(given: ValueRequest) -> JsonValue:
    return target_language(given) if given.span else spoken(given.text.text, given.person.language)


def scene(given: ValueRequest) -> JsonValue:
    name = titles.cleaned(given.span)
    return re.sub(r"(?i)(?<=\S)\s?(?:scene|routine)$", "", name) if name else None


READERS: Mapping[str, Reader] = {
    "create_calendar_event.title": title,
    "create_reminder.content": content,
    "subject": subject,
    "body": body,
    "send_sms.content": message,
    "send_instant_message.content": message,
    "publish_social_post.content": message,
    "event_name": quote,
    "topic_or_title": quote,
    "course_name": quote,
    "play_video.query": quote,
    "play_music.query": quote,
    "start_location": here,
    "search_transport.start_location": stated,
    "sender_address": from_home,
    "receiver_address": address,
    "destination": address,
    "end_location": address,
    "delivery_address": stated,
    "record_expense.category": category,
    "bank_name": bank,
    "service_type": stated_or_choice,
    "hospital": hospital,
    "translate_text.text": to_translate,
    "target_language": target_language,
    "source_language": source_language,
    "scene_name": scene,
}
"""By ``FUNCTION.PARAMETER``, or by the parameter's name."""
