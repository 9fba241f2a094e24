"""How findings read: one file per rule in `catalogue`, and what turns facts into texts, suppressions and fixes.

Invariant: nothing here decides whether code is wrong; `semantic` did that. A rule adds words and edits to its findings.
"""
