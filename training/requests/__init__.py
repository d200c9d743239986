"""Trains the reader of requests."""
