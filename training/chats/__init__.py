"""Chats to learn from: prompts of the product with right answers, from the corpus and from exported records."""
