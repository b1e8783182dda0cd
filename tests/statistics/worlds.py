"""Made-up worlds with a known truth: what is said of them, and how often it is so.

A world draws items of a benchmark's counts by type and tier from endless pools, and
runs that answer them: by the skill of the run, the difficulty of the item, and luck
where the two meet (item response worlds, as in INFERENCE.md §1.6). Items of one family
may be hard, or suit a run, together. The truth is the number over half a million items
or more. `python tests/statistics/worlds.py` prints the tables of docs/statistics.md.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from jevdb.comparison.all_pairs import all_pairs
from jevdb.comparison.bootstrap import replicated
from jevdb.comparison.compared_line import verdict_of
from jevdb.comparison.standing import standings
from jevdb.numerics.resampling import SEED, percentile_intervals, resampled
from jevdb.scoring.cluster_by import ClusterBy
from jevdb.scoring.clusters import Belonging
from jevdb.scoring.differences import Unknown
from jevdb.scoring.evidence import Evidence
from jevdb.scoring.keys import Key
from jevdb.scoring.terms import OF_ITEMS as OF_ITEMS_ALONE
from jevdb.scoring.terms import Items, Method, Place, Stratum, Terms

Array = Any


class Part(NamedTuple):
    """Items of one type, tier and modality, and the report rows they stand in."""

    type: str
    tier: str | None
    modality: str
    count: int
    rows: tuple[str, ...]


def _jevbench(kind: str, tier: str, count: int) -> Part:
    rows = ("public_231", "hard_111") if tier == "hard" else ("public_231",)
    return Part(kind, tier, "text", count, rows)


class Shape(NamedTuple):
    """A benchmark: its items, how many pools of them hold the truth, its families."""

    parts: tuple[Part, ...]
    pool: int
    families: int | None = None
    repeats: tuple[int, ...] = ()
    """How often each run asks an item; once unless given."""

    def asked(self, run: int) -> int:
        return self.repeats[run] if self.repeats else 1


JEVBENCH = Shape(
    (
        *(_jevbench("choice", "easy", 36), _jevbench("choice", "standard", 36)),
        *(_jevbench("choice", "hard", 67), _jevbench("noul", "easy", 12)),
        *(_jevbench("noul", "standard", 24), _jevbench("noul", "hard", 38)),
        *(_jevbench("score", "standard", 12), _jevbench("score", "hard", 6)),
    ),
    pool=2500,
)
"""Public 231 and its hard tier, Hard 111."""

CMDB = Shape(
    (
        Part("choice", None, "text", 620, ("overall", "text")),
        Part("choice", None, "image", 300, ("overall",)),
        Part("noul", None, "text", 314, ("overall", "text")),
        Part("score", None, "text", 166, ("overall", "text")),
        Part("multi_select", None, "text", 100, ("overall", "text")),
    ),
    pool=350,
)
"""CMDB-1500, of which 1,400 items are in I."""

DIFFICULTY = {"easy": -1.6, "standard": -0.5, "hard": 0.6, None: 0.0}
"""The mean difficulty of a tier, on the scale of log odds, as all below is."""
OF_ITEMS, OF_LUCK, SLOPE = 1.0, 0.7, 1.3
"""Standard deviations of difficulty, and of what a run meets by luck."""
OF_FAMILIES, OF_LUCK_BY_FAMILY = 0.8, 0.6
"""The same of what all items of a family share."""

EQUAL = (1.0, 1.0)
SKILLS = (1.3, 0.7)
LEVELS = 4
UNIT = 2.0**53
METRICS = ("accuracy", "intelligence")
WEIGHTS = {"easy": 0.1, "standard": 0.2, "judge": 0.3, "hard": 0.4}
METHOD = Method("m", 1, 10, 1e-15, False, 1.0, 1.0, 1.0, WEIGHTS)


class Measured(NamedTuple):
    """How often intervals of 95 % held the truth, and how often a verdict was given.

    ``alone`` is of the first run, ``gap`` of the difference, ``other`` of the
    difference by another rule: METHOD v1.5's bootstrap, or items as independent where
    they are clustered.
    """

    truth: float
    alone: float
    gap: float
    other: float
    resolved: float


def measured(
    worlds: int = 1000,
    skills: Sequence[float] = SKILLS,
    shape: Shape = JEVBENCH,
    seed: int = SEED,
) -> dict[Key, Measured]:
    """Measure what is said of two runs, number by number."""
    random = np.random.Generator(np.random.PCG64(seed))
    # Alone in its family an item is as in any: the truth has as many as it has items.
    truths = plain(terms(random, 1, skills, shape, scale=shape.pool))
    drawn = terms(random, worlds, skills, shape)
    values = plain(drawn)
    if shape.families is None:
        replicates = numbers(drawn, resampled(drawn.items.blocks))
        gaps = {key: each[1::2] - each[::2] for key, each in replicates.items()}
        others = {key: percentile_intervals(gap) for key, gap in gaps.items()}
    else:
        others = {}
    pairs = [evidence_of(drawn, world, 2, shape) for world in range(worlds)]
    return {
        key: _measured(key, truths[key], values[key], pairs, others.get(key))
        for key in truths
        if key.kind == "all"
    }


def _measured(
    key: Key, truth: Array, values: Array, pairs: list[Evidence], others: Any
) -> Measured:
    true_gap = float(truth[1] - truth[0])
    alone = gap = other = resolved = 0
    for world, evidence in enumerate(pairs):
        first, second = values[2 * world : 2 * world + 2].tolist()
        found = evidence.alone(key, "0", first)
        alone += not isinstance(found, Unknown) and found.low <= truth[0] <= found.high
        if others is not None:
            other += others[world].low <= true_gap <= others[world].high
        else:
            single = Evidence(evidence.by_method, Belonging({}, ClusterBy.NONE))
            other += _holds(single.difference(key, "0", "1", second - first), true_gap)
        contrast = evidence.difference(key, "0", "1", second - first)
        if isinstance(contrast, Unknown):
            continue
        gap += _holds(contrast, true_gap)
        resolved += verdict_of(key.metric, contrast, None, 0.05)[0] != "not_resolved"
    shares = (alone, gap, other, resolved)
    return Measured(true_gap, *(share / len(pairs) for share in shares))


def _holds(contrast: Any, true_gap: float) -> bool:
    low, high = contrast.interval()
    return bool(low <= true_gap <= high)


class Board(NamedTuple):
    """Of boards: how often one was crowned, or any put above another, falsely.

    ``right`` is how often the best run, named first, was crowned; ``led`` how often it
    may lead. Of equal runs every one is a best one, and none is rightly crowned.
    """

    crowned: float
    ordered: float
    led: float
    right: float


def boards(
    key: Key,
    skills: Sequence[float],
    worlds: int = 400,
    shape: Shape = JEVBENCH,
    seed: int = SEED,
) -> Board:
    """Measure what boards say of runs: one skill for all, or the first the best."""
    random = np.random.Generator(np.random.PCG64(seed))
    crowned = ordered = led = right = 0
    given = np.array(skills)
    is_worse = given[:, np.newaxis] <= given
    for _ in range(worlds):
        drawn = terms(random, 1, skills, shape)
        evidence = evidence_of(drawn, 0, len(skills), shape)
        values = plain(drawn)[key].tolist()
        tested = all_pairs(evidence, key, drawn.run_ids, values)
        found = standings(values, tested, values)
        titled = [place.title == "#1" for place in found]
        is_best_alone = bool(given[0] > given[1:].max())
        right += titled[0] and is_best_alone
        crowned += any(titled[1:]) or (titled[0] and not is_best_alone)
        ordered += bool((tested.above & is_worse).any())
        led += bool(found[0].leads)
    return Board(*(count / worlds for count in (crowned, ordered, led, right)))


def evidence_of(
    drawn: Terms, world: int, n_runs: int, shape: Shape = JEVBENCH
) -> Evidence:
    """Return what the runs of one world say."""
    mine = slice(n_runs * world, n_runs * (world + 1))
    part = Terms(
        drawn.items,
        [METHOD],
        [str(run) for run in range(n_runs)],
        [frozenset()] * n_runs,
        drawn.repeats[mine],
        {name: column[mine] for name, column in drawn.columns.items()},
    )
    if shape.families is None:
        belonging = Belonging({}, ClusterBy.NONE)
    else:
        names = [str(family) for family in families_of(shape)]
        belonging = Belonging({ClusterBy.FAMILY: names}, ClusterBy.FAMILY)
    return Evidence({"m": (part, METHOD)}, belonging)


def families_of(shape: Shape) -> Array:
    """The family of each item: all types and tiers have items of every one."""
    count = sum(part.count for part in shape.parts)
    return np.arange(count) % (shape.families or count)


def plain(world: Terms) -> dict[Key, Array]:
    """Every number of every run."""
    ones = np.ones((1, len(world.items.item_ids)), dtype=np.int64)
    return {key: value[:, 0] for key, value in numbers(world, ones).items()}


def numbers(world: Terms, weights: Array) -> dict[Key, Array]:
    """Every number of every run, per replicate."""
    return replicated(world, weights, METRICS, world.items.report_rows)


def terms(
    random: np.random.Generator,
    worlds: int,
    skills: Sequence[float],
    shape: Shape = JEVBENCH,
    *,
    scale: int = 1,
) -> Terms:
    """The terms of a run per skill and world; items differ from world to world."""
    together = _Families(random, worlds, len(skills), shape, scale)
    strata, blocks, columns = [], [], []
    for part in shape.parts:
        size = part.count * scale
        subsets = ("all",) if part.type == "multi_select" else ("all", "index")
        places = {Place(row, subset) for row in part.rows for subset in subsets}
        positions = np.arange(len(blocks), len(blocks) + size)
        strata.append(Stratum(part.type, part.tier, frozenset(places), positions))
        blocks += [(part.type, part.tier, part.modality)] * size
        columns.append(
            answers(random, part, positions, worlds, skills, together, shape)
        )
    items = Items([f"{i:07d}" for i in range(len(blocks))], blocks, strata)
    joined = {
        name: np.concatenate([part[name] for part in columns], axis=1)
        for name in columns[0]
    }
    runs = [str(run) for run in range(len(skills) * worlds)]
    repeats = np.array([shape.asked(run) for run in range(len(skills))] * worlds)
    return Terms(items, [METHOD], runs, [frozenset()] * len(runs), repeats, joined)


class _Families:
    """What items of a family share in each world: difficulty, and a run's luck."""

    def __init__(self, random: Any, worlds: int, n_runs: int, shape: Shape, scale: int):
        self.numbers = None
        if shape.families is None:
            return
        # In the pool each item stands for a family of its own.
        count = sum(part.count for part in shape.parts) * scale
        self.numbers = np.arange(count) if scale > 1 else families_of(shape)
        size = (worlds, int(self.numbers.max()) + 1)
        self.difficulty = random.normal(0, OF_FAMILIES, size)
        self.luck = [random.normal(0, OF_LUCK_BY_FAMILY, size) for _ in range(n_runs)]

    def difficulties(self, positions: Array) -> Array:
        if self.numbers is None:
            return 0.0
        return self.difficulty[:, self.numbers[positions]]

    def lucks(self, run: int, positions: Array) -> Array:
        if self.numbers is None:
            return 0.0
        return self.luck[run][:, self.numbers[positions]]


