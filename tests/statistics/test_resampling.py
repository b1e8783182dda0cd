"""The shared resample: exact draws, fixed bytes, and quantiles worked out by hand."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from jevdb.numerics.resampling import (
    Interval,
    percentile_intervals,
    resampled,
    rescaled,
    unscaled,
)

MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
MASK_128, MASK_64 = (1 << 128) - 1, (1 << 64) - 1


def test_every_block_is_drawn_as_often_as_it_has_items():
    blocks = ["a", "b", "a", "c", "a", "b"]
    weights, _ = resampled(blocks, replicates=50)
    assert weights.shape == (50, 6)
    for block in "abc":
        places = [i for i, name in enumerate(blocks) if name == block]
        assert set(weights[:, places].sum(axis=1)) == {len(places)}


def test_draws_follow_pcg64s_raw_stream():
    """PCG64 (XSL RR 128/64) restated from O'Neill (2014); the seeding is numpy's."""
    state = np.random.PCG64(7).state["state"]
    at, increment = state["state"], state["inc"]
    expected = [0, 0, 0]
    for _ in range(3):
        at = (at * MULTIPLIER + increment) & MASK_128
        folded, turn = (at >> 64) ^ (at & MASK_64), at >> 122
        raw = (folded >> turn | folded << (-turn & 63)) & MASK_64
        expected[(raw >> 32) * 3 >> 32] += 1
    drawn = resampled(["x"] * 3, replicates=1, seed=7)
    assert drawn.counts.tolist() == [expected]


def test_all_items_are_drawn_alike():
    # 20 items x 5,000 replicates: each is drawn 5,000 times, give or take 5 sigma.
    counts = resampled(["x"] * 20, replicates=5000).counts.sum(axis=0)
    assert abs(counts - 5000).max() < 5 * np.sqrt(5000 * 0.95)


def test_digest_is_of_little_endian_words():
    weights = np.array([[1, 258]])
    expected = hashlib.sha256(bytes([1, 0, 0, 0, 2, 1, 0, 0])).hexdigest()
    assert unscaled(weights).sha256 == expected


def test_the_digest_follows_items_and_blocks():
    digest = resampled(["a"] * 5 + ["b"] * 3).sha256
    again = resampled(["a"] * 5 + ["b"] * 3).sha256
    other = resampled(["a"] * 3 + ["b"] * 5).sha256
    assert digest == again != other


def test_rescaled_draws_one_item_fewer_and_counts_it_more():
    blocks = ["a", "b", "a", "c", "a", "b"]
    counts, scale = rescaled(blocks, replicates=50)
    assert scale.tolist() == [1.5, 2.0, 1.5, 1.0, 1.5, 2.0]
    for block, draws in (("a", 2), ("b", 1), ("c", 1)):
        places = [i for i, name in enumerate(blocks) if name == block]
        assert set(counts[:, places].sum(axis=1)) == {draws}


def test_rescaled_has_the_spread_of_a_mean():
    """Of 0, 0, 0, 0, 1, 1 the mean's variance is s^2 / n = (4/15) / 6 = 2/45.

    s^2 = (4 x (1/3)^2 + 2 x (2/3)^2) / 5 = 4/15; resampling all six gives 5/6 of it.
    """
    values = np.array([0, 0, 0, 0, 1, 1])
    counts, scale = rescaled(["x"] * 6, replicates=20_000)
    assert (counts @ values * scale[0] / 6).var() == pytest.approx(2 / 45, rel=0.03)
    plain = resampled(["x"] * 6, replicates=20_000).counts
    assert (plain @ values / 6).var() == pytest.approx(5 / 6 * 2 / 45, rel=0.03)


def test_quantiles_are_linear_between_order_statistics():
    # Of 0..10 the 2.5 % quantile is at place 0.25, the 97.5 % one at 9.75.
    values = np.random.default_rng(1).permutation(11).astype(float)
    [interval] = percentile_intervals(values[np.newaxis])
    assert interval == Interval(0.25, 9.75, 0, 5.0)


def test_null_replicates_are_counted_and_left_out():
    values = np.array([[np.nan, 1.0, 3.0, np.nan], [np.nan] * 4])
    assert percentile_intervals(values, 0.5) == [
        Interval(1.5, 2.5, 2, 2.0),
        Interval(None, None, 4, None),
    ]


@pytest.mark.parametrize(
    ("low", "high", "is_tie"),
    [
        (-1.0, 1.0, True),
        (0.0, 1.0, True),
        (-1.0, 0.0, True),
        (1e-16, 1.0, True),
        (1e-9, 1.0, False),
        (-1.0, -1e-9, False),
        (None, None, False),
    ],
)
def test_tie(low, high, is_tie):
    assert Interval(low, high, 0, None).holds_zero is is_tie
