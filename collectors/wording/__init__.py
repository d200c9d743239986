"""A ``Context`` in short natural language, English or Chinese, in the benchmark's four fields."""

from collectors.wording.render import render

__all__ = ["render"]
