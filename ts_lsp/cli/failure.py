"""The one way in which a command gives up: a line for stderr that says what is wrong and what to do."""

from __future__ import annotations


class CommandFailure(Exception):
    """A usage error or a fault of the surroundings. Ends the command with exit code 2."""
