"""Input files as records: opened, expanded and split, whatever their container."""
