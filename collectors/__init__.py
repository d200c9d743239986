"""Read the phone and the world into a ``Context``: four sections of facts that a person could have written."""
