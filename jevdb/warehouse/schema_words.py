"""The closed sets of words that columns hold; free of heavy imports."""

STATUSES = ("ok", "invalid", "unsupported", "error")
TYPES = ("choice", "noul", "score", "multi_select")
MODALITIES = ("text", "image", "text_rendered")
TIERS = ("easy", "standard", "judge", "hard")

REFERENCE_RULES = ("given", "one_hot", "given_or_one_hot")
"""What TVD compares with: the item's reference; its one-hot gold; or the reference,
and where the gold revision has none at all the one-hot gold of the choice items."""
TIER_RULES = ("always", "if_all", "never")
"""When tier weights apply: every item has to have a tier; if every item has one; no."""
MAIN_ECES = ("by_type", "pooled", "choice", "noul", "score")
"""Which ECE a report shows: one a type, or one kind alone."""
TVD_TYPES = ("choice", "noul")
"""The types that may have a reference distribution."""
