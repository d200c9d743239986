"""Read sentences: tokens, verbs, things, values, and the functions that a log line says were carried out."""
