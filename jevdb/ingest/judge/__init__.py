"""Staged predictions held against the items they answer."""
