"""Risk classes; the class of a call is computed from its name, its arguments and their trust."""

from enum import StrEnum


class Risk(StrEnum):
    """R0 is harmless, R5 touches security. The order of the members is the order of severity."""

    R0 = "R0"
    """Reads or navigates."""
    R1 = "R1"
    """A reversible change."""
    R2 = "R2"
    """Communicates with other people."""
    R3 = "R3"
    """Spends money."""
    R4 = "R4"
    """Deletes data."""
    R5 = "R5"
    """Security-sensitive."""

    @property
    def may_be_remembered(self) -> bool:
        """Whether "always allow" may be offered: only reading and reversible changes."""
        return self in (Risk.R0, Risk.R1)
