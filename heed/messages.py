"""Messages: what heed tells the owner, kept as data so that it can be shown in any language of the catalogue.

The English template is the message's identity, as is usual with gettext; its translations are in
``heed/locale/<language>/LC_MESSAGES/heed.po``. `make messages` brings the catalogue up to date with the code.
"""

import gettext
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, TypeAlias

from pydantic import (
    Field,
    SerializationInfo,
    SerializerFunctionWrapHandler,
    TypeAdapter,
    ValidationError,
    model_serializer,
)

from heed.language import Language
from heed.model import Frozen
from heed.unicode import valid_text

LOCALE = Path(__file__).parent / "locale"
DOMAIN = "heed"
ENGLISH = "english"
"""As the context of ``model_dump``: messages become their English sentence, for output that programs read."""


class Message(Frozen):
    """A sentence or phrase: an English template with named placeholders, and their values.

    Stored as data (``{"template": ..., "values": ...}``), so that a journal can be read in another language later.
    """

    template: str
    """Python's format syntax: ``{name}``, ``{name!r}``, ``{name:.1f}``."""
    values: Mapping[str, "Value"] = Field(default_factory=dict)

    @model_serializer(mode="wrap")
    def _serialised(self, handler: SerializerFunctionWrapHandler, info: SerializationInfo) -> object:
        return str(self) if info.context == ENGLISH else handler(self)

    def filled(self, **values: object) -> "Message":
        """The same message with these values added."""
        return self.model_copy(update={"values": {**self.values, **_plain_values(values)}})

    def __str__(self) -> str:
        return translate(self, Language.EN)

    def __bool__(self) -> bool:
        return bool(self.template)


Item: TypeAlias = str | bool | int | float | Message | None
Value: TypeAlias = Item | tuple[Item, ...]
"""What a placeholder stands for. A tuple is shown as a list with commas."""
Message.model_rebuild()

Text: TypeAlias = Message | str
"""What is shown to the owner: a message, or text that has no translation (names, a plug-in's own sentence)."""

_TEXT: TypeAdapter[Text] = TypeAdapter(Message | str)


def msg(template: str, /, **values: object) -> Message:
    """A message. ``template`` is a literal: `make messages` finds it in the source.

    Values may be messages, errors (their message is shown), numbers, or lists of these; anything else becomes text.
    """
    return Message(template=template, values=_plain_values(values))


def sentences(*texts: Text) -> Text:
    """Several sentences as one text; empty ones are left out."""
    return _chain(msg("{first} {next}"), texts)


def clauses(texts: Iterable[Text]) -> Text:
    """Several faults or conditions as one text."""
    return _chain(msg("{first}; {next}"), texts)


def message_of(error: BaseException) -> Text:
    """The message that an error was raised with; its text when it was raised with none."""
    own = getattr(error, "text", None)  # of a PersonError, with its remedy
    if isinstance(own, Message | str):
        return own
    if len(error.args) == 1 and isinstance(error.args[0], Message):
        return error.args[0]
    return str(error)


_STORED = '{"template":'


def stored(text: Text) -> str:
    """``text`` for a text column: a message as JSON, a plain string as it is."""
    if isinstance(text, str) and text.startswith(_STORED):
        text = Message(template="{text}", values={"text": text})  # somebody's text that poses as a message of ours
    return text if isinstance(text, str) else text.model_dump_json(exclude_defaults=True)


def restored(text: str) -> Text:
    """The inverse of ``stored``; text of journals from before messages were stored is returned as it is."""
    if text.startswith(_STORED):
        try:
            return Message.model_validate_json(text)
        except ValidationError:
            return text
    return text


def text_from(value: object) -> Text:
    """A text that came as JSON, from the control socket for example; anything else becomes a string."""
    try:
        return _TEXT.validate_python(value)
    except ValidationError:
        return str(value)


def translate(text: Text, language: Language) -> str:
    """``text`` in ``language``; English where the catalogue has no translation, a plain string as it is."""
    if isinstance(text, str):
        return text
    formatter = _Formatter(language)
    try:
        return formatter.vformat(template_in(language, text.template), (), text.values)
    except (KeyError, IndexError, ValueError):
        # A stored message whose translation has other placeholders by now.
        return formatter.vformat(text.template, (), text.values)


class _Formatter(Formatter):
    """Fills placeholders with values in one language."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> tuple[Any, str]:
        """Plain names only: a stored template reaches no attributes."""
        return _worded(kwargs[field_name], self._language), field_name


def _worded(value: object, language: Language) -> object:
    if isinstance(value, Message):
        return translate(value, language)
    if isinstance(value, tuple | list):
        return joined((str(_worded(item, language)) for item in value), language)
    return template_in(language, "none") if value is None else value


_LIST: Mapping[Language, str] = {Language.EN: ", ", Language.ZH: "、"}


def joined(parts: Iterable[str], language: Language) -> str:
    """Texts as a list with commas."""
    return _LIST[language].join(parts)


def template_in(language: Language, template: str) -> str:
    """An English template in ``language``, for tables that fill it in a way of their own."""
    if language is Language.EN or not template:
        return template
    return _catalogue(language).gettext(template)


@cache
def _catalogue(language: Language) -> gettext.NullTranslations:
    return gettext.translation(DOMAIN, LOCALE, [language.value], fallback=True)


def _chain(link: Message, texts: Iterable[Text]) -> Text:
    said = [text for text in texts if text]
    if not said:
        return ""
    whole = said[0]
    for text in said[1:]:
        whole = link.filled(first=whole, next=text)
    return whole


def _plain_values(values: Mapping[str, object]) -> dict[str, Value]:
    return {name: _plain(value) for name, value in values.items()}


def _plain(value: object) -> Value:
    """``value`` as something that JSON can hold."""
    if isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping | Message):
        return tuple(_item(item) for item in value)
    return _item(value)


def _item(value: object) -> Item:
    if value is None or isinstance(value, Message | bool):
        return value
    if isinstance(value, int | float):
        return value + 0  # an enumeration's value without its class
    return message_of(value) if isinstance(value, BaseException) else valid_text(str(value))
