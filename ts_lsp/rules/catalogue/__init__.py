"""One file per rule: its page (the docstring), how its findings read, and its fixes. See `docs/contributing.md`."""
