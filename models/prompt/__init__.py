"""Prompts: one builder for inference, evaluation and the export of training records."""

from models.prompt.builder import Prompt, PromptBuilder, PromptImage, PromptText, question_prompt

__all__ = ["Prompt", "PromptBuilder", "PromptImage", "PromptText", "question_prompt"]
