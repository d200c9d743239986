"""Judges of others: AndroidWorld and KnowU-Bench on the virtual phone."""
