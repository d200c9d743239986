"""A first configuration and profile, with a comment per field, for ``heed init``."""

import json
from datetime import time
from pathlib import Path

from collectors.profile import profile_template
from heed import paths
from heed.language import Language
from heed.model import Frozen

_FILE = """\
# heed's configuration. Every field has a default; `docs/configuration.md` lists them all.

# Language of what heed says to you: "en" or "zh".
language = {language}

[policy]
# Nothing is suggested between these times on the phone's clock.
quiet_from = {quiet_from}
quiet_until = {quiet_until}
# At most so many suggestions.
per_hour = 3
per_day = 6

[collectors]
# Your profile; what is written there stays on this machine.
profile = {profile}
# ISO code of the country whose public holidays count; "" = from the phone's language settings.
country = {country}
# Packages that are never looked at: no picture while one is in front, none of their notifications.
excluded_apps = {excluded_apps}

[models.routines]
# Situations heed may speak up in, beside the habits it learns from the behaviour log.
situations = {situations}
"""


class Choices(Frozen):
    """What the person chose; the defaults are those of ``heed init --defaults``."""

    language: Language = Language.EN
    quiet_from: time = time(0, 0)
    quiet_until: time = time(7, 0)
    country: str = ""
    situations: tuple[str, ...] = ()
    excluded_apps: tuple[str, ...] = ()


def write_configuration(path: Path, choices: Choices) -> Path:
    """Write the configuration to ``path`` and, where there is none, a profile beside it; the profile's path."""
    profile = path.with_name("profile.yaml")
    paths.made(path.parent)
    values = {name: _toml(value) for name, value in choices.model_dump(mode="json").items()}
    path.write_text(_FILE.format_map(values | {"profile": _toml(str(profile.absolute()))}), encoding="utf-8")
    if not profile.exists():
        profile.write_text(profile_template(choices.language), encoding="utf-8")
    return profile


def _toml(value: object) -> str:
    """JSON's strings and lists of strings are TOML's too."""
    return json.dumps(value, ensure_ascii=False)
