"""Keys of records that mean nothing to a layout, in words."""

from __future__ import annotations


def ignored_words(keys: list[str]) -> list[str]:
    """Return the line that names such keys, if there are any."""
    return [f"keys without a meaning here: {', '.join(keys)}"] if keys else []
