"""Supervised fine-tuning of a language model on chat records."""
