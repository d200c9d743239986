"""Screens: one widget tree per state, the source of pixels, UI dumps and tap targets."""
