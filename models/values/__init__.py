"""Values of arguments, read from texts."""
