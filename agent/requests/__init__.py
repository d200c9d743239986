"""Turns a typed request into calls: reads it, finds what it does not state, and asks for the rest."""
