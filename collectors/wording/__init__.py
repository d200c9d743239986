"""Renders a ``Context`` as short text in English or Chinese, in the benchmark's four fields."""

from collectors.wording.render import render, word_fact, word_trigger

__all__ = ["render", "word_fact", "word_trigger"]
