"""Student's t by finite sums, and what an estimate says: scipy, arithmetic."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from jevdb.numerics.estimates import Estimate, items_needed
from jevdb.numerics.multiplicity import benjamini_hochberg
from jevdb.numerics.student import critical, quantile, two_sided, whole

LAWS = settings(deadline=None, derandomize=True, max_examples=200)


def test_t_by_hand():
    # df 1 is Cauchy: P(abs(T) >= 1) = 1/2. df 2: 1 - t / sqrt(2 + t^2), t^2 = 2: 1 -
    # 1/sqrt 2.
    assert two_sided(1.0, 1) == pytest.approx(0.5, abs=1e-12)
    assert two_sided(math.sqrt(2), 2) == pytest.approx(1 - math.sqrt(0.5), abs=1e-12)
    assert two_sided(0.0, 7) == 1.0
    assert two_sided(math.inf, 7) == 0.0
    # Published tables: t(0.975; 10) = 2.228, t(0.975; 120) = 1.980.
    assert quantile(0.975, 10) == pytest.approx(2.228, abs=5e-4)
    assert quantile(0.975, 120) == pytest.approx(1.980, abs=5e-4)


@LAWS
@given(t=st.floats(-60, 60), df=st.integers(1, 200))
def test_tails_are_scipys(t: float, df: int):
    assert two_sided(t, df) == pytest.approx(2 * stats.t.sf(abs(t), df), rel=1e-9)


@LAWS
@given(
    level=st.sampled_from([0.05, 0.0125, 0.4, 0.05 / 1225, 0.05 / 244650]),
    df=st.integers(1, 200),
)
def test_critical_values_are_scipys(level: float, df: int):
    theirs = stats.t.isf(level / 2, df)
    assert critical(level, df) == pytest.approx(theirs, rel=1e-9)


def test_degrees_of_freedom_are_whole():
    assert [whole(df) for df in (0.3, 2.99, 3.0, 1e9, math.inf)] == [1, 2, 3, 200, 200]


@LAWS
@given(
    point=st.floats(-40, 40),
    se=st.floats(0.5, 30),
    df=st.floats(1, 300),
    level=st.sampled_from([0.05, 0.0125, 0.05 / 66]),
)
def test_verdict_interval_and_p_say_the_same(point, se, df, level):
    estimate = Estimate(point, se * se, df)
    low, high = estimate.interval(level)
    assert low <= point <= high
    assert low < high
    excludes = (low >= 0 and point > 0) or (high <= 0 and point < 0)
    assert estimate.is_resolved(level) == excludes == (estimate.p_value <= level)
    assert excludes or low <= 0 <= high


def test_a_cut_end_does_not_cross_the_point():
    assert Estimate(99.0, 16.0, 50).interval(limits=(-math.inf, 100.0)).high == 100
    assert Estimate(100.0, 16.0, 50).interval(limits=(-math.inf, 100.0)).high == 100


def test_intervals_on_other_scales():
    # t(0.975, 200) = 1.97190; log: 0.5 exp(-+ 1.9719 x 0.1 / 0.5).
    estimate = Estimate(0.5, 0.01, 500)
    t = stats.t.ppf(0.975, 200)
    assert estimate.log_interval(limits=(0, 0.7)) == pytest.approx(
        (0.5 * math.exp(-t * 0.2), 0.7)
    )
    half = t * 0.1 / 0.25
    assert estimate.logit_interval() == pytest.approx(
        (1 / (1 + math.exp(half)), 1 / (1 + math.exp(-half)))
    )


def test_items_needed():
    # 231 x (6.4 / 2.6)^2 = 1399.67...; a difference of 0 is never seen.
    assert items_needed(231, 6.4, 2.6) == 1400
    assert items_needed(100, 0.5, 0.5) == 100
    assert items_needed(231, 6.4, 0.0) is None


@LAWS
@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_benjamini_hochberg_is_scipys(p_values: list[float]):
    theirs = stats.false_discovery_control(p_values).tolist()
    assert benjamini_hochberg(p_values) == pytest.approx(theirs, abs=1e-9)


def test_benjamini_hochberg_of_none():
    assert benjamini_hochberg([]) == []
