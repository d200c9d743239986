"""Mine habits from the behaviour log and match them against a moment."""
