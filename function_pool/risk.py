"""Risk classes; ``assessment.assess`` computes the class of a call."""

from enum import StrEnum


class Risk(StrEnum):
    """Risk classes in ascending order of severity."""

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
