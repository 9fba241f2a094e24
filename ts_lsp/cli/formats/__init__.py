"""The output formats: each a pure function from an outcome to the text of stdout."""
