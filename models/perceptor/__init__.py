"""The perceptor: a small network that decides whether to recommend something and ranks the functions."""

from models.perceptor.perceptor import Perception, Perceptor

__all__ = ["Perception", "Perceptor"]
