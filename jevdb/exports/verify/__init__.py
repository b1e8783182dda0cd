"""Published numbers recomputed one by one."""
