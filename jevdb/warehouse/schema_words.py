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

TIE_RULES = ("lexicographic", "first")
"""Which of several options with the largest probability is on top: the smallest label,
or the first in the item's order; of levels always the lowest."""
FAILED_RATINGS = ("largest_error",)
"""What a rating that is not ok errs by in I."""
NOUL_HALVES = ("no", "yes", "wrong")
"""What a noul with both probabilities equal says; ``wrong`` is no pick at all."""
FAILED_DISTRIBUTIONS = ("left_out", "uniform")
"""What an answer that is not ok is in a proper score."""
