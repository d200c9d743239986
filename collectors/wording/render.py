"""Renders a context as text; equal facts give equal text in the same order."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from collectors.context import Context, Dimension, RenderedContext, Section
from collectors.fact_names import PROFILE_PREFIX
from collectors.wording.words import ANY, FactWording, LanguageStyle, Sentences, table
from heed.language import Language

LONGEST = 300
"""Maximum number of characters of one value."""
OWN_SENTENCES = frozenset(
    {
        "time.local",
        "time.weekday",
        "notifications",
        "sms.unread",
        "contacts.matching",
        "calendar.next",
        "calls.missed",
        "rates",
        "news.headlines",
        "log.recent",
        "trajectory.steps",
        "heed.done",
    }
)
"""Facts that are not rendered as clauses."""
_TIMES = ("time.local", "time.weekday")
UNSAID = frozenset({"battery.status", "foreground.activity", "ringer.volume", "alarms.volume"})
"""Facts for rules, which repeat what other facts say."""
_SPACES = re.compile(r"[\s\x00-\x1f\x7f]+")
_MARKS = str.maketrans({'"': "'", "“": "'", "”": "'"})
_FIELD = re.compile(r"\{(\w*)\}")


def render(context: Context, language: Language) -> RenderedContext:
    """Renders the context.

    Text that others wrote stands on one line between quotation marks that it cannot close, cut to ``LONGEST``
    characters.
    """
    return _Renderer(context, language).render()


def word_fact(context: Context, name: str, language: Language) -> str:
    """One fact of the context as its own clause or list; empty when it has none, or was not read."""
    return _Renderer(context, language).fact(name)


def picture_places(context: Context, language: Language) -> tuple[int, ...]:
    """The number of lines of the rendered trace that stand before each of the context's frames."""
    return _Renderer(context, language).picture_places()


def word_trigger(context: Context, language: Language) -> str:
    """Renders the trigger."""
    return _Renderer(context, language).trigger()