def answers(
    random: np.random.Generator,
    part: Part,
    positions: Array,
    worlds: int,
    skills: Sequence[float],
    together: _Families,
    benchmark: Shape,
) -> dict[str, Array]:
    """The columns of all runs: an item is as hard for the one as for the other."""
    shape = (worlds, len(positions))
    difficulty = DIFFICULTY[part.tier] + random.normal(0, OF_ITEMS, shape)
    difficulty = difficulty + together.difficulties(positions)
    k = {
        "choice": random.integers(3, 6, shape),
        "noul": np.full(shape, 2),
        "score": np.full(shape, LEVELS),
    }.get(part.type, np.full(shape, 8))
    gold = random.integers(0, k)
    runs = []
    for run, skill in enumerate(skills):
        met = random.normal(0, OF_LUCK, shape) + together.lucks(run, positions)
        given = [
            answer(random, part.type, skill - difficulty + met, k, gold)
            for _ in range(benchmark.asked(run))
        ]
        runs.append(
            {
                name: column
                if name in OF_ITEMS_ALONE
                else sum(one[name] for one in given)
                for name, column in given[0].items()
            }
        )
    return {
        name: np.stack([run[name] for run in runs], axis=1).reshape(-1, shape[1])
        for name in runs[0]
    }


def answer(
    random: np.random.Generator, kind: str, ability: Array, k: Array, gold: Array
) -> Mapping[str, Array]:
    """One run: overconfident, and surer where it is more often right."""
    shape = ability.shape
    knows = 1 / (1 + np.exp(-SLOPE * ability))
    guesses = 0.0 if kind == "score" else 1 / k
    chance = guesses + (1 - guesses) * knows
    right = random.random(shape) < chance
    confidence = np.clip(chance + 0.1 + random.normal(0, 0.1, shape), 0.51, 1.0)
    far = np.maximum(gold, k - 1 - gold) / (k - 1)
    miss = np.where(right, random.beta(1, 6, shape), random.beta(3, 3, shape)) * far
    guess = (gold * (gold + 1) + (k - 1 - gold) * (k - gold)) / (2 * k * (k - 1))
    is_noul, is_score = kind == "noul", kind == "score"
    return {
        "n_right": right.astype(np.int64),
        "n_clear": (right & (confidence >= 0.8) & is_noul).astype(np.int64),
        "chance": units(1 / k),
        "scaled_rating_error": units(miss * is_score),
        "chance_rating_error": units(guess * is_score),
    }


