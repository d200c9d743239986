"""The apps that executors open by name (``apps.yaml``), and which of them a phone has."""

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
from heed.messages import msg
from heed.model import Frozen

_MAIN, _LAUNCHER = "android.intent.action.MAIN", "android.intent.category.LAUNCHER"


class LaunchableApp(Frozen):
    """One app of the table; these values never come from a model."""

    packages: tuple[str, ...]
    zh: str
    also: tuple[str, ...] = ()
    web: str = Field(default="", pattern=r"^(?:https://\S+)?$")
    hosts: tuple[str, ...] = ()


class Installed(Frozen):
    """An app that is on the phone."""

    package: str
    name: str
    """English name, or the package of an app that the table does not have."""
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
    return {_folded(word): name for name, app in apps().items() for word in (name, app.zh, *app.also)}


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def app_called(text: str) -> str:
    """Returns the English name of the app that ``text`` names; empty when the table does not have it."""
    return _names().get(_folded(text).removesuffix(" app").removesuffix("应用"), "")


def words_of(name: str) -> dict[str, JsonValue]:
    """Returns an app's names for the wording table."""
    return {"en": name, "zh": apps()[name].zh}


def on_phone(name: str, packages: frozenset[str]) -> Installed | None:
    """Returns the app as one of ``packages``; None when it is not installed."""
    found = next((package for package in apps()[name].packages if package in packages), None)
    return Installed(package=found, name=name, zh=apps()[name].zh) if found else None


async def find_app(phone: Device, text: str) -> Installed:
    """Returns the installed app for ``text``: a name of the table, or the name of an installed package.

    Raises ``RefusedError`` when there is none.
    """
    (packages,) = await observe(phone, PACKAGES)
    name = app_called(text)
    found = on_phone(name, packages) if name else None
    if found is None and text in packages:
        name = package_name(text)
        found = Installed(package=text, name=name or text, zh=apps()[name].zh if name else text)
    if found is None:
        if name:
            raise RefusedError(
                msg("{name} is not installed on this phone.", name=name), msg("Install it, or name another app.")
            )
        raise RefusedError(
            msg("heed knows no app called {text!r}.", text=text[:60]),
            msg("Give its package name (`pm list packages`)."),
        )
    return found


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
    command = resolve_activity(action=_MAIN, categories=(_LAUNCHER,), package=package)
    return Reader(f"launcher.{package}", command, parse_launcher, verified=False)


async def launch(phone: Device, app: Installed) -> str:
    """Returns the command that opens an app as its icon does; raises ``RefusedError`` for an app without one."""
    (component,) = await observe(phone, launcher(app.package))
    if component is None or not component.startswith(f"{app.package}/"):
        raise RefusedError(msg("{name} has no page that could be opened.", name=app.name))
    return am_start(action=_MAIN, categories=(_LAUNCHER,), component=component)
