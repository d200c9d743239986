"""A call of one function of the pool, as data."""

from collections.abc import Mapping

from pydantic import Field

from heed.model import Frozen
from heed.trust import Trust, least
from heed.unicode import ValidJson


class Basis(Frozen):
    """A fact that an argument was built from."""

    fact: str
    """Name of the fact in the context, e.g. ``sms.unread``."""
    trust: Trust
    """Who could have written it."""


class FunctionCall(Frozen):
    """A function name and its arguments, with the facts that each argument was built from."""

    name: str
    """Name of the function in the pool."""
    parameters: Mapping[str, ValidJson] = Field(default_factory=dict)
    """Arguments by parameter name; in canonical form after ``validation.validate``."""
    basis: Mapping[str, tuple[Basis, ...]] = Field(default_factory=dict)
    """The argument basis: per parameter the facts that its value was built from; none for one that is not listed."""

    def trust_of(self, parameter: str) -> Trust:
        """Returns the least trusted label among the facts that ``parameter`` was built from."""
        return least(basis.trust for basis in self.basis.get(parameter, ()))
