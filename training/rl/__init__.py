"""Reinforcement tuning of a language model with a reward for right answers."""
