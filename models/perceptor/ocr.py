"""Reads the text in pictures of screens, for records that contain pictures.

Uses ``rapidocr-onnxruntime``, whose wheel has models for English and Chinese; it is the extra ``ocr``, because with
OpenCV it takes 200 MB.
"""

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from heed.errors import UsageError
from heed.messages import msg

LEAST_SURE = 0.6
"""A line with less confidence is left out."""


class PictureReader:
    """Reads pictures one after another. ``UsageError`` when the extra is not installed."""

    def __init__(self) -> None:
        try:
            self._read: Any = import_module("rapidocr_onnxruntime").RapidOCR()
        except ImportError as error:  # a system library that OpenCV misses shows in the same way
            raise UsageError(
                msg("Reading pictures needs RapidOCR, which cannot be loaded: {error}.", error=error),
                msg("Install heed-android[ocr] (Python 3.11 or 3.12), or leave --ocr out."),
            ) from error

    def lines(self, picture: Path) -> tuple[str, ...]:
        """The lines of text, from top to bottom; ``UsageError`` for what is no picture."""
        try:
            with Image.open(picture) as image:
                pixels = np.asarray(image.convert("RGB"))
        except OSError as error:
            raise UsageError(
                msg("{picture} cannot be read as a picture: {error}.", picture=picture, error=error)
            ) from error
        found, _ = self._read(pixels)
        return tuple(text for _, text, sure in found or () if float(sure) >= LEAST_SURE)