def units(values: Array) -> Array:
    return np.floor(np.asarray(values, dtype=np.float64) * UNIT).astype(np.int64)


SHAPES = (("Public 231", JEVBENCH), ("CMDB-1500", CMDB))
CLUSTERED = (
    *(("Public 231", JEVBENCH, families) for families in (12, 20, 40)),
    ("CMDB-1500", CMDB, 40),
)
BOARDS = (
    *(("Public 231", JEVBENCH, f"{n} equal", (1.0,) * n) for n in (2, 5, 20)),
    ("Public 231", JEVBENCH, "10, one better", (2.6, *(1.0,) * 9)),
    ("CMDB-1500", CMDB, "10, one better", (1.4, *(1.0,) * 9)),
)


def key_of(shape: Shape, metric: str) -> Key:
    """The number of the largest report row."""
    return Key(shape.parts[0].rows[0], "m", metric, "all")


def main() -> None:
    """Print the tables."""
    worlds = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print("| row | number | models | one run | difference | percentile | verdict |")
    print("|---|---|---|---:|---:|---:|---:|")
    for _, shape in SHAPES:
        for name, skills in (("apart", SKILLS), ("equal", EQUAL)):
            show(name, measured(worlds, skills, shape))
    print(
        "\n| row, families | number | models | one run | difference | as independent |"
    )
    print("|---|---|---|---:|---:|---:|")
    for _, shape, families in CLUSTERED:
        found = measured(worlds, EQUAL, shape._replace(families=families))
        rows = {key: found[key] for key in (key_of(shape, each) for each in METRICS)}
        show(f"{families} families, equal", rows)
    print("\n| items | runs | number | may lead | is #1 | false #1 | false order |")
    print("|---|---|---|---:|---:|---:|---:|")
    for title, shape, name, skills in BOARDS:
        for metric in METRICS:
            one = boards(key_of(shape, metric), skills, worlds, shape)
            shares = (one.led, one.right, one.crowned, one.ordered)
            told = " | ".join(f"{share:.1%}" for share in shares)
            print(f"| {title} | {name} | {metric} | {told} |", flush=True)


def show(name: str, measured: Mapping[Key, Measured]) -> None:
    for key, found in measured.items():
        shares = " | ".join(f"{share:.1%}" for share in found[1:])
        print(f"| `{key.report_row}` | {key.metric} | {name} | {shares} |", flush=True)


if __name__ == "__main__":
    main()
