"""The databases of providers and apps as files: views of the phone's state that SQLite reads and writes."""

from virtual_phone.databases.mounting import mount_databases

__all__ = ["mount_databases"]
