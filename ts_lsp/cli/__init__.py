"""The command line: `check`, `dump`, `explain`, `operators`, `verify`.

Invariant: stdout carries the answer only; every fault is one line on stderr; commands import what they need when run.
"""
