"""Hypothesis for the engine: a profile that stops at the first failure, for `tests.engine.breakages`."""

from hypothesis import Phase, settings

settings.register_profile("first_failure", phases=[Phase.generate], database=None)
