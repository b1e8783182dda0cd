"""The long mode: intervals hold the truth as often as they say (docs/statistics.md)."""

from __future__ import annotations

import pytest
import worlds

from jevdb.scoring.evidence import Key


@pytest.mark.long
def test_intervals_hold_the_truth():
    found = worlds.measured()
    for row in ("public_231", "hard_111"):
        accuracy = found[Key(row, "m", "accuracy", "all")]
        assert 0.93 <= accuracy.percentile.held <= 0.97
        assert 0.93 <= accuracy.wide.held <= 0.97
        index = found[Key(row, "m", "intelligence", "all")]
        assert index.wide.held >= 0.90
        # Blocks of six ratings: the percentile interval is a little short.
        assert 0.88 <= index.percentile.held < index.wide.held


def test_a_world_is_shaped_like_jevbench():
    counts = worlds.COUNTS
    assert sum(counts.values()) == 231
    assert sum(n for (_, tier), n in counts.items() if tier == "hard") == 111
    by_type = {
        kind: sum(n for (known, _), n in counts.items() if known == kind)
        for kind in ("choice", "noul", "score")
    }
    assert by_type == {"choice": 139, "noul": 74, "score": 18}
    few = worlds.measured(worlds=20)
    assert all(found.null_replicates == 0 for found in few.values())
    for row in ("public_231", "hard_111"):
        assert few[Key(row, "m", "accuracy", "all")].percentile.held >= 0.75
