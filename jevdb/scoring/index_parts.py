"""How I is put together: the parts it averages, and what an item of each weighs."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from jevdb.scoring.terms import Place

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jevdb.scoring.terms import Method, Stratum

    Integers = NDArray[np.int64]


class IndexPart(NamedTuple):
    """A weighted tier of a type: its share of I, and where its items stand."""

    type: str
    omega: float
    items: Integers


def index_parts(
    strata: Sequence[Stratum],
    report_row: str,
    types: Collection[str],
    method: Method,
) -> list[IndexPart]:
    """Return the parts of a report row's index over *types*, by a method's weights.

    References
    ----------
    INFERENCE.md §1.3: omega is T_t W_tr.
    """
    place = Place(report_row, "index")
    type_sum = math.fsum(method.type_weight(kind) for kind in sorted(types))
    parts = []
    for kind in sorted(types):
        tiers: dict[str | None, list[Integers]] = {}
        for stratum in strata:
            if stratum.type == kind and place in stratum.places:
                tiers.setdefault(stratum.weighted_tier, []).append(stratum.items)
        weights = {
            tier: method.tier_weights.get(tier, 1.0) if tier else 1.0 for tier in tiers
        }
        tier_sum = math.fsum(weights.values())
        for tier, listed in tiers.items():
            omega = method.type_weight(kind) / type_sum * weights[tier] / tier_sum
            parts.append(IndexPart(kind, omega, np.sort(np.concatenate(listed))))
    return parts
