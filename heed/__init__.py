"""Shared basics: errors, clock, language, trust labels, redaction and ``python -m heed``.

Every other package may import this one; it imports none of them.
"""

__version__ = "0.1.0"
