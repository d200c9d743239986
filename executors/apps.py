"""The apps that executors open by name (``apps.yaml``), and which of them a phone has."""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import yaml
from pydantic import Field, JsonValue, TypeAdapter

from android_bridge.commands import am_start, resolve_activity
from android_bridge.device import Device
from android_bridge.facts.packages import PACKAGES
from android_bridge.facts.reader import Reader
from android_bridge.facts.text import missing, parser
from executors.executor import RefusedError
from executors.observation import observe
from executors.screen import COMPONENT
from function_pool.app_names import chinese_app_names
from heed.messages import msg
from heed.model import Frozen

_NO_NAME = frozenset({"android", "app", "apps", "client", "google", "main", "mobile"})
"""Parts of package names that are no app's name."""
_MARKS = re.compile(r"[\W_]+")
_MAIN, _LAUNCHER = "android.intent.action.MAIN", "android.intent.category.LAUNCHER"


class LaunchableApp(Frozen):
    """One app of the table; these values never come from a model."""

    packages: tuple[str, ...]
    also: tuple[str, ...] = ()
    web: str = Field(default="", pattern=r"^(?:https://\S+)?$")
    hosts: tuple[str, ...] = ()


class Installed(Frozen):
    """An app that is on the phone."""

    package: str
    name: str
    """English name; for an app that the table does not have its package, after the name that was asked for."""
    zh: str

    @property
    def words(self) -> dict[str, JsonValue]:
        """The name for the wording table."""
        return {"en": self.name, "zh": self.zh}


@cache
def apps() -> Mapping[str, LaunchableApp]:
    """Returns every app by its English name."""
    raw = yaml.safe_load(files("executors").joinpath("apps.yaml").read_text("utf-8"))
    return TypeAdapter(dict[str, LaunchableApp]).validate_python(raw)


@cache
def _names() -> Mapping[str, str]:
    """Returns each name of an app with its English name."""
    return {
        _folded(word): name for name, app in apps().items() for word in (name, chinese_app_names()[name], *app.also)
    }


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def app_called(text: str) -> str:
    """Returns the English name of the app that ``text`` names; empty when the table does not have it."""
    return _names().get(_plain(text), "")


def _plain(text: str) -> str:
    return _folded(text).removesuffix(" app").removesuffix("应用")


def words_of(name: str) -> dict[str, JsonValue]:
    """Returns an app's names for the wording table."""
    return {"en": name, "zh": chinese_app_names()[name]}


def on_phone(name: str, packages: frozenset[str]) -> Installed | None:
    """Returns the app as one of ``packages``; None when it is not installed."""
    found = next((package for package in apps()[name].packages if package in packages), None)
    return Installed(package=found, name=name, zh=chinese_app_names()[name]) if found else None


async def find_app(phone: Device, text: str) -> Installed:
    """Returns the installed app that ``text`` names; raises ``RefusedError`` when there is none."""
    (packages,) = await observe(phone, PACKAGES)
    return installed_app(text, packages)


def installed_app(text: str, packages: frozenset[str]) -> Installed:
    """Returns the app among ``packages`` that ``text`` names.

    Args:
        text: a name of the table, a package, or the part of one package's name that names the app: adb lists packages,
            not the labels of their icons, and ``com.wolt.android`` is Wolt.
        packages: the installed packages.

    Raises ``RefusedError`` when there is none.
    """
    if name := app_called(text):
        if found := on_phone(name, packages):
            return found
        raise RefusedError(
            msg("{name} is not installed on this phone.", name=name), msg("Install it, or name another app.")
        )
    if text in packages:
        return app_of(text)
    named = [package for package in packages if _is_named(package, text)]
    if len(named) == 1:
        words = f"{text} ({named[0]})"
        return app_of(named[0]) if package_name(named[0]) else Installed(package=named[0], name=words, zh=words)
    raise RefusedError(
        msg("heed finds no app called {text!r} on this phone.", text=text[:60]),
        msg("Install it, or give its package name (`pm list packages --user current`)."),
    )


def app_of(package: str) -> Installed:
    """Returns an app by its package, with its names; its package stands for those that the table does not have."""
    name = package_name(package)
    return Installed(package=package, name=name or package, zh=chinese_app_names()[name] if name else package)


def _is_named(package: str, text: str) -> bool:
    """Whether a part of the package's name is ``text``; the first part is a top-level domain."""
    parts = {_MARKS.sub("", part) for part in package.casefold().split(".")[1:]}
    return _MARKS.sub("", _plain(text)) in parts - _NO_NAME


def package_name(package: str) -> str:
    """Returns the English name of a package; empty when the table does not have it."""
    return next((name for name, app in apps().items() if package in app.packages), "")


@parser(msg("The app's first page"))
def parse_launcher(text: str) -> str | None:
    """Parses ``cmd package resolve-activity --brief``: the component; None for an app without a launcher icon."""
    components = [match[0] for match in COMPONENT.finditer(text)]
    if not components and "No activity found" not in text:
        raise missing(msg("component"))
    return components[-1] if components else None


def launcher(package: str) -> Reader[str | None]:
    """Returns the reader of an app's launcher activity."""
    command = resolve_activity(action=_MAIN, categories=(_LAUNCHER,), package=package, implicit=False)
    return Reader(f"launcher.{package}", command, parse_launcher, verified=False)


async def launch(phone: Device, app: Installed, *, afresh: bool = False) -> str:
    """Returns the command that opens an app as its icon does; raises ``RefusedError`` for an app without one.

    Args:
        phone: the phone to read.
        app: the app.
        afresh: at its first page, whatever page of it was open.
    """
    (component,) = await observe(phone, launcher(app.package))
    if component is None or not component.startswith(f"{app.package}/"):
        raise RefusedError(msg("{name} has no page that could be opened.", name=app.name))
    return am_start(action=_MAIN, categories=(_LAUNCHER,), component=component, afresh=afresh)
