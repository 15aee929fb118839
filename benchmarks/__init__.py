"""Measurements; each is a command that prints its results."""
