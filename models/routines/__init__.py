"""The routines reasoner: habits mined from the behaviour log, and declared situations.

``language`` parses log entries with a declared lexicon (``data/*.yaml``, English and Chinese) into events and owner
actions; ``mining`` derives habits from repeated actions; ``rules`` checks situations; ``filling`` completes the calls.
"""
