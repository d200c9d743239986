"""Deciding without weights: habits mined from the behaviour log, and declared situations.

A log line is read by a declared lexicon (``data/*.yaml``, English and Chinese) into what happened and what the
owner did about it; the miner turns repeated readings into habits; habits and situations become recommendations.
"""
