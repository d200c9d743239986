"""Carries out validated calls: prepare, perform, verify, undo."""
