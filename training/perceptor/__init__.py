"""Trains the perceptor anew (``python -m training.perceptor``); needs the dependency group ``train``."""
