"""Situations: declared conditions that propose calls."""
