"""Reasoners: turn a ``Context`` and the function pool into a ``Recommendation``."""
