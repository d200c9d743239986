"""Prompts: one builder for inference, evaluation and the export of training records."""

from models.prompt.builder import Image, Prompt, PromptBuilder, Text

__all__ = ["Image", "Prompt", "PromptBuilder", "Text"]
