"""1,000 made-up worlds with a known truth: how often does the interval hold it?

A world draws JevBench-shaped items (its counts by type and tier) from endless pools and
two runs that answer them; the truth is the difference over a pool two thousand times as
large. `python tests/statistics/worlds.py` prints the table of docs/statistics.md.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from jevdb.comparison.bootstrap import replicated
from jevdb.numerics.resampling import (
    SEED,
    Weights,
    percentile_intervals,
    resampled,
    rescaled,
    unscaled,
)
from jevdb.scoring.evidence import Key
from jevdb.scoring.terms import Items, Method, Place, Stratum, Terms

Array = Any
COUNTS = {
    **{("choice", "easy"): 36, ("choice", "standard"): 36, ("choice", "hard"): 67},
    **{("noul", "easy"): 12, ("noul", "standard"): 24, ("noul", "hard"): 38},
    **{("score", "standard"): 12, ("score", "hard"): 6},
}
"""Items of Public 231 by type and tier; the hard tier is Hard 111."""

DIFFICULTY = {"easy": 0.25, "standard": 0.5, "hard": 0.8}
SKILLS = (0.9, 0.8)
LEVELS = 4
UNIT = 2.0**53
POOL = 2000
METRICS = ("accuracy", "intelligence", "ece")
WEIGHTS = {"easy": 0.1, "standard": 0.2, "judge": 0.3, "hard": 0.4}
METHOD = Method("m", 0.2, 0.8, 10, 1e-15, False, 1.0, 1.0, 1.0, WEIGHTS)


class Coverage(NamedTuple):
    """How often an interval held the truth, and how often it lay above or below it."""

    held: float
    above: float
    below: float


class Measured(NamedTuple):
    """A number's truth, and the coverage of its percentile and its wide interval."""

    truth: float
    percentile: Coverage
    wide: Coverage
    null_replicates: float


def measured(worlds: int = 1000, seed: int = SEED) -> dict[Key, Measured]:
    """Measure the 95 % intervals of the paired difference of every number."""
    random = np.random.Generator(np.random.PCG64(seed))
    pool = terms(random, 1, POOL)
    ones = np.ones((1, len(pool.items.item_ids)), dtype=np.int64)
    truths = numbers(pool, unscaled(ones))
    drawn = terms(random, worlds, 1)
    plain = numbers(drawn, resampled(drawn.items.blocks))
    wide = numbers(drawn, rescaled(drawn.items.blocks))
    return {
        key: Measured(
            truth := float(truths[key][0, 0]),
            coverage(truth, gaps),
            coverage(truth, wide[key]),
            float(np.isnan(gaps).mean()),
        )
        for key, gaps in plain.items()
    }


def coverage(truth: float, gaps: Array) -> Coverage:
    found = percentile_intervals(gaps)
    ends = np.array([(interval.low, interval.high) for interval in found])
    above, below = truth < ends[:, 0], truth > ends[:, 1]
    return Coverage(
        float((~above & ~below).mean()), float(above.mean()), float(below.mean())
    )


def numbers(world: Terms, weights: Weights) -> dict[Key, Array]:
    """The second run's number minus the first's, per world and replicate."""
    values = replicated(world, weights, METRICS, world.items.report_rows)
    return {key: value[1::2] - value[::2] for key, value in values.items()}


def terms(random: np.random.Generator, worlds: int, scale: int) -> Terms:
    """The terms of two runs per world; items differ from world to world."""
    strata, blocks, columns = [], [], []
    for (kind, tier), count in COUNTS.items():
        size = count * scale
        places = {Place("public_231", subset) for subset in subsets(kind, tier)}
        if tier == "hard":
            places |= {Place("hard_111", subset) for subset in subsets(kind, tier)}
        start = len(blocks)
        positions = np.arange(start, start + size)
        strata.append(Stratum(kind, tier, frozenset(places), positions))
        blocks += [(kind, tier, "text")] * size
        columns.append(answers(random, kind, tier, (worlds, size)))
    items = Items([f"{i:07d}" for i in range(len(blocks))], blocks, strata)
    joined = {
        name: np.concatenate([part[name] for part in columns], axis=1)
        for name in columns[0]
    }
    runs = [str(run) for run in range(2 * worlds)]
    return Terms(items, [METHOD], runs, [frozenset()] * len(runs), joined)


def subsets(kind: str, tier: str) -> list[str]:
    """Where an item counts: JevBench's choice ECE is over the hard ones."""
    found = ["all", "index"]
    if kind != "choice" or tier == "hard":
        found.append(f"ece_{kind}")
    return found if kind == "score" else [*found, "pooled"]


def answers(
    random: np.random.Generator, kind: str, tier: str, shape: tuple[int, int]
) -> dict[str, Array]:
    """The columns of both runs: an item is as hard for the one as for the other."""
    hardness = DIFFICULTY[tier]
    difficulty = random.beta(4 * hardness, 4 * (1 - hardness), shape)
    k = random.integers(3, 6, shape) if kind == "choice" else np.full(shape, LEVELS)
    k = np.full(shape, 2) if kind == "noul" else k
    gold = random.integers(0, k)
    runs = [answer(random, kind, difficulty, k, gold, skill) for skill in SKILLS]
    return {
        name: np.stack([run[name] for run in runs], axis=1).reshape(-1, shape[1])
        for name in runs[0]
    }


def answer(
    random: np.random.Generator,
    kind: str,
    difficulty: Array,
    k: Array,
    gold: Array,
    skill: float,
) -> dict[str, Array]:
    """One run: overconfident, and surer where it is more often right."""
    shape = difficulty.shape
    chance = np.clip(skill - 0.5 * difficulty * (1.7 - skill), 0.05, 0.98)
    right = random.random(shape) < chance
    confidence = np.clip(chance + 0.1 + random.normal(0, 0.1, shape), 0.51, 1.0)
    yes = np.where(right == (gold == 1), confidence, 1 - confidence)
    far = np.maximum(gold, k - 1 - gold) / (k - 1)
    miss = np.where(right, random.beta(1, 6, shape), random.beta(3, 3, shape)) * far
    guess = (gold * (gold + 1) + (k - 1 - gold) * (k - gold)) / (2 * k * (k - 1))
    is_noul, is_score = kind == "noul", kind == "score"
    return {
        "n_right": right.astype(np.int64),
        "n_stated": np.ones(shape, dtype=np.int64),
        "n_clear": (right & (confidence >= 0.8) & is_noul).astype(np.int64),
        "chance": units(1 / k),
        "scaled_rating_error": units(miss * is_score),
        "chance_rating_error": units(guess * is_score),
        "top_bin": np.minimum(np.floor(10 * confidence), 9).astype(np.int64),
        "top_gap": units(confidence) - units(right),
        "yes_bin": np.where(is_noul, np.minimum(np.floor(10 * yes), 9), -1).astype(
            np.int64
        ),
        "yes_gap": units(yes) - units(gold == 1),
    }


def units(values: Array) -> Array:
    return np.floor(np.asarray(values, dtype=np.float64) * UNIT).astype(np.int64)


if __name__ == "__main__":
    print("| row | number | true difference | 95 % interval | above / below | wide |")
    print("|---|---|---:|---:|---:|---:|")
    for key, found in measured().items():
        held, above, below = found.percentile
        print(
            f"| `{key.report_row}` | {key.metric} {key.kind} | {found.truth:.4f} | "
            f"{held:.1%} | {above:.1%} / {below:.1%} | {found.wide.held:.1%} |"
        )
