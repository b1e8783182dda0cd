"""Everything behind one number."""
