"""What supervised and reinforcement tuning share: base models, tokens, merging, conversion, quantization, measuring."""
