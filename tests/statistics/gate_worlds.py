"""Made-up years of a baseline, and made-up confidences: how often a gate errs.

`python tests/statistics/gate_worlds.py` prints the tables of docs/statistics.md.
"""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np
from worlds import evidence_of, plain, terms

from jevdb.comparison.gates.harm import FAIL, INCONCLUSIVE, Harm
from jevdb.comparison.gates.looks import FIRST_LEVEL, Require, spent
from jevdb.numerics.promised import promised
from jevdb.numerics.resampling import SEED
from jevdb.scoring.calibration_error import StatedRow, gap_alone, squared_error
from jevdb.scoring.keys import Key

CANDIDATES = 12
SKILL = 1.0
WORSE = 0.37
"""A skill at which a candidate loses about 8 points of accuracy."""


class Year(NamedTuple):
    """Of years of twelve candidates as good as their baseline: shares with an alarm.

    ``flat`` allows 2.5 % to each gate, ``shared`` spends the error over the looks;
    ``unclear`` is the share of single gates that are inconclusive.
    """

    flat: float
    shared: float
    unclear: float


def years(key: Key, worlds: int = 400, seed: int = SEED) -> Year:
    """Measure false alarms over twelve equal candidates."""
    random = np.random.Generator(np.random.PCG64(seed))
    flat = shared = unclear = 0
    for _ in range(worlds):
        harms = list(harms_of(random, key, [SKILL] * (CANDIDATES + 1)))
        flat += any(
            one.outcome(Require.NOT_WORSE, FIRST_LEVEL) == FAIL for one in harms
        )
        found = [
            one.outcome(Require.NOT_WORSE, spent(look))
            for look, one in enumerate(harms, start=1)
        ]
        shared += FAIL in found
        unclear += found.count(INCONCLUSIVE)
    return Year(flat / worlds, shared / worlds, unclear / worlds / CANDIDATES)


def caught(key: Key, look: int, worlds: int = 400, seed: int = SEED) -> Any:
    """Return how often a worse candidate fails, and is inconclusive, at a look."""
    random = np.random.Generator(np.random.PCG64(seed))
    found = [
        harm.outcome(Require.NOT_WORSE, spent(look))
        for _ in range(worlds)
        for harm in harms_of(random, key, [SKILL, WORSE])
    ]
    return found.count(FAIL) / worlds, found.count(INCONCLUSIVE) / worlds


def harms_of(random: Any, key: Key, skills: list[float]) -> Any:
    """Yield what is known of each run but the first against that."""
    drawn = terms(random, 1, skills)
    evidence = evidence_of(drawn, 0, len(skills))
    values = plain(drawn)[key].tolist()
    for place in range(1, len(skills)):
        gap = values[place] - values[0]
        contrast = evidence.difference(key, "0", str(place), gap)
        yield Harm(key.metric, gap, contrast, 0.0)


class Confidences(NamedTuple):
    """Of worlds of stated confidences: the shares that held, and the mean of ce2.

    ``broken`` of the thresholds did not keep their promise; ``found`` had one.
    """

    gap_held: float
    broken: float
    found: float
    squared: float


def confidences(
    n: int, excess: float, target: float, worlds: int = 400, seed: int = SEED
) -> Confidences:
    """Measure a run that is right *excess* less often than it states, of 1 or less.

    It states 0.5 + U (1 - 0.5), U uniform: what it is right in above a threshold t is
    the mean of that from t on, (1 + t) / 2 less the excess.
    """
    random = np.random.Generator(np.random.PCG64(seed))
    held = broken = found = 0
    squares = []
    for _ in range(worlds):
        stated = 0.5 + random.random(n) / 2
        right = random.random(n) < stated - excess
        rows = [
            StatedRow(
                *("r", "choice", str(i), 0, float(said), float(said), bool(true)),
                *(bool(true), True, "choice", None, "text", None, None, None),
            )
            for i, (said, true) in enumerate(zip(stated, right, strict=True))
        ]
        interval = gap_alone(rows).interval
        held += interval is not None and interval.low <= excess <= interval.high
        promise = promised(stated.tolist(), right.tolist(), target)
        if not isinstance(promise, str):
            found += 1
            broken += (1 + promise.threshold) / 2 - excess < target
        squares.append(squared_error(stated, right.astype(float), 10).value)
    return Confidences(
        held / worlds, broken / worlds, found / worlds, float(np.mean(squares))
    )


def main() -> None:
    """Print the tables."""
    worlds = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    print("| number | 2.5 % each | shared out | a gate is inconclusive |")
    print("|---|---:|---:|---:|")
    for name, metric in (("accuracy", "accuracy"), ("I", "intelligence")):
        year = years(Key("public_231", "m", metric, "all"), worlds)
        print(f"| {name} | {year.flat:.1%} | {year.shared:.1%} | {year.unclear:.1%} |")
    print()
    for look in (1, CANDIDATES):
        key = Key("public_231", "m", "accuracy", "all")
        failed, unclear = caught(key, look, worlds)
        print(f"worse, look {look}: fails {failed:.1%}, inconclusive {unclear:.1%}")
    print()
    for n in (231, 1234):
        for excess in (0.0, 0.05):
            print(n, excess, confidences(n, excess, 0.9, worlds))


if __name__ == "__main__":
    main()
