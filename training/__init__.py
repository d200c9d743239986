"""Training data and training code; not part of the wheel."""
