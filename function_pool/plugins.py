"""The pool with the functions that plug-ins bring, through the entry-point group ``heed.functions``."""

from collections.abc import Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from function_pool.spec import FunctionSpec, Pool, default_pool, parse_pool
from heed.errors import UsageError
from heed.messages import msg

GROUP = "heed.functions"
"""Each entry names a mapping of specs by function name, in the pool file's schema."""


def pool_of(specs: Mapping[str, Any], where: str = "the plug-in") -> Pool:
    """Returns a pool of a plug-in's own functions alone; raises ``UsageError`` for a spec that does not fit."""
    return parse_pool(dict(specs), where)


def installed_pool(entries: Iterable[EntryPoint] | None = None) -> Pool:
    """Returns heed's 63 functions followed by those of plug-ins; raises ``UsageError`` that names a faulty plug-in."""
    functions: dict[str, FunctionSpec] = dict(default_pool().functions)
    for entry in sorted(entry_points(group=GROUP) if entries is None else entries, key=lambda entry: entry.name):
        for name, spec in _specs(entry).items():
            if name in functions:
                raise UsageError(
                    msg("{entry} brings a function {name}, which there is already.", entry=entry.value, name=name),
                    msg("Uninstall it."),
                )
            functions[name] = spec
    return Pool(functions=functions)


def _specs(entry: EntryPoint) -> Mapping[str, FunctionSpec]:
    try:
        raw = entry.load()
    except (ImportError, AttributeError, TypeError) as error:
        message = msg("The functions of {entry} cannot be loaded: {error}.", entry=entry.value, error=error)
        raise UsageError(message, msg("Update or uninstall that plug-in.")) from error
    return parse_pool(raw, entry.value).functions
