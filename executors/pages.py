"""Opens pages of apps and sites from a table (``pages.yaml``); the owner finishes there.

The page is the first one of the function's list that the call fills, for the app it names, that the phone can open;
else the app's first page, its site, or, for an app that the pool lists, its page in the app store. An app that no table
has is found among those on the phone. Arguments that the address does not take are shown to the owner.
"""

import json
import string
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple
from urllib.parse import urlsplit

import yaml
from pydantic import Field, JsonValue, TypeAdapter

from android_bridge.commands import Extra, am_start, encode
from android_bridge.device import Device
from android_bridge.facts.activities import Activities
from android_bridge.facts.packages import PACKAGES
from executors.apps import Installed, LaunchableApp, app_called, apps, installed_app, launch, on_phone, words_of
from executors.capability import Requirement
from executors.executor import RefusedError
from executors.observation import observe
from executors.plan import Effect, Preparation
from executors.screen import HandOverExecutor, by_hand, hand_over, handler, require_screen
from function_pool.call import FunctionCall
from function_pool.spec import default_pool
from function_pool.wording import listed_value
from heed.messages import Message, msg
from heed.model import Frozen
from heed.trust import Trust

VIEW = "android.intent.action.VIEW"
_ANY, _NONE = "*", "none"
_SECRET = ("password",)
"""Arguments that are never shown and never put into an address."""
Arguments = Mapping[str, str]


class Page(Frozen):
    """One page: see ``pages.yaml`` for the fields."""

    app: str = ""
    uri: str = ""
    web: str = Field(default="", pattern=r"^(?:https://\S+)?$")
    address: str = ""
    action: str = VIEW
    type: str = ""
    extras: Mapping[str, str | bool] = Field(default_factory=dict)
    object: Mapping[str, str] = Field(default_factory=dict)
    serves: tuple[str, ...] = Field(default=(), alias="for")
    when: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    shows: str = ""
    finish: tuple[str, ...] = ()
    source: str

    @property
    def launches(self) -> bool:
        """Whether it is the app's first page."""
        return not (self.uri or self.web or self.address or self.extras or self.type or self.action != VIEW)

    @property
    def needs(self) -> frozenset[str]:
        """The arguments that its address requires."""
        own = {self.address} if self.address else set()
        templates = (self.uri, self.web, self.type, *self.object.values(), *self.extras.values())
        return frozenset(own.union(*(_fields(text) for text in templates if isinstance(text, str)))) - {"object"}


class Pages(Frozen):
    """The pages of one function."""

    by: str = ""
    by_any: bool = False
    shows: str
    finish: tuple[str, ...] = ()
    joins: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    codes: Mapping[str, Mapping[str, Mapping[str, str]]] = Field(default_factory=dict)
    defaults: Mapping[str, str] = Field(default_factory=dict)
    pages: tuple[Page, ...]

    def values(self, call: FunctionCall) -> dict[str, str]:
        """Returns the call's arguments as texts, with joined values and codes."""
        given = {name: _text(value) for name, value in call.parameters.items()}
        values = dict(given)
        for name, parts in self.joins.items():
            if joined := " ".join(given[part] for part in parts if part in given):
                values[name] = joined
        for name, spellings in self.codes.items():
            value = given.get(name, self.defaults.get(name, ""))
            values |= {
                f"{name}_{spelling}": codes[value.casefold()]
                for spelling, codes in spellings.items()
                if value.casefold() in codes
            }
        return {**self.defaults, **values}

    def used_arguments(self, page: Page) -> set[str]:
        """Returns the arguments that the page uses."""
        used = {self.by, *page.when}
        for name in page.needs:
            code = next((argument for argument in self.codes if name.startswith(f"{argument}_")), name)
            used |= set(self.joins.get(name, (code,)))
        return used


class Named(NamedTuple):
    """The app or site that the call names: the call's word, and the app's name in the table (may be empty)."""

    said: str
    app: str


