"""Rules that the owner writes as a sentence ("weekdays 22:30: do not disturb until 7"), read into situations."""
