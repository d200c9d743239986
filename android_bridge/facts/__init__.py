"""Typed readers: one pure function per command output, written against captures of real phones.

Each module names the captures that it was checked against; docs/readers.md lists them all, docs/android-notes.md the
differences between them.
"""
