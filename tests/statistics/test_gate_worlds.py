"""How often gates and promises err, against INFERENCE.md §6.2 and §7."""

from __future__ import annotations

import math

import pytest
from gate_worlds import caught, confidences, years

from jevdb.scoring.keys import Key

pytestmark = pytest.mark.long
WORLDS = 400


def slack(share: float) -> float:
    """Two standard errors of a share of the worlds."""
    return 2 * math.sqrt(share * (1 - share) / WORLDS)


@pytest.mark.parametrize(
    ("metric", "flat", "shared"),
    [("intelligence", 0.149, 0.035), ("accuracy", 0.121, 0.029)],
)
def test_twelve_equal_candidates(metric: str, flat: float, shared: float):
    found = years(Key("public_231", "m", metric, "all"), WORLDS)
    assert found.shared <= 0.05 + slack(0.05)
    # What a gate without looks would do, and that sharing out is what helps.
    assert found.flat >= flat - slack(flat)
    assert found.shared <= shared + 2 * slack(shared)
    assert found.unclear <= 0.025


def test_late_harm_is_not_passed():
    key = Key("public_231", "m", "accuracy", "all")
    first, last = caught(key, 1, WORLDS), caught(key, 12, WORLDS)
    assert first[0] > last[0]
    # Together they are the same worlds: what is no failure any more is inconclusive.
    assert sum(first) == pytest.approx(sum(last), abs=1e-12)


@pytest.mark.parametrize("n", [231, 1234])
@pytest.mark.parametrize("excess", [0.0, 0.05])
def test_confidences(n: int, excess: float):
    found = confidences(n, excess, 0.9, WORLDS)
    assert found.gap_held >= 0.95 - slack(0.95)
    assert found.broken <= 0.05
    # Unbiased for the mean squared gap of the bins.
    assert found.squared == pytest.approx(excess**2, abs=0.0006)
