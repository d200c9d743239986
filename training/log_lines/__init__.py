"""Trains the log-line reader: which functions a line of the behaviour log reports, in any wording."""
