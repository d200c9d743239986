"""Channels that ask over messaging services: what a plug-in writes, and what heed does around it."""