class _Renderer:
    def __init__(self, context: Context, language: Language) -> None:
        self._context, self._language, self._words = context, language, table()
        self._style: LanguageStyle = self._words.styles[language]
        self._values: dict[str, Any] = {fact.name: fact.value for fact in context.facts()}

    def render(self) -> RenderedContext:
        phone = (self._moment(), *self._sentences(self._words.phone), *self._texts(), *self._rest(Dimension.DEVICE))
        world = (*self._sentences(self._words.world), *self._services(), *self._rest(Dimension.WORLD))
        return RenderedContext(
            profile=self._profile(),
            phone=self._joined(phone),
            world=self._joined(world),
            trace=(
                *self._actions(),
                *self._done(),
                *self._steps(),
                *filter(None, self._rest(Dimension.TRAJECTORY)),
                f"{self._style.now}{self.trigger()}",
            ),
        )

    def picture_places(self) -> tuple[int, ...]:
        before = len([*self._actions(), *self._done()])
        times = [datetime.fromisoformat(step["time"]) for step in self._values.get("trajectory.steps", ())]
        return tuple(before + sum(time <= frame.taken_at for time in times) for frame in self._context.frames)

    def fact(self, name: str) -> str:
        if name in self._lists():
            return self._list(name)
        if name in _TIMES:
            return self._moment()
        clauses = (sentence[name] for sentence in (*self._words.phone, *self._words.world) if name in sentence)
        return next((self._say(say, self._values.get(name)) for say in clauses), "")

    # --- sentences ------------------------------------------------------------------------------------------------
    def _joined(self, sentences: Iterable[str]) -> str:
        said = (sentence[0].upper() + sentence[1:] for sentence in sentences if sentence)
        return "".join(f"{sentence}{self._style.stop}" for sentence in said).strip()

    def _sentences(self, sentences: Sentences) -> Iterator[str]:
        for clauses in sentences:
            said = (self._say(say, self._values.get(name)) for name, say in clauses.items())
            yield self._style.comma.join(clause for clause in said if clause)

    def _say(self, say: FactWording, value: Any) -> str:
        """One clause; empty when the fact has no words."""
        if value is None:
            return ""
        fields: Mapping[str, Any] = value if isinstance(value, Mapping) else {"": value}
        phrase = say.phrase(self._language)
        if isinstance(phrase, tuple):
            return self._first(phrase, fields)
        return self._filled(self._template(phrase, fields.get(say.of)), fields)

    def _first(self, templates: Iterable[str], fields: Mapping[str, Any]) -> str:
        """The first template with all fields present."""
        return next(filter(None, (self._filled(template, fields) for template in templates)), "")

    def _template(self, phrase: str | Mapping[bool | str, str], value: Any) -> str:
        if isinstance(phrase, str):
            return phrase
        return phrase.get(value, phrase.get(ANY, "")) if isinstance(value, bool | str) else ""

    def _filled(self, template: str, fields: Mapping[str, Any]) -> str:
        if any(fields.get(name) is None for name in _FIELD.findall(template)):
            return ""
        return _FIELD.sub(lambda field: self._shown(field[1], fields[field[1]]), template)

    def _shown(self, name: str, value: Any) -> str:
        if name in ("time", "start", "end"):
            return self._when(value)
        return _line(", ".join(map(str, value)) if isinstance(value, list) else value).translate(_MARKS)

    def _rest(self, dimension: Dimension) -> Iterator[str]:
        """The facts without words in the table (those of plug-ins), and the missing facts."""
        section = self._context.section(dimension)
        for fact in section.facts:
            if fact.name not in self._words.facts | OWN_SENTENCES | UNSAID:
                yield f"{fact.name}{self._style.colon}{self._plain(fact.value)}"
        yield self._missing(section)

    def _missing(self, section: Section) -> str:
        names = {name: str(say.phrase(self._language)) for name, say in self._words.sources.items()}
        said = self._style.comma.join(names.get(missing.name, missing.name) for missing in section.missing)
        return f"{self._style.missing}{said}" if said else ""

    # --- times ----------------------------------------------------------------------------------------------------
    def _moment(self) -> str:
        return self._written(self._style.moment, self._context.now)

    def _when(self, iso: str) -> str:
        """The clock time for a time today, date and clock time for any other."""
        moment = datetime.fromisoformat(iso)
        is_today = moment.date() == self._context.now.date()
        return f"{moment:%H:%M}" if is_today else self._written(self._style.date, moment)

    def _written(self, template: str, moment: datetime) -> str:
        return template.format(
            weekday=self._style.weekdays[moment.weekday()],
            day=moment.day,
            month=self._style.months[moment.month - 1],
            year=moment.year,
            clock=f"{moment:%H:%M}",
        )

    # --- what others wrote ----------------------------------------------------------------------------------------
    def _texts(self) -> Iterator[str]:
        yield from map(self._list, self._lists())

    def _lists(self) -> Mapping[str, tuple[str, tuple[str, ...]]]:
        """The heading and the item templates of each list."""
        style = self._style
        return {
            "calendar.next": (style.events, style.event),
            "notifications": (style.notifications, (style.notification,)),
            "sms.unread": (style.messages, (style.message,)),
            "contacts.matching": (style.contacts, (style.contact,)),
            "calls.missed": (style.missed_calls, (style.missed_call,)),
        }

    def _list(self, name: str) -> str:
        head, templates = self._lists()[name]
        return self._listed(head, templates, self._values.get(name, ()))

    def _services(self) -> Iterator[str]:
        style = self._style
        if found := self._values.get("rates"):
            listed = style.comma.join(f"{value:g} {currency}" for currency, value in found["rates"].items())
            yield self._filled(style.rates, {**found, "listed": listed})
        headlines = [{"text": title} for title in self._values.get("news.headlines", ())]
        yield self._listed(style.news, (style.headline,), headlines)

    def _listed(self, head: str, templates: Iterable[str], items: Iterable[Mapping[str, Any]]) -> str:
        said = self._style.semicolon.join(self._first(templates, self._fields(item)) for item in items)
        return f"{head}{said}" if said else ""

    def _fields(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """A notification, message, contact or trigger with the fields that its templates name."""
        number, name = data.get("number", ""), data.get("contact")
        stranger = self._style.answered.format(sender=number) if data.get("answered") is True else number
        texts = [str(data[key]) for key in ("title", "text") if data.get(key)]
        named = {
            "sender": f"{name} ({number})" if name else stranger,
            "app": data.get("app") or data.get("package"),
            "text": self._style.colon.join(texts),
            "numbers": ", ".join(data.get("numbers", ())),
        }
        return {**data, **named}

    # --- profile --------------------------------------------------------------------------------------------------
    def _profile(self) -> str:
        """One line per section or group of it: ``preferences diet: coffee: oat milk; …``."""
        lines: dict[str, list[str]] = {}
        for fact in self._context.profile.facts:
            section, _, path = fact.name.removeprefix(PROFILE_PREFIX).partition(".")
            group, dot, rest = path.partition(".")
            head, key = (f"{section}.{group}", rest) if dot else (section, group)
            said = f"{self._key(key)}{self._style.colon}{self._plain(fact.value)}"
            lines.setdefault(self._key(head), []).append(said)
        joined = [f"{head}{self._style.colon}{self._style.semicolon.join(said)}" for head, said in lines.items()]
        return "\n".join(filter(None, [*joined, self._missing(self._context.profile)]))

    def _key(self, path: str) -> str:
        known = self._words.profile if self._language is Language.ZH else {}
        return " ".join(known.get(part, part.replace("_", " ")) for part in path.split("."))

    def _plain(self, value: Any) -> str:
        """A value of any structure, on one line."""
        if isinstance(value, Mapping):
            pairs = [(self._key(str(name)), self._plain(item)) for name, item in value.items()]
            if any(isinstance(item, list) for item in value.values()):
                return "; ".join(f"{name}{self._style.colon}{item}" for name, item in pairs)
            return ", ".join(f"{name} {item}" for name, item in pairs)
        if isinstance(value, list):
            nested = any(isinstance(item, Mapping | list) for item in value)
            return ("; " if nested else ", ").join(map(self._plain, value))
        return _line(value)

    # --- trace ----------------------------------------------------------------------------------------------------
    def _actions(self) -> Iterator[str]:
        recent: Sequence[Mapping[str, Any]] = self._values.get("log.recent", ())
        # What the steps tell one by one is not told again.
        steps = self._values.get("trajectory.steps", ())
        since = datetime.fromisoformat(steps[0]["time"]) if steps else None
        for entry in recent:
            if since is not None and datetime.fromisoformat(entry["time"]) >= since:
                continue
            place = self._style.places.get(entry["location"], entry["location"])
            fields = {"date": self._when(entry["time"]), "place": place, "action": entry["action"]}
            yield self._filled(self._style.entry, fields)

    def _done(self) -> Iterator[str]:
        for one in self._values.get("heed.done", ()):
            arguments = self._style.comma.join(
                f"{name} {self._plain(value)}" for name, value in one["arguments"].items()
            )
            template = self._style.undone if one["undone"] else self._style.done
            yield self._filled(template, {**one, "arguments": arguments})

    def _steps(self) -> Iterator[str]:
        steps: Sequence[Mapping[str, Any]] = self._values.get("trajectory.steps", ())
        for step in steps:
            words = self._words.steps.get(step["kind"])
            said = self._say(words, step) if words else ""
            moment = datetime.fromisoformat(step["time"])
            yield self._style.step.format(said=said or step["kind"], second=f"{moment:%H:%M:%S}")

    def trigger(self) -> str:
        trigger = self._context.trigger
        say = self._words.triggers.get(trigger.kind)
        said = self._say(say, self._fields(trigger.data)) if say else ""
        return said or trigger.kind.replace("_", " ")


def _line(value: Any) -> str:
    line = _SPACES.sub(" ", str(value)).strip()
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
