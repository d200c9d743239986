"""Readers of single parameters: from a span, the message and its moment to a value."""

from collections.abc import Mapping

from function_pool.spec import FunctionSpec
from models.values.readers import codes, moments, people, quantities, selections, wordings
from models.values.readers.request import Reader, ValueRequest, stated

_READERS: Mapping[str, Reader] = {
    name: read
    for part in (moments, quantities, people, codes, selections, wordings)
    for name, read in part.READERS.items()
}

__all__ = ["ValueRequest", "reader"]


def reader(spec: FunctionSpec, name: str) -> Reader:
    """Returns the reader of a parameter; one that no table has is a choice, a number or the words of its span."""
    own = _READERS.get(f"{spec.name}.{name}") or _READERS.get(name)
    if own:
        return own
    parameter = spec.parameters[name]
    if parameter.choices:
        return selections.choose
    if parameter.type in ("int", "float"):
        return quantities.whole
    return selections.enabled if parameter.type == "bool" else stated
