"""Finds the incoming text of a context, and the facts of its moment."""

from collections.abc import Mapping
from datetime import datetime

from pydantic import JsonValue

from collectors.context import Context, TriggerKind
from heed.language import Language
from models.reader.description import Appointment, Moment
from models.values.incoming import IncomingText
from models.values.person import Person

_REGION = 2
"""Letters of a region in a locale."""
MAIL_APPS = frozenset(
    {"com.google.android.gm", "com.microsoft.office.outlook", "com.tencent.androidqqmail", "com.netease.mail"}
)
"""Apps whose notifications are e-mails: the title is the sender, the text begins with the subject."""


def incoming_text(context: Context) -> IncomingText | None:
    """The text that triggered the decision; None for every other trigger."""
    trigger, data = context.trigger, context.trigger.data
    text = str(data.get("text") or "")
    if trigger.kind == TriggerKind.SMS_RECEIVED:
        sender = str(data.get("contact") or data.get("number") or "")
        return IncomingText(app="sms", sender=sender, known=_known(data), text=text)
    if trigger.kind != TriggerKind.NOTIFICATION or (not text and not data.get("title")):
        return None
    title, package = str(data.get("title") or ""), str(data.get("package") or "")
    sender = str(data.get("sender") or title)
    if package in MAIL_APPS:
        subject, _, body = text.partition("\n")
        return IncomingText(app="mail", sender=sender, known=_known(data), title=subject, text=body or subject)
    app = str(data.get("app") or "")
    return IncomingText(app=package, app_name=app, sender=sender, known=_known(data), title=title, text=text)


def _known(data: Mapping[str, JsonValue]) -> bool | None:
    """Whether the sender is a contact; None where the phone does not tell."""
    return data["contact"] is not None if data.get("contact", "") != "" else None


def person_of(context: Context) -> Person:
    """The owner, from the phone's locale and the profile."""
    language, _, rest = str(context.value("phone.locale", "") or "en").partition("-")
    region = next((part for part in rest.split("-") if len(part) == _REGION), "")
    return Person(
        language=Language.ZH if language == Language.ZH else Language.EN,
        region=region,
        home=str(context.value("profile.locations.home.address", "") or ""),
        work=str(context.value("profile.locations.work.address", "") or ""),
    )


def moment_of(context: Context) -> Moment:
    """The facts that the reader uses."""
    coming = context.value("calendar.next", [])
    alarm = context.value("alarms.next", None)
    place = str(context.value("place", "") or "")
    battery = context.value("battery.level", None)
    return Moment(
        now=context.now,
        appointments=tuple(
            Appointment(title=str(one.get("title") or ""), start=datetime.fromisoformat(str(one["start"])))
            for one in (coming if isinstance(coming, list) else ())
            if isinstance(one, dict) and "start" in one
        ),
        next_alarm=datetime.fromisoformat(str(alarm["time"])) if isinstance(alarm, dict) and "time" in alarm else None,
        battery=battery if isinstance(battery, int) else None,
        ringer=str(context.value("ringer.mode", "") or ""),
        do_not_disturb=str(context.value("dnd.mode", "") or ""),
        place=place if place in ("home", "work") else "",
    )
