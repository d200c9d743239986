"""Carry out one validated call: prepare, perform, verify, undo."""
