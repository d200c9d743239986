"""What people call an app, from a table: the phone tells only packages over adb."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import yaml
from pydantic import TypeAdapter

from heed.language import Language

_TABLE = TypeAdapter(dict[str, tuple[str, str]])


@cache
def table() -> Mapping[str, tuple[str, str]]:
    """Package to its English and Chinese name; the Chinese one may be empty."""
    return _TABLE.validate_python(yaml.safe_load(files("collectors").joinpath("apps.yaml").read_text("utf-8")))


def name(package: str, language: Language) -> str | None:
    """The app's usual name, or None for an app that is not in the table."""
    english, chinese = table().get(package, (None, None))
    return chinese or english if language is Language.ZH else english
