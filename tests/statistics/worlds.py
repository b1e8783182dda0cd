"""Made-up worlds with a known truth: what is said of them, and how often it is so.

A world draws JevBench-shaped items (its counts by type and tier) from endless pools and
runs that answer them; the truth is the number over a pool two thousand times as large.
`python tests/statistics/worlds.py` prints the tables of docs/statistics.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from jevdb.comparison.all_pairs import all_pairs
from jevdb.comparison.bootstrap import replicated
from jevdb.comparison.compared import verdict_of
from jevdb.comparison.standing import standings
from jevdb.numerics.resampling import (
    SEED,
    Weights,
    percentile_intervals,
    resampled,
    unscaled,
)
from jevdb.scoring.cluster_by import ClusterBy
from jevdb.scoring.clusters import Belonging
from jevdb.scoring.differences import Unknown
from jevdb.scoring.evidence import Evidence, Key
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
EQUAL = (0.85, 0.85)
LEVELS = 4
UNIT = 2.0**53
POOL = 2000
METRICS = ("accuracy", "intelligence")
WEIGHTS = {"easy": 0.1, "standard": 0.2, "judge": 0.3, "hard": 0.4}
METHOD = Method("m", 0.2, 0.8, 10, 1e-15, False, 1.0, 1.0, 1.0, WEIGHTS)


class Measured(NamedTuple):
    """How often intervals of 95 % held the truth, and how often a verdict was given.

    ``alone`` is of the first run, ``gap`` of the difference, ``percentile`` of METHOD
    v1.5's bootstrap of it.
    """

    truth: float
    alone: float
    gap: float
    percentile: float
    resolved: float


def measured(
    worlds: int = 1000, skills: Sequence[float] = SKILLS, seed: int = SEED
) -> dict[Key, Measured]:
    """Measure what is said of two runs, number by number."""
    random = np.random.Generator(np.random.PCG64(seed))
    truths = plain(terms(random, 1, POOL, skills))
    drawn = terms(random, worlds, 1, skills)
    values = plain(drawn)
    replicates = numbers(drawn, resampled(drawn.items.blocks))
    pairs = [evidence_of(drawn, world, 2) for world in range(worlds)]
    return {
        key: _measured(key, truths[key], values[key], replicates[key], pairs)
        for key in truths
    }


def _measured(
    key: Key, truth: Array, values: Array, replicates: Array, pairs: list[Evidence]
) -> Measured:
    true_gap = float(truth[1] - truth[0])
    alone = gap = resolved = 0
    for world, evidence in enumerate(pairs):
        first, second = values[2 * world : 2 * world + 2].tolist()
        found = evidence.alone(key, "0", first)
        alone += not isinstance(found, Unknown) and found.low <= truth[0] <= found.high
        contrast = evidence.difference(key, "0", "1", second - first)
        if isinstance(contrast, Unknown):
            continue
        low, high = contrast.interval()
        gap += low <= true_gap <= high
        resolved += verdict_of(key.metric, contrast, None, 0.05)[0] != "not_resolved"
    ends = percentile_intervals(replicates[1::2] - replicates[::2])
    held = [each.low <= true_gap <= each.high for each in ends]
    shares = (alone, gap, sum(held), resolved)
    return Measured(true_gap, *(share / len(pairs) for share in shares))


class Board(NamedTuple):
    """Of boards of equal runs: how often one was crowned, or any put above another.

    ``led`` is how often the run named first may lead: every run is one of the best.
    """

    crowned: float
    ordered: float
    led: float


def boards(key: Key, n_runs: int, worlds: int = 400, seed: int = SEED) -> Board:
    """Measure what boards say of runs of one skill."""
    random = np.random.Generator(np.random.PCG64(seed))
    crowned = ordered = led = 0
    for _ in range(worlds):
        drawn = terms(random, 1, 1, [0.85] * n_runs)
        evidence = evidence_of(drawn, 0, n_runs)
        values = plain(drawn)[key].tolist()
        tested = all_pairs(evidence, key, drawn.run_ids, values)
        found = standings(values, tested, values)
        crowned += any(place.title == "#1" for place in found)
        ordered += bool(tested.above.any())
        led += bool(found[0].leads)
    return Board(crowned / worlds, ordered / worlds, led / worlds)


def evidence_of(drawn: Terms, world: int, n_runs: int) -> Evidence:
    """Return what the runs of one world say."""
    mine = slice(n_runs * world, n_runs * (world + 1))
    part = Terms(
        drawn.items,
        [METHOD],
        [str(run) for run in range(n_runs)],
        [frozenset()] * n_runs,
        {name: column[mine] for name, column in drawn.columns.items()},
    )
    nobody = [None] * len(drawn.items.item_ids)
    belonging = Belonging(dict.fromkeys(ClusterBy, nobody), ClusterBy.NONE)
    return Evidence({"m": (part, METHOD)}, belonging)


def plain(world: Terms) -> dict[Key, Array]:
    """Every number of every run."""
    ones = unscaled(np.ones((1, len(world.items.item_ids)), dtype=np.int64))
    return {key: value[:, 0] for key, value in numbers(world, ones).items()}


def numbers(world: Terms, weights: Weights) -> dict[Key, Array]:
    """Every number of every run, per replicate."""
    return replicated(world, weights, METRICS, world.items.report_rows)


def terms(
    random: np.random.Generator, worlds: int, scale: int, skills: Sequence[float]
) -> Terms:
    """The terms of a run per skill and world; items differ from world to world."""
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
        columns.append(answers(random, kind, tier, (worlds, size), skills))
    items = Items([f"{i:07d}" for i in range(len(blocks))], blocks, strata)
    joined = {
        name: np.concatenate([part[name] for part in columns], axis=1)
        for name in columns[0]
    }
    runs = [str(run) for run in range(len(skills) * worlds)]
    return Terms(items, [METHOD], runs, [frozenset()] * len(runs), joined)


def subsets(kind: str, tier: str) -> list[str]:
    """Where an item counts: JevBench's choice ECE is over the hard ones."""
    found = ["all", "index"]
    if kind != "choice" or tier == "hard":
        found.append(f"ece_{kind}")
    return found if kind == "score" else [*found, "pooled"]


