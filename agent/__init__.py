"""The agent: daemon, policy, consent, journal, console and commands."""
