"""Whether to act, ask or stay silent: pure rules over what is known."""