def answers(
    random: np.random.Generator,
    kind: str,
    tier: str,
    shape: tuple[int, int],
    skills: Sequence[float],
) -> dict[str, Array]:
    """The columns of all runs: an item is as hard for the one as for the other."""
    hardness = DIFFICULTY[tier]
    difficulty = random.beta(4 * hardness, 4 * (1 - hardness), shape)
    k = random.integers(3, 6, shape) if kind == "choice" else np.full(shape, LEVELS)
    k = np.full(shape, 2) if kind == "noul" else k
    gold = random.integers(0, k)
    runs = [answer(random, kind, difficulty, k, gold, skill) for skill in skills]
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


SHOWN = ("accuracy", "intelligence")


def main(worlds: int = 1000) -> None:
    print("| row | number | models | one run | difference | percentile | verdict |")
    print("|---|---|---|---:|---:|---:|---:|")
    for name, skills in (("apart", SKILLS), ("equal", EQUAL)):
        for key, found in measured(worlds, skills).items():
            shares = " | ".join(f"{share:.1%}" for share in found[1:])
            print(
                f"| `{key.report_row}` | {key.metric} {key.kind} | {name} | {shares} |"
            )
    print("| number | equal runs | a false #1 | any false order | one may lead |")
    print("|---|---:|---:|---:|---:|")
    for metric in SHOWN:
        for count in (2, 5, 20):
            found = boards(Key("public_231", "m", metric, "all"), count, worlds)
            shares = " | ".join(f"{share:.1%}" for share in found)
            print(f"| {metric} | {count} | {shares} |")


if __name__ == "__main__":
    main()
