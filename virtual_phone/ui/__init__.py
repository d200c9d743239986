"""Screens: one widget tree per state, from which the pixels and the UI dump are drawn and which taps reach."""
