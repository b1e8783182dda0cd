"""A starter mapping for a file: fields by their names, values by what fits items."""
