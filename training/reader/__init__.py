"""Trains the reader of incoming texts on top of the perceptor's encoder."""
