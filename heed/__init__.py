"""The common floor: errors, clock, language, trust labels, redaction and ``python -m heed``.

Every room may import it; it imports none of them.
"""

__version__ = "0.1.0"
