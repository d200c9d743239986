"""Measurements of speed, run by hand: ``python -m bench.<name>``."""
