"""Resampling, intervals and tests: pure functions of arrays."""
