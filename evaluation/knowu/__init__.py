"""KnowU-Bench's proactive decisions, offline: recorded moments of two personas (Apache-2.0, ZJU-REAL/KnowU-Bench)."""
