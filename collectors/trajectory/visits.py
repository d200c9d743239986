"""Summarises the steps of each visit to an app as one entry of the behaviour log."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from collectors import apps
from collectors.context import LogEntry
from collectors.trajectory.steps import TrajectoryStep
from collectors.visit_sentence import opening
from collectors.wording.words import table
from heed.language import Language

MOST_ACTIONS = 8
"""Maximum number of actions of one visit in an entry."""


class Visit:
    """The time that one app is in the foreground."""

    def __init__(self, package: str, since: datetime) -> None:
        self.package, self.since = package, since
        self.by_person = True
        """False if the app came to the foreground without a touch."""
        self.protected = False
        """Whether its screen turned out to be protected."""
        self.steps: list[TrajectoryStep] = []

    def entry(self, place: str, language: Language) -> LogEntry | None:
        """The log entry, without typed text, marked with the package as recorded.

        None for the home screen, and for an app that came to the foreground without a touch and was not used.
        """
        if apps.kind(self.package) == apps.LAUNCHER or not (self.by_person or self.steps):
            return None
        sentence = _sentence(self.package, self.steps, language)
        app = apps.name(self.package, language) or ""
        return LogEntry(time=self.since, location=place, action=sentence, package=self.package, app=app)


def _sentence(package: str, steps: Sequence[TrajectoryStep], language: Language) -> str:
    words = table().visits[language]
    told = list(dict.fromkeys(action for step in steps if (action := _action(step, words.actions))))
    opened = opening(package, language)
    if not told:
        return opened
    more = words.more if len(told) > MOST_ACTIONS else ""
    return f"{opened}{words.then}{words.comma.join(told[:MOST_ACTIONS])}{more}"


def _action(step: TrajectoryStep, words: Mapping[str, str]) -> str:
    """The step in words; empty for one without information, such as a touch of an unknown target."""
    template = words.get(step.kind, "")
    if "{target}" in template and not step.target:
        return ""
    return template.replace("{target}", step.target)
