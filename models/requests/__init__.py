"""Reads requests that the owner types: functions, arguments, and which required ones are missing."""
