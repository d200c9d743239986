"""The perceptor: should we speak, about what, and with which functions; milliseconds on one core."""

from models.perceptor.perceptor import Perception, Perceptor

__all__ = ["Perception", "Perceptor"]
