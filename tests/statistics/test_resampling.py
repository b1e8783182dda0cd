"""The shared resample: exact draws, fixed bytes, and quantiles worked out by hand."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from jevdb.numerics.resampling import (
    Interval,
    percentile_intervals,
    resample_digest,
    resampled,
)

MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
MASK_128, MASK_64 = (1 << 128) - 1, (1 << 64) - 1


def test_every_block_is_drawn_as_often_as_it_has_items():
    blocks = ["a", "b", "a", "c", "a", "b"]
    weights = resampled(blocks, replicates=50)
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
    assert drawn.tolist() == [expected]


def test_unless_given_the_seed_is_the_one_of_the_document():
    """SCORING.md §7: B = 2,000 and seed 20260925, as above of numpy's PCG64."""
    blocks = ["x"] * 7
    raw = np.random.PCG64(20260925).random_raw(7)
    places = [int(each) * 7 >> 64 for each in raw]
    upper = [(int(each) >> 32) * 7 >> 32 for each in raw]
    counts = resampled(blocks)
    assert counts.shape == (2000, 7)
    assert counts[0].tolist() == [upper.count(i) for i in range(7)]
    assert places == upper, "the lower bits decide nothing here"
    assert (resampled(blocks, seed=1) != counts).any()


def test_all_items_are_drawn_alike():
    # 20 items x 5,000 replicates: each is drawn 5,000 times, give or take 5 sigma.
    counts = resampled(["x"] * 20, replicates=5000).sum(axis=0)
    assert abs(counts - 5000).max() < 5 * np.sqrt(5000 * 0.95)


def test_digest_is_of_little_endian_words():
    weights = np.array([[1, 258]])
    expected = hashlib.sha256(bytes([1, 0, 0, 0, 2, 1, 0, 0])).hexdigest()
    assert resample_digest(weights) == expected


def test_the_digest_follows_items_and_blocks():
    digest = resample_digest(resampled(["a"] * 5 + ["b"] * 3))
    again = resample_digest(resampled(["a"] * 5 + ["b"] * 3))
    other = resample_digest(resampled(["a"] * 3 + ["b"] * 5))
    assert digest == again != other


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
