"""The loop and its people: daemon, triggers, policy, consent, journal and command line."""
