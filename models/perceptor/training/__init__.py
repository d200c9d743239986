"""Trains the perceptor anew (``python -m models.perceptor.training``); needs the dependency group ``train``."""
