"""The tiny language model, for the cells in which its process dies."""

from tests.models.conftest import tiny_model

__all__ = ["tiny_model"]
