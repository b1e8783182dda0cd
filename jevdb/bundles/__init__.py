"""A warehouse moved: bundles, restores, compaction, one run as canonical lines."""
