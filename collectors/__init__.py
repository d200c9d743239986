"""Collectors: read the phone and the world into a ``Context`` with four sections of facts."""
