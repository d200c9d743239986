"""Access to a phone over adb: connections, commands, quoting, typed readers, events, UI."""
