"""Typed readers: one pure function per command output, written against captures of real phones."""
