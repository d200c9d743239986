"""How to talk to a phone: connections, commands, quoting, typed readers, UI; and the virtual phone."""
