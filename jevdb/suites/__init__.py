"""Suites: one score over many benchmarks, and its editions, frozen boards."""
