"""Intervals of one accuracy and of two: worked values, an enumeration, scipy."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from jevdb.base.errors import UsageError
from jevdb.numerics.binomial import (
    at_least,
    at_most,
    clopper_pearson,
    lowest_share,
)
from jevdb.numerics.discordant import (
    detectable_difference,
    difference_interval,
    mcnemar_exact,
)
from jevdb.numerics.pairwise import largest_minority

LAWS = settings(deadline=None, derandomize=True, max_examples=100)


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [
        # INFERENCE.md section 1.1; 20 of 20 is 0.025^(1/20).
        (20, 20, 0.8315665290169, 1.0),
        (18, 20, 0.6830172859810, 0.9876514728298),
        (0, 12, 0.0, 0.2646484693971),
        (191, 231, 0.7717586883627, 0.8733167034210),
    ],
)
def test_clopper_pearson(k: int, n: int, low: float, high: float):
    assert clopper_pearson(k, n) == pytest.approx((low, high), abs=1e-12)


@LAWS
@given(
    n=st.integers(1, 3000),
    confidence=st.sampled_from([0.8, 0.95, 0.999]),
    data=st.data(),
)
def test_clopper_pearson_is_scipys(n: int, confidence: float, data: st.DataObject):
    k = data.draw(st.integers(0, n))
    theirs = stats.binomtest(k, n).proportion_ci(confidence, method="exact")
    assert clopper_pearson(k, n, confidence) == pytest.approx(tuple(theirs), abs=1e-9)


@LAWS
@given(n=st.integers(1, 2000), share=st.floats(0.001, 0.999), data=st.data())
def test_tails_are_scipys(n: int, share: float, data: st.DataObject):
    k = data.draw(st.integers(0, n))
    assert at_most(k, n, share) == pytest.approx(stats.binom.cdf(k, n, share), abs=1e-9)
    assert at_least(k, n, share) == pytest.approx(
        stats.binom.sf(k - 1, n, share), abs=1e-9
    )


def test_a_tail_by_hand():
    # 88 or more of 90 at 0.9: INFERENCE.md section 7.4.
    assert at_least(88, 90, 0.9) == pytest.approx(0.0046044975, abs=1e-10)
    # Three of three at one half; none at all is certain.
    assert at_least(3, 3, 0.5) == pytest.approx(0.125)
    assert (at_least(0, 3, 0.2), at_least(4, 3, 0.2), at_least(1, 3, 0.0)) == (1, 0, 0)
    # One side alone: all of n right gives tail^(1/n).
    assert lowest_share(29, 29, 0.05) == pytest.approx(0.05 ** (1 / 29), abs=1e-12)


@pytest.mark.parametrize(("k", "n"), [(3, 2), (-1, 2), (0, 0)])
def test_what_is_no_share_is_refused(k: int, n: int):
    with pytest.raises(UsageError, match="no share"):
        clopper_pearson(k, n)


@pytest.mark.parametrize(
    ("base", "other", "n", "difference", "p", "low", "high", "seen"),
    [
        # INFERENCE.md section 1.2.
        (30, 12, 220, -0.08181818181818, 0.007915897334896727,
         -0.1386643901796, -0.0234977719825, 0.0837099728530),
        (2, 11, 150, 0.06, 0.0224609375,
         0.0101654602613, 0.1082555923703, 0.0713848216627),
        (43, 25, 231, -0.07792207792208, 0.038460053348927506,
         -0.1469293638069, -0.0075770739614, 0.1005997580654),
        (3, 0, 120, -0.025, 0.25,
         -0.0602472279733, 0.0110669001044, 0.0513486474792),
        (0, 0, 120, 0.0, 1.0,
         -0.0227197348254, 0.0227197348254, 0.0324757361607),
    ],
)  # fmt: skip
def test_difference_of_accuracies(base, other, n, difference, p, low, high, seen):
    assert (other - base) / n == pytest.approx(difference, abs=1e-13)
    assert mcnemar_exact(base, other) == p
    found = difference_interval(base, other, n)
    assert found == pytest.approx((low, high), abs=1e-12)
    assert detectable_difference(base, other, n) == pytest.approx(seen, abs=1e-12)


def agrees(base: int, other: int, n: int, level: float) -> None:
    """Check that the point is inside, and 0 outside exactly where p is small.

    An end of 0 is inside where p is large, and outside where it is small.
    """
    low, high = difference_interval(base, other, n, level)
    case = (base, other, n, level)
    assert low <= (other - base) / n <= high, case
    assert low < high, case
    if mcnemar_exact(base, other) <= level:
        assert low >= 0 if other > base else high <= 0, case
    else:
        assert low <= 0 <= high, case


@pytest.mark.parametrize("level", [0.05, 0.0253])
def test_interval_and_test_agree_in_every_small_table(level: float):
    for base, other in itertools.product(range(61), repeat=2):
        total = base + other
        if total > 60:
            continue
        for n in {max(total, 1), total + 1, 2 * total + 5, 100_000}:
            agrees(base, other, n, level)


@pytest.mark.long
@pytest.mark.parametrize("level", [0.05, 0.0253, 0.0002])
def test_interval_and_test_agree_in_every_table(level: float):
    for base in range(401):
        for other in range(401 - base):
            total = base + other
            for n in {max(total, 1), total + 1, 2 * total + 5, 100_000}:
                agrees(base, other, n, level)


def test_more_discordant_items_than_items_are_refused():
    with pytest.raises(UsageError, match="more than 3 items"):
        difference_interval(2, 2, 3)


@pytest.mark.parametrize("level", [0.05, 0.0253, 1e-6])
def test_the_largest_minority_is_where_the_test_ends(level: float):
    for total in range(120):
        most = largest_minority(total, level)
        assert most < 0 or mcnemar_exact(most, total - most) <= level
        if most < total // 2:
            assert mcnemar_exact(most + 1, total - most - 1) > level


def test_the_interval_of_no_discordant_item_has_a_width():
    low, high = difference_interval(0, 0, 3)
    # m = 0, s = sqrt(0.4 / 5), z s = 0.5544.
    assert (low, high) == pytest.approx((-0.55436, 0.55436), abs=1e-5)
    assert math.isclose(-low, high)
