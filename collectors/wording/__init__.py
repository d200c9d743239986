"""Renders a ``Context`` as short text in English or Chinese, in the benchmark's four fields."""

from collectors.wording.render import picture_places, render, word_fact, word_trigger

__all__ = ["picture_places", "render", "word_fact", "word_trigger"]
