"""Fills the parameters of a habit's call from the current moment."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime, time, timedelta
from pathlib import PurePosixPath
from typing import NamedTuple

from pydantic import JsonValue

from function_pool.call import Basis, FunctionCall
from function_pool.spec import FunctionSpec
from heed.language import Language
from heed.trust import Trust
from models.routines.language.current_moment import (
    CONVERSATION_KEYS,
    NUMBER_KEYS,
    TRIGGER_FACT,
    CurrentMoment,
)
from models.routines.language.lexicon import FunctionVocabulary
from models.routines.mining.habit import Habit

LOG = Basis(fact="behaviour_log", trust=Trust.OWNER)
"""The basis of values that the behaviour log gives."""
FILES_FACT = "files.documents"
"""Fact with a list of ``{path}``."""
_HERE = {Language.EN: "current location", Language.ZH: "当前位置"}


class ResolvedValue(NamedTuple):
    """A parameter value with the facts it was derived from."""

    value: JsonValue
    basis: tuple[Basis, ...]


class FillingInput(NamedTuple):
    """The input of a source."""

    moment: CurrentMoment
    known: Mapping[str, ResolvedValue]
    """The parameters filled so far."""
    language: Language


ValueSource = Callable[[FillingInput], ResolvedValue | None]


def _number(given: FillingInput) -> ResolvedValue | None:
    """The sender's number; for a known contact who announces a new number, the new one."""
    sender = given.moment.data(*NUMBER_KEYS)
    written = given.moment.entity("phone")
    if given.moment.data("contact") and written and "new_number" in given.moment.about:
        return ResolvedValue(written, (given.moment.from_trigger("text"),))
    return ResolvedValue(str(sender[1]), (given.moment.from_trigger(sender[0]),)) if sender else None


def _of_text(kind: str) -> ValueSource:
    def source(given: FillingInput) -> ResolvedValue | None:
        value = given.moment.entity(kind)
        return ResolvedValue(value, (given.moment.from_trigger("text"),)) if value else None

    return source


def _conversation(given: FillingInput) -> ResolvedValue | None:
    found = given.moment.data(*CONVERSATION_KEYS)
    return ResolvedValue(str(found[1]), (given.moment.from_trigger(found[0]),)) if found else None


def _text(given: FillingInput) -> ResolvedValue | None:
    found = given.moment.data("text", "body")
    return ResolvedValue(str(found[1]), (given.moment.from_trigger(found[0]),)) if found else None


def _stored_file(given: FillingInput) -> ResolvedValue | None:
    """The path of the file on the phone, if the context lists it; else its name."""
    name = next(
        (filled for key, filled in given.known.items() if key in ("attachment_uri", "content_uri_or_path")), None
    )
    files = given.moment.context.value(FILES_FACT, [])
    if name is None or not isinstance(files, list):
        return name
    paths = [str(file["path"]) for file in files if isinstance(file, dict) and "path" in file]
    path = next((path for path in paths if PurePosixPath(path).name == name.value), None)
    return ResolvedValue(path, (*name.basis, given.moment.from_fact(FILES_FACT))) if path else name


def _attachment_title(given: FillingInput) -> ResolvedValue | None:
    attachment = given.known.get("attachment_uri")
    if attachment is None:
        return None
    words = re.sub(r"[_-]+", " ", PurePosixPath(str(attachment.value)).stem)
    return ResolvedValue(words, attachment.basis)


def _midnight(days: int) -> ValueSource:
    def source(given: FillingInput) -> ResolvedValue | None:
        now = given.moment.context.now
        day = datetime.combine(now.date() + timedelta(days=days), time(), tzinfo=now.tzinfo)
        return ResolvedValue(day.isoformat(), (Basis(fact="time.local", trust=Trust.DEVICE),))

    return source


SOURCES: Mapping[str, ValueSource] = {
    "attachment_title": _attachment_title,
    "event_conversation": _conversation,
    "event_file": _of_text("file"),
    "event_name": _of_text("introduction"),
    "event_number": _number,
    "event_text": _text,
    "event_url": _of_text("url"),
    "here": lambda given: ResolvedValue(_HERE[given.language], ()),
    "stored_file": _stored_file,
    "subject": lambda given: given.known.get("subject"),
    "today": _midnight(0),
    "today_end": _midnight(1),
}


def fill(
    habit: Habit, vocabulary: FunctionVocabulary, spec: FunctionSpec, moment: CurrentMoment, language: Language
) -> FunctionCall | None:
    """The habit's call; None when a required parameter is not known."""
    known = {name: ResolvedValue(value, (LOG,)) for name, value in habit.parameters.items()}
    known |= {name: _date(days, moment) for name, days in habit.days_before.items()}
    for name, sources in vocabulary.fill.items():
        given = FillingInput(moment, known, language)
        found = (SOURCES[source](given) for source in sources)
        # A constant from the log is kept, except for a file, whose path is known only now.
        if name not in known or "stored_file" in sources:
            filled = next((value for value in found if value is not None), None)
            known |= {name: filled} if filled else {}
    known |= {name: ResolvedValue(value, ()) for name, value in vocabulary.default.items() if name not in known}
    if any(parameter.required and name not in known for name, parameter in spec.parameters.items()):
        return None
    kept = {name: filled for name, filled in known.items() if _allowed(filled.value, spec, name)}
    if any(parameter.required and name not in kept for name, parameter in spec.parameters.items()):
        return None
    return FunctionCall(
        name=spec.name,
        parameters={name: filled.value for name, filled in kept.items()},
        basis={name: filled.basis for name, filled in kept.items() if filled.basis},
        choice=(LOG, moment.basis_of(TRIGGER_FACT)),
    )


def _date(days: int, moment: CurrentMoment) -> ResolvedValue:
    day = moment.context.now.date() - timedelta(days=days)
    return ResolvedValue(day.isoformat(), (LOG, Basis(fact="time.local", trust=Trust.DEVICE)))


def _allowed(value: JsonValue, spec: FunctionSpec, name: str) -> bool:
    """Whether the pool allows the value for this parameter."""
    parameter = spec.parameters.get(name)
    return parameter is not None and parameter.allows(value)
