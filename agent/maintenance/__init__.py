"""Checks, service, configuration, export and deletion of an installation."""
