"""The apps on the phone by what they are for, and which are used when."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta

from android_bridge.facts.packages import INSTALLED_PACKAGES
from collectors import apps
from collectors.behaviour_log import BehaviourLog
from collectors.config import CollectorsConfig
from collectors.context import Dimension, LogEntry
from collectors.limits import RECENT_LINES
from collectors.source import PhoneValues, ReaderNeed, Reading, Source
from heed.language import Language

PARTS = {"morning": range(5, 11), "day": range(11, 17), "evening": range(17, 22), "night": range(22, 29)}
"""Parts of the day by their hours; those of the night go on after midnight."""
_MONTH = timedelta(days=30)
_MIN_DAYS, _MOST = 3, 3
_MOST_OF_A_KIND = 10


class InstalledSource(Source):
    """The apps that the owner installed, by kind; those that no table knows are counted."""

    name = "installed"
    dimension = Dimension.PROFILE
    needs = (ReaderNeed(INSTALLED_PACKAGES, fresh=6 * 3600.0),)

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        installed = sorted(phone[INSTALLED_PACKAGES] - self.config.excluded_apps)
        by_kind: dict[str, list[str]] = defaultdict(list)
        for package in installed:
            name, kind = apps.name(package, self.config.language), apps.kind(package)
            if name and kind:
                by_kind[kind].append(name)
        if not by_kind:
            return []
        return [Reading("apps.installed", {kind: sorted(by_kind[kind])[:_MOST_OF_A_KIND] for kind in sorted(by_kind)})]


class AppTimesSource(Source):
    """The apps that the owner opens most in each part of the day, on three days of a month at least, from the log."""

    name = "app_times"
    dimension = Dimension.PROFILE

    def __init__(self, config: CollectorsConfig) -> None:
        super().__init__(config)
        self._log = BehaviourLog(config.behaviour_log, newest=RECENT_LINES)

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        today = phone.now.replace(hour=0, minute=0, second=0, microsecond=0)
        # Until yesterday: what a model has read of the profile this morning holds until tomorrow.
        entries = (entry for entry in self._log.entries() if today - _MONTH <= entry.time < today)
        used = used_when(entries, phone.now, self.config)
        return [Reading("apps.used", used, origin="behaviour log")] if used else []


def used_when(entries: Iterable[LogEntry], now: datetime, config: CollectorsConfig) -> dict[str, list[str]]:
    """Names of apps by part of the day, most used first."""
    days: Mapping[str, dict[str, set[date]]] = {part: defaultdict(set) for part in PARTS}
    private = {apps.name(package, language) for package in config.excluded_apps for language in Language}
    for entry in entries:
        package = entry.package or _opened(entry.action)
        name = apps.name(package, config.language) if package else None
        if name and name not in private:
            time = entry.time.astimezone(now.tzinfo)
            days[_part(time.hour)][name].add(time.date())
    return {part: most for part, seen in days.items() if (most := _most(seen))}


def _part(hour: int) -> str:
    return next(part for part, hours in PARTS.items() if hour in hours or hour + 24 in hours)


def _most(seen: Mapping[str, set[date]]) -> list[str]:
    counts = Counter({name: len(days) for name, days in seen.items() if len(days) >= _MIN_DAYS})
    return [name for name, _ in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:_MOST]]


def _opened(action: str) -> str | None:
    """The package of the app that was opened, by a line that the owner wrote."""
    match = _OPENED.search(action)
    if match is None:
        return None
    rest = action[match.end() :].casefold()
    # The longest name first: "YouTube Music" is not "YouTube".
    return next((package for name, package in _names() if rest.startswith(name) and _ends(rest, name)), None)


_OPENED = re.compile(r"\bopened (?:the )?|打开了?", re.IGNORECASE)


def _names() -> list[tuple[str, str]]:
    return sorted(apps.named().items(), key=lambda pair: -len(pair[0]))


def _ends(text: str, name: str) -> bool:
    following = text[len(name) : len(name) + 1]
    return not (following.isascii() and following.isalnum())
