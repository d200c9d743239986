"""Screen steps that a model proposes: what it is asked, what it may answer, and the run of one task."""
