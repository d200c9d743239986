"""Reads the table of builds."""

import functools
from collections.abc import Mapping
from importlib import resources
from typing import Any

import yaml

from heed.errors import UsageError
from virtual_phone.builds.build import Build, ServiceVerbs

DEFAULT_BUILD = "generic"
"""The build without any restriction: what the phone implements, it accepts."""


def build_names() -> list[str]:
    """Returns the names of all builds, the default first."""
    return list(_builds())


def build_named(name: str) -> Build:
    """Returns one build; ``UsageError`` for an unknown name."""
    if name not in _builds():
        raise UsageError(f"There is no build “{name}”.", f"The builds are {', '.join(build_names())}.")
    return _builds()[name]


@functools.cache
def _builds() -> Mapping[str, Build]:
    services = _services()
    builds = [Build.model_validate(row) for row in _read("builds.yaml")]
    return {build.name: build if build.name == DEFAULT_BUILD else _limited(build, services) for build in builds}


def verbs_of(build: Build, service: str) -> tuple[str, ...]:
    """Returns the verbs that a service's help lists on a build: those of its sources, or all that are known."""
    described = (build.services or _services()).get(service)
    return tuple(described.verbs) if described else ()


@functools.cache
def _services() -> Mapping[str, ServiceVerbs]:
    return {name: ServiceVerbs.model_validate(row) for name, row in _read("services.yaml").items()}


def _limited(build: Build, services: Mapping[str, ServiceVerbs]) -> Build:
    """Gives a build the verbs that its API level and its vendor leave of all that the sources know."""
    limited = {name: _of_build(build, name, service) for name, service in services.items()}
    return build.model_copy(update={"services": limited})


def _of_build(build: Build, name: str, service: ServiceVerbs) -> ServiceVerbs:
    lacking = {verb for row in build.differences if row.service == name for verb in row.lacks}
    verbs = {verb: since for verb, since in service.verbs.items() if since <= build.sdk and verb not in lacking}
    return service.model_copy(update={"verbs": verbs})


@functools.cache
def common_properties() -> Mapping[str, str]:
    """Returns the system properties of every build; a value may name a field of the build in braces."""
    return {str(name): str(value) for name, value in _read("properties.yaml").items()}


def _read(name: str) -> Any:
    return yaml.safe_load(resources.files("virtual_phone.builds").joinpath(name).read_text("utf-8"))
