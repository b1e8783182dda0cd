"""Methods and scorings that users add."""
