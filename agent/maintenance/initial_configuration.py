"""Writes the first configuration and profile of ``heed init``, with a comment for each field."""

import json
from datetime import time
from pathlib import Path

from collectors.profile import profile_template
from heed import paths
from heed.language import Language
from heed.model import Frozen
from models.routines.rules.situations import builtin_situations, switched_on

_FILE = """\
# heed's configuration. Every field has a default; `docs/configuration.md` lists them all.

# Language of suggestions and messages: "en" or "zh".
language = {language}

[policy]
# Nothing is suggested between these times on the phone's clock.
quiet_from = {quiet_from}
quiet_until = {quiet_until}
# The highest number of suggestions per hour and per day.
per_hour = 3
per_day = 6

[collectors]
# Your profile; it stays on this machine.
profile = {profile}
# ISO code of the country whose public holidays apply; "" = from the phone's language settings.
country = {country}
# Apps that are never read, by name (WeChat) or package.
# No frame is taken while one is in the foreground, and their notifications are ignored.
excluded_apps = {excluded_apps}

[models.routines]
# Situations in which heed may suggest something, besides habits from the behaviour log.
situations = {situations}
"""


class InitialChoices(Frozen):
    """The owner's answers; the defaults are those of ``heed init --defaults``."""

    language: Language = Language.EN
    quiet_from: time = time(0, 0)
    quiet_until: time = time(7, 0)
    country: str = ""
    situations: tuple[str, ...] = tuple(one.id for one in switched_on(builtin_situations(), None))
    excluded_apps: tuple[str, ...] = ()


def write_configuration(path: Path, choices: InitialChoices) -> Path:
    """Write the configuration to ``path`` and, if there is none, a profile beside it; return the profile's path."""
    profile = path.with_name("profile.yaml")
    paths.create_folder(path.parent)
    values = {name: _toml(value) for name, value in choices.model_dump(mode="json").items()}
    path.write_text(_FILE.format_map(values | {"profile": _toml(str(profile.absolute()))}), encoding="utf-8")
    if not profile.exists():
        profile.write_text(profile_template(choices.language), encoding="utf-8")
    return profile


def _toml(value: object) -> str:
    """Format a value as TOML; JSON's strings and lists of strings are valid TOML."""
    return json.dumps(value, ensure_ascii=False)
