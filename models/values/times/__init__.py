"""Reads time expressions in English and Chinese, relative to the phone's clock."""

from models.values.times.read import read_span, read_text
from models.values.times.resolve import TimeReading

__all__ = ["TimeReading", "read_span", "read_text"]
