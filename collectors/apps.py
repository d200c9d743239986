"""Names and kinds of known apps, from ``apps.yaml``: over adb the phone only reports packages."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import yaml
from pydantic import TypeAdapter

from heed.language import Language

LAUNCHER = "launcher"
"""The kind of home screens."""


class KnownApp(NamedTuple):
    """One row of the table."""

    english: str
    chinese: str
    """Empty if the English name is used in Chinese, too."""
    kind: str
    """``messages``, ``maps``, ``shopping``, …"""


_PACKAGE = re.compile(r"[A-Za-z]\w*(?:\.[A-Za-z]\w*)+", re.ASCII)
_TABLE = TypeAdapter(dict[str, KnownApp])


@cache
def table() -> Mapping[str, KnownApp]:
    """The known apps by package."""
    return _TABLE.validate_python(yaml.safe_load(files("collectors").joinpath("apps.yaml").read_text("utf-8")))


def name(package: str, language: Language) -> str | None:
    """The app's usual name in ``language``; None for an app that is not in the table."""
    app = table().get(package)
    if app is None:
        return None
    return app.chinese or app.english if language is Language.ZH else app.english


@cache
def named() -> Mapping[str, str]:
    """The package by the app's name in lower case, in both languages."""
    return {name.casefold(): package for package, app in table().items() for name in (app.english, app.chinese) if name}


def package_of(name: str) -> str | None:
    """The package of the app with this name in either language; None for a name that is not in the table."""
    return named().get(name.casefold())


def kind(package: str) -> str | None:
    """The app's kind; None for an app that is not in the table."""
    app = table().get(package)
    return app.kind if app else None


def packages_named(shown: str) -> frozenset[str]:
    """The packages of the table that have this visible name, in either language and in any case."""
    wanted = shown.casefold().strip()
    return frozenset(
        package
        for package, app in table().items()
        if wanted in (app.english.casefold(), app.chinese.casefold()) and wanted
    )


def packages_of(named: str) -> frozenset[str]:
    """The packages that the owner names by package or by visible name; ``ValueError`` for a name that is neither."""
    named = named.strip()
    found = packages_named(named)
    if found:
        return found
    if named in table() or _PACKAGE.fullmatch(named):
        return frozenset({named})
    raise ValueError(f"{named!r} is neither a package (com.example.app) nor the name of an app that heed knows")
