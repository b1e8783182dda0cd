"""Records decoded strictly into canonical columns."""
