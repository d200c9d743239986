"""Builds of Android that a virtual phone can be: each is data with its sources (``builds.yaml``, ``services.yaml``)."""

from virtual_phone.builds.build import Build, Quirk
from virtual_phone.builds.table import DEFAULT_BUILD, build_named, build_names, verbs_of

__all__ = ["DEFAULT_BUILD", "Build", "Quirk", "build_named", "build_names", "verbs_of"]
