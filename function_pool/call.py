"""A call of one function of the pool, as data."""

from collections.abc import Mapping

from pydantic import Field, JsonValue

from heed.model import Frozen
from heed.trust import Trust, least


class Basis(Frozen):
    """A fact that an argument was built from."""

    fact: str
    """Name of the fact in the context, e.g. ``sms.unread``."""
    trust: Trust


class FunctionCall(Frozen):
    """A function name and its arguments; each argument knows the facts it was built from."""

    name: str
    parameters: Mapping[str, JsonValue] = Field(default_factory=dict)
    basis: Mapping[str, tuple[Basis, ...]] = Field(default_factory=dict)
    """Per parameter, the facts its value rests on; a parameter that is not listed rests on none."""

    def trust_of(self, parameter: str) -> Trust:
        """The least trusted label among the facts that ``parameter`` was built from."""
        return least(basis.trust for basis in self.basis.get(parameter, ()))
