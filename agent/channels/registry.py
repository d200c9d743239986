"""Loads the messaging services: heed's own and those of plug-ins, through the same entry-point group."""

from collections.abc import Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import NamedTuple

from pydantic import ValidationError

from agent.channels.config import ChannelsConfig, ChannelSettings
from agent.channels.service import MessageService
from agent.consent.request import ChannelName
from heed.errors import UsageError
from heed.library_messages import from_library
from heed.messages import msg

GROUP = "heed.channels"
"""Each entry names an iterable of ``MessageService`` classes."""


class LoadedService(NamedTuple):
    """A service that is switched on, with its settings."""

    service: MessageService
    settings: ChannelSettings


def load_services(config: ChannelsConfig, entries: Iterable[EntryPoint] | None = None) -> tuple[LoadedService, ...]:
    """Return the services that are switched on.

    Args:
        config: the section ``channels``.
        entries: the entry points to load; by default those of the installed packages. None is loaded while no channel
            is switched on.

    Raises ``UsageError`` for a section of no channel, a wrong setting, and a plug-in that cannot be loaded.
    """
    sections = _sections(config)
    if not any(_is_on(section) for section in sections.values()):
        return ()
    classes = service_classes(entries)
    for name in sections:
        if name not in classes:
            raise UsageError(
                msg("There is no channel called {name!r}.", name=name), msg("There are {known}.", known=sorted(classes))
            )
    return tuple(_load(classes[name], section) for name, section in sections.items() if _is_on(section))


def service_classes(entries: Iterable[EntryPoint] | None = None) -> Mapping[str, type[MessageService]]:
    """Return every installed service class by its name; raises ``UsageError`` that names a faulty plug-in."""
    found: dict[str, type[MessageService]] = {}
    taken = {name.value for name in ChannelName if name not in _BUILT_IN}
    for entry in sorted(entry_points(group=GROUP) if entries is None else entries, key=lambda entry: entry.name):
        for service in _classes(entry):
            if service.name in found or service.name in taken:
                raise UsageError(
                    msg(
                        "{entry} brings a channel {name}, which there is already.", entry=entry.value, name=service.name
                    ),
                    msg("Uninstall it."),
                )
            found[service.name] = service
    return found


_BUILT_IN = (ChannelName.NTFY, ChannelName.TELEGRAM, ChannelName.HOME_ASSISTANT, ChannelName.DESKTOP)
"""The names of channels in ``ChannelName`` that are services."""


def _sections(config: ChannelsConfig) -> dict[str, object]:
    own = {name.value: getattr(config, name.value) for name in _BUILT_IN}
    return {**own, **(config.model_extra or {})}


def _is_on(section: object) -> bool:
    if isinstance(section, ChannelSettings):
        return section.enabled
    return isinstance(section, Mapping) and str(section.get("enabled", False)).lower() in ("true", "1", "yes", "on")


def _load(service: type[MessageService], section: object) -> LoadedService:
    if isinstance(section, service.settings_type):
        return LoadedService(service(section), section)
    try:
        settings = service.settings_type.model_validate(section)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(("channels", service.name, *map(str, first["loc"])))
        fault = from_library(first["msg"])
        raise UsageError(msg("Configuration field `{field}`: {fault}.", field=field, fault=fault)) from error
    return LoadedService(service(settings), settings)


def _classes(entry: EntryPoint) -> list[type[MessageService]]:
    try:
        classes = list(entry.load())
    except (ImportError, AttributeError, TypeError) as error:
        raise UsageError(
            msg("The channels of {entry} cannot be loaded: {error}.", entry=entry.value, error=error),
            msg("Update or uninstall that plug-in."),
        ) from error
    for service in classes:
        if not (isinstance(service, type) and issubclass(service, MessageService) and hasattr(service, "name")):
            raise UsageError(
                msg("{entry} contains {service!r}, which is not a channel.", entry=entry.value, service=service),
                msg("Update or uninstall it."),
            )
    return classes
