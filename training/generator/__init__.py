"""Records in the benchmark's format, written from scenario grammars: for training and testing, from a seed."""
