"""What items that belong together share."""

from __future__ import annotations

from enum import StrEnum


class ClusterBy(StrEnum):
    """What items that belong together share; none: every item stands alone."""

    GROUP = "group"
    FAMILY = "family"
    DOMAIN = "domain"
    NONE = "none"
