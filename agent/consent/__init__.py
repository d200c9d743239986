"""Consent requests, the channels that carry them, and the terminal as one of them."""
