"""The checks of editor markers: a module for each feature, found by its name with underscores for hyphens."""
