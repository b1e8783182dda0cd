"""Runs against runs: cohorts, resampling, comparisons, leaderboards, history."""
