"""From steps to the long-term log: one line per visit to an app."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from collectors import apps
from collectors.context import LogEntry
from collectors.trajectory.steps import TrajectoryStep
from collectors.wording.words import table
from heed.language import Language

MOST_DEEDS = 8
"""Deeds of one visit that a line tells."""


class Visit:
    """A person's time in one app, from its coming to the front to the next app's."""

    def __init__(self, package: str, since: datetime) -> None:
        self.package, self.since = package, since
        self.by_person = True
        """False where the app came to the front by itself."""
        self.protected = False
        """Its screen was found to be protected."""
        self.deeds: list[TrajectoryStep] = []

    def entry(self, place: str, language: Language) -> LogEntry | None:
        """The line of the log. None for the home screen, which is only on the way, and for an app that came to the
        front by itself and was left alone. What was typed is left out."""
        if apps.kind(self.package) == apps.LAUNCHER or not (self.by_person or self.deeds):
            return None
        return LogEntry(time=self.since, location=place, action=_sentence(self.package, self.deeds, language))


def _sentence(package: str, deeds: Sequence[TrajectoryStep], language: Language) -> str:
    words = table().visits[language]
    told = list(dict.fromkeys(deed for step in deeds if (deed := _deed(step, words.deeds))))
    opened = words.opened.format(app=apps.name(package, language) or package)
    if not told:
        return opened
    more = words.more if len(told) > MOST_DEEDS else ""
    return f"{opened}{words.then}{words.comma.join(told[:MOST_DEEDS])}{more}"


def _deed(step: TrajectoryStep, deeds: Mapping[str, str]) -> str:
    """The deed in words; empty for one that tells nothing, such as a touch of something unknown."""
    template = deeds.get(step.kind, "")
    if "{target}" in template and not step.target:
        return ""
    return template.replace("{target}", step.target)
