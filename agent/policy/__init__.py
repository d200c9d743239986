"""The policy: pure rules that decide whether to act, ask or stay silent."""
