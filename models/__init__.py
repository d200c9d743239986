"""Decide what, if anything, to suggest: ``Context`` + pool → ``Recommendation``."""
