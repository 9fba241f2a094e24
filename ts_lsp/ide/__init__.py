"""Editor features without any protocol: pure functions from a snapshot and a place to plain data."""