def _text(value: JsonValue) -> str:
    if isinstance(value, list):
        return ", ".join(str(item) for item in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


@cache
def pages() -> Mapping[str, Pages]:
    """Returns the pages of every function."""
    raw = yaml.safe_load(files("executors").joinpath("pages.yaml").read_text("utf-8"))
    return TypeAdapter(dict[str, Pages]).validate_python(raw)


_BROWSER = Requirement(
    handler(VIEW, data="https://www.example.com/"), msg("No browser is installed."), lambda app: app is not None
)


class PageExecutor(HandOverExecutor):
    """Opens the page of ``pages.yaml`` that fits the call."""

    def all_requirements(self) -> tuple[Requirement, ...]:
        """A browser where a page is a site's; no app, since a call may name any that is installed."""
        return (_BROWSER,) if any(page.web or page.address for page in pages()[self.function].pages) else ()

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        table = pages()[self.function]
        front = await require_screen(phone)
        (packages,) = await observe(phone, PACKAGES)
        opening = _Opening(phone, table, call, packages, front)
        return await opening.preparation()


class _Opening:
    """The search for the page of one call."""

    def __init__(
        self, phone: Device, table: Pages, call: FunctionCall, packages: frozenset[str], front: Activities
    ) -> None:
        self.phone, self.table, self.call, self.packages, self.front = phone, table, call, packages, front
        self.values = table.values(call)
        self.named = self._named()

    def _named(self) -> Named | None:
        said = str(self.call.parameters.get(self.table.by, ""))
        if not said or said == _NONE:
            return None
        app = said if said in apps() else app_called(said)
        return None if not app and self.table.by_any else Named(said, app)

    async def preparation(self) -> Preparation:
        for page in self._candidates():
            if (found := await self._open(page)) is not None:
                return found
        if self.named is not None and (found := await self._fallback(self.named)) is not None:
            return found
        raise self._refusal()

    def _candidates(self) -> list[Page]:
        """Pages that fit the call, those of installed apps before sites."""
        fitting = [page for page in self.table.pages if self._fits(page)]
        return sorted(fitting, key=lambda page: bool(page.web))

    def _fits(self, page: Page) -> bool:
        if not page.needs <= self.values.keys():
            return False
        if any(self.values.get(name) not in wanted for name, wanted in page.when.items()):
            return False
        if self.named is None:
            return True
        served = _served(page)
        return self.named.said in served or self.named.app in served or (_ANY in served and not self._has_app())

    def _has_app(self) -> bool:
        return bool(self.named and self.table.by_any and on_phone(self.named.app, self.packages))

    async def _open(self, page: Page) -> Preparation | None:
        if page.address:
            return await self._open_address(page)
        if page.web:
            return await self._open_web(page, fill(page, page.web, self.values))
        app = on_phone(page.app, self.packages)
        if app is None:
            return None
        return await self._launch(page, app) if page.launches else await self._open_app(page, app)

    async def _open_app(self, page: Page, app: Installed) -> Preparation | None:
        data = fill(page, page.uri, self.values) if page.uri else ""
        mime_type = page.type.format_map(self.values)
        target = handler(page.action, mime_type, data=data, package=app.package)
        (package,) = await observe(self.phone, target)
        if package != app.package:
            return None
        command = am_start(
            action=page.action,
            data=data,
            mime_type=mime_type,
            package=app.package,
            extras={name: _extra(value, self.values) for name, value in page.extras.items()},
        )
        effect = Effect(kind="page", detail={"app": app.words, "shows": self._shows(page)})
        return self._shown(page, command, app.package, effect)

    async def _launch(self, page: Page, app: Installed) -> Preparation:
        effect = Effect(kind="page_app", detail={"app": app.words, "shows": self._shows(page)})
        return self._shown(page, await launch(self.phone, app), app.package, effect)

    async def _open_web(self, page: Page, address: str) -> Preparation | None:
        host = urlsplit(address).hostname or ""
        (browser,) = await observe(self.phone, handler(VIEW, data=address))
        if browser is None:
            return None
        effect = Effect(kind="page_web", detail={"host": host, "shows": self._shows(page)})
        return self._shown(page, am_start(action=VIEW, data=address, package=browser), browser, effect)

    async def _open_address(self, page: Page) -> Preparation | None:
        """Opens an address from the call: only https, and third-party text only for hosts of the named app."""
        address = self.values[page.address]
        host = _host(address)
        known = apps()[self.named.app].hosts if self.named and self.named.app else ()
        if not any(host == own or host.endswith(f".{own}") for own in known):
            if known:
                raise RefusedError(
                    msg(
                        "{host} is not where {app} has its meetings.",
                        host=host,
                        app=self.named.app if self.named else "",
                    )
                )
            if self.call.trust_of(page.address) is Trust.THIRD_PARTY:
                raise RefusedError(
                    msg(
                        "The address on {host} comes from text that others wrote; heed does not open such links.",
                        host=host,
                    )
                )
        (browser,) = await observe(self.phone, handler(VIEW, data=address))
        if browser is None:
            return None
        effect = Effect(kind="page_address", detail={"address": address, "host": host})
        return self._shown(page, am_start(action=VIEW, data=address, package=browser), browser, effect)

    async def _fallback(self, named: Named) -> Preparation | None:
        """The named app's first page, its site, or its page in the app store; None for a word that names no app."""
        listed = default_pool().get(self.call.name).parameters[self.table.by].choices
        page, known = Page(app=named.app, source="launcher"), apps().get(named.app)
        if known is None and named.said in listed:  # "bank app", "default"
            return None
        if known is not None and not on_phone(named.app, self.packages):
            if known.web and (found := await self._open_web(page, known.web)) is not None:
                return found
            if not listed or named.app in listed or named.said in listed:
                return await self._store(page, known)
        return await self._launch(page, installed_app(named.said, self.packages))

    async def _store(self, page: Page, app: LaunchableApp) -> Preparation | None:
        if not app.packages:
            return None
        address = f"market://details?id={app.packages[0]}"
        (store,) = await observe(self.phone, handler(VIEW, data=address))
        if store is None:
            return None
        command = am_start(action=VIEW, data=address, package=store)
        effect = Effect(kind="page_store", detail={"app": words_of(page.app)})
        return hand_over(command, store, effect, before=self.front)

    def _shown(self, page: Page, command: str, package: str, effect: Effect) -> Preparation:
        finish = [Effect(kind=f"finish_{kind}") for kind in page.finish or self.table.finish]
        return hand_over(command, package, effect, *self._by_hand(page), *finish, before=self.front)

    def _by_hand(self, page: Page) -> Iterator[Effect]:
        """Yields the effect that names the arguments which the page does not use."""
        used = self.table.used_arguments(page) | ({self.table.by} if self.named else set())
        left = {name: value for name, value in self.call.parameters.items() if name not in used}
        yield from by_hand({name: None if name in _SECRET else value for name, value in left.items()})

    def _shows(self, page: Page) -> dict[str, JsonValue]:
        for words in (page.shows, self.table.shows):
            if words and _fields(words) <= self.values.keys():
                values = {name: listed_value(name, self.values[name]) for name in _fields(words)}
                return _data(Message(template=words, values=values))
        return _data(msg("what you look for"))

    def _refusal(self) -> RefusedError:
        fitting = self._candidates()
        names = list(dict.fromkeys(page.app for page in fitting if page.app and not page.web))
        if self.named is not None:
            return RefusedError(
                msg("{said} cannot be opened on this phone for that.", said=self.named.said), msg("Name another app.")
            )
        if not names:
            return RefusedError(
                msg("There is no page for that."), msg("Name an app; see `heed functions {name}`.", name=self.call.name)
            )
        return RefusedError(msg("None of {names} is on this phone.", names=names), msg("Install one of them."))


def _data(message: Message) -> dict[str, JsonValue]:
    return message.model_dump(mode="json")


def _served(page: Page) -> Sequence[str]:
    return page.serves or (page.app,)


def _host(address: str) -> str:
    """Returns the host of an https address in its encoded form, which shows look-alike letters."""
    parts = urlsplit(address)
    if parts.scheme != "https":
        raise RefusedError(msg("heed opens only addresses that begin with https://."))
    try:
        return (parts.hostname or "").encode("idna").decode()
    except UnicodeError as error:
        raise RefusedError(msg("{hostname} is not a host name.", hostname=parts.hostname)) from error


def fill(page: Page, template: str, values: Arguments) -> str:
    """Returns the address with every argument percent-encoded."""
    encoded = {name: encode(value) for name, value in values.items() if name in page.needs}
    if page.object:
        whole = {name: text.format_map(values) for name, text in page.object.items()}
        encoded["object"] = encode(json.dumps(whole, ensure_ascii=False, separators=(",", ":")))
    return template.format_map(encoded)


def _extra(value: str | bool, values: Arguments) -> Extra:
    return value if isinstance(value, bool) else value.format_map(values)
