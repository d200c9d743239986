"""A call of one function of the pool, as data."""

from collections.abc import Mapping

from pydantic import Field, JsonValue, field_serializer

from function_pool.secrets import CONCEALED, texts_of
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
    """A function name and its arguments, with the facts that the choice and each argument rest on."""

    name: str
    """Name of the function in the pool."""
    parameters: Mapping[str, ValidJson] = Field(default_factory=dict)
    """Arguments by parameter name; in canonical form after ``validation.validate``."""
    basis: Mapping[str, tuple[Basis, ...]] = Field(default_factory=dict)
    """The argument basis: per parameter the facts that its value was built from; none for one that is not listed."""
    secret: frozenset[str] = Field(default=frozenset(), exclude=True)
    """Parameters whose values are secret, as ``validation.validate`` found. In memory only: a call that is written as
    JSON has a placeholder in place of their values."""
    choice: tuple[Basis, ...] = ()
    """The facts because of which this function was chosen: the trigger, and what a condition or a model read."""

    def trust_of(self, parameter: str) -> Trust:
        """Returns the least trusted label among the facts that ``parameter`` was built from."""
        return least(basis.trust for basis in self.basis.get(parameter, ()))

    @property
    def shown(self) -> Mapping[str, JsonValue]:
        """The arguments with a placeholder in place of secret ones."""
        return {name: CONCEALED if name in self.secret else value for name, value in self.parameters.items()}

    @property
    def secrets(self) -> frozenset[str]:
        """The texts of the secret arguments."""
        return frozenset(text for name in self.secret for text in texts_of(self.parameters.get(name)))

    @field_serializer("parameters")
    def _write_parameters(self, parameters: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        return {name: CONCEALED if name in self.secret else value for name, value in parameters.items()}

    @property
    def third_party_parameters(self) -> tuple[str, ...]:
        """The parameters whose values rest on text that anyone may have written."""
        return tuple(name for name in self.parameters if self.trust_of(name) is Trust.THIRD_PARTY)

    @property
    def is_chosen_by_third_party(self) -> bool:
        """Whether text that anyone may have written had a part in the choice of the function."""
        return least(basis.trust for basis in self.choice) is Trust.THIRD_PARTY

    @property
    def is_influenced(self) -> bool:
        """Whether such text had a part in the choice or in any argument: then no grant applies."""
        return self.is_chosen_by_third_party or bool(self.third_party_parameters)
