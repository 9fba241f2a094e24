"""Setting the twin beside the real compiler on functions found in the wild, as they stand and mutated.

Nothing of the sources is kept in the repository: they are read from the installed torch and from packages that pip
fetches into a cache.
"""
