"""Benchmarks over recorded cases."""
