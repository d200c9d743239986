"""Taught tasks: what the owner showed once, as functions of the pool that the player carries out."""
