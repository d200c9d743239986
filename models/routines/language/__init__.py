"""Parsing of log entries and messages: tokens, verbs, objects, entities, and the owner's actions."""
