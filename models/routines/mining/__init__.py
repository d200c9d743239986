"""Mining of habits from the behaviour log, and their match with the current moment."""
