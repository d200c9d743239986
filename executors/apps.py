"""The apps that executors open by name, from one table (``apps.yaml``), and which of them a phone has."""

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
from executors.observation import look
from executors.screen import COMPONENT
from heed.messages import msg
from heed.model import Frozen

_MAIN, _LAUNCHER = "android.intent.action.MAIN", "android.intent.category.LAUNCHER"


class App(Frozen):
    """One app: facts that are ours, never a model's."""

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
def apps() -> Mapping[str, App]:
    """Every app by its English name."""
    raw = yaml.safe_load(files("executors").joinpath("apps.yaml").read_text("utf-8"))
    return TypeAdapter(dict[str, App]).validate_python(raw)


@cache
def _names() -> Mapping[str, str]:
    """Every way to name an app to its English name."""
    return {_folded(word): name for name, app in apps().items() for word in (name, app.zh, *app.also)}


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def app_called(text: str) -> str:
    """The English name of the app that ``text`` means; empty for one that the table does not have."""
    return _names().get(_folded(text).removesuffix(" app").removesuffix("应用"), "")


def words_of(name: str) -> dict[str, JsonValue]:
    """An app of the table for the wording table."""
    return {"en": name, "zh": apps()[name].zh}


def on_phone(name: str, packages: frozenset[str]) -> Installed | None:
    """The app of the table as one of ``packages``; None when it is not there."""
    found = next((package for package in apps()[name].packages if package in packages), None)
    return Installed(package=found, name=name, zh=apps()[name].zh) if found else None


async def find_app(phone: Device, text: str) -> Installed:
    """The installed app that a person calls ``text``: a name of the table, or an installed package's own name.

    Raises ``RefusedError`` when there is none.
    """
    (packages,) = await look(phone, PACKAGES)
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
    """The English name of a package; empty for one that the table does not have."""
    return next((name for name, app in apps().items() if package in app.packages), "")


@parser(msg("The app's first page"))
def parse_launcher(text: str) -> str | None:
    """``cmd package resolve-activity --brief``: the component; None for an app without a page of its own."""
    components = [match[0] for match in COMPONENT.finditer(text)]
    if not components and "No activity found" not in text:
        raise missing(msg("component"))
    return components[-1] if components else None


def launcher(package: str) -> Reader[str | None]:
    """The reader of the page that an app opens with."""
    command = resolve_activity(action=_MAIN, categories=(_LAUNCHER,), package=package)
    return Reader(f"launcher.{package}", command, parse_launcher, verified=False)


async def launch(phone: Device, app: Installed) -> str:
    """The command that opens an app as its icon does; ``RefusedError`` for an app without an icon."""
    (component,) = await look(phone, launcher(app.package))
    if component is None or not component.startswith(f"{app.package}/"):
        raise RefusedError(msg("{name} has no page that could be opened.", name=app.name))
    return am_start(action=_MAIN, categories=(_LAUNCHER,), component=component)
