"""The closed sets of words that columns hold; free of heavy imports."""

STATUSES = ("ok", "invalid", "unsupported", "error")
TYPES = ("choice", "noul", "score", "multi_select")
MODALITIES = ("text", "image", "text_rendered")
TIERS = ("easy", "standard", "judge", "hard")
