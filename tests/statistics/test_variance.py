"""The variance of I and of means: worked values, a jackknife, all pairs at once."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from jevdb.numerics import variance
from jevdb.numerics.cells import (
    Addend,
    InestimableError,
    cells_of,
    plus_two,
)
from jevdb.numerics.components import (
    choice_effect,
    choice_influence,
    mean_influence,
    noul_effect,
    noul_influence,
    score_effect,
    score_influence,
)
from jevdb.numerics.estimates import Estimate
from jevdb.numerics.pairwise import (
    clustered_pairs,
    discordant_pairs,
    mcnemar_resolved,
    mean_pairs,
    stratified_pairs,
    t_resolved,
)
from jevdb.numerics.ranking import closure, rank_ranges, shrunk
from jevdb.numerics.repeats import disagreement, parts, variance_of_answers
from jevdb.numerics.student import critical
from jevdb.numerics.variance import cluster_totals, clustered, stratified

# INFERENCE.md section 1.3, "Worked": six items of each type, no tiers.
G = np.array([0.25, 0.25, 0.25, 0.25, 0.5, 0.5])
U = np.array([0.5, 0.4, 0.3, 0.3, 0.4, 0.5])
RUNS = {
    "A": (
        np.array([1.0, 1, 0, 0, 1, 0]),
        np.array([1.0, 0, 1, 1, 0, 1]),
        np.array([0.25, 0, 0.5, 0.25, 0.25, 0.75]),
    ),
    "B": (
        np.array([1.0, 1, 1, 1, 0, 1]),
        np.array([1.0, 1, 1, 1, 0, 1]),
        np.array([0.0, 0, 0.25, 0.25, 0, 0.5]),
    ),
}
BLOCKS = [
    (kind, None, "text") for kind in ("choice", "noul", "score") for _ in range(6)
]
ADDENDS = [
    Addend(np.arange(0, 6), 1 / 18, choice_effect(G)),
    Addend(np.arange(6, 12), 1 / 18, noul_effect(False)),
    Addend(np.arange(12, 18), 1 / 18, score_effect(U)),
]
INTELLIGENCE = {"A": 36.1111111111, "B": 72.2222222222}


def influence_of(run: str):
    right, clear, error = RUNS[run]
    values = np.concatenate(
        [
            choice_influence(right, G),
            noul_influence(clear, False),
            score_influence(error, U),
        ]
    )
    return lambda items: values[items]


def gap(items):
    return influence_of("B")(items) - influence_of("A")(items)


def test_influences_of_the_worked_example():
    z = influence_of("A")(np.arange(6)) / 18
    expected = [4.6875, 4.6875, -3.6458333333, -3.6458333333, 3.125, -5.2083333333]
    assert z.tolist() == pytest.approx(expected, abs=1e-10)


def test_difference_of_the_worked_example():
    cells = cells_of(BLOCKS, ADDENDS)
    parts_of = [stratified([cell], gap).variance for cell in cells]
    assert parts_of == pytest.approx([265.625, 30.8641975309, 16.0751028807], abs=1e-9)
    fixed = plus_two(ADDENDS)
    assert fixed == pytest.approx(195.4732510288, abs=1e-9)
    spread = stratified(cells, gap, fixed)
    assert spread.variance == pytest.approx(508.0375514403, abs=1e-9)
    assert spread.freedom == pytest.approx(17.9817898439, abs=1e-9)
    found = Estimate(INTELLIGENCE["B"] - INTELLIGENCE["A"], *spread)
    assert found.df == 17
    assert critical(0.05, 17) == pytest.approx(2.1098155778, abs=1e-10)
    assert found.se == pytest.approx(22.5396883617, abs=1e-9)
    low, high = found.interval()
    # As far from the difference as each other: 2 x 36.1111111111 + 11.4434745138.
    assert (low, high) == pytest.approx((-11.4434745138, 83.6656967360), abs=1e-9)
    assert found.p_value == pytest.approx(0.1275477667, abs=1e-9)
    assert found.detectable == pytest.approx(67.0126256467, abs=1e-9)


def test_effects_by_hand():
    # Chance 1/3: 100 / (2/3). Mean chance error 0.4: 100 / 0.4.
    assert choice_effect(G) == pytest.approx(150)
    assert score_effect(U) == pytest.approx(250)
    assert (noul_effect(False), noul_effect(True)) == (100, 200)


def component(name: str, values: np.ndarray, weight: np.ndarray) -> float:
    """Return a component of weighted items, straight from its definition."""
    mean = (weight * values).sum() / weight.sum()
    if name == "noul":
        return 100 * (mean - 0.5) / 0.5
    other = (weight * (G if name == "choice" else U)).sum() / weight.sum()
    if name == "choice":
        return 100 * (mean - other) / (1 - other)
    return 100 * (1 - mean / other)


@pytest.mark.parametrize(
    ("place", "name"), list(enumerate(["choice", "noul", "score"]))
)
def test_influences_are_derivatives(place: int, name: str):
    """Each is n times the slope of the component in the weight of its item."""
    values = RUNS["A"][place]
    stated = {
        "choice": choice_influence(values, G),
        "noul": noul_influence(values, True),
        "score": score_influence(values, U),
    }[name]
    for item in range(6):
        step = np.zeros(6)
        step[item] = 1e-6
        up = component(name, values, np.ones(6) + step)
        down = component(name, values, np.ones(6) - step)
        assert stated[item] == pytest.approx(6 * (up - down) / 2e-6, abs=1e-5)
    assert math.fsum(stated) == pytest.approx(0, abs=1e-9)


def test_a_small_cell_takes_the_spread_of_its_type():
    # Noul items: 6 easy, 3 hard. Easy has its own; hard takes that of all nine, each
    # centred as one cell. Values 0/1: all nine have mean 6/9, variance (2/9 x 9) / 8.
    clear = np.array([1.0, 1, 1, 1, 0, 1, 0, 1, 0])
    blocks = [("noul", "easy", "text")] * 6 + [("noul", "hard", "text")] * 3
    addends = [
        Addend(np.arange(6), 0.2 / 6, 100.0),
        Addend(np.arange(6, 9), 0.8 / 3, 100.0),
    ]
    cells = cells_of(blocks, addends)
    assert [len(cell.source) for cell in cells] == [6, 9]

    def influence(items):
        return noul_influence(clear[items], False)

    easy = 0.2**2 * 100**2 * (5 / 36 * 6 / 5) / 6
    hard = 0.8**2 * 100**2 * (2 / 9 * 9 / 8) / 3
    spread = stratified(cells, influence)
    assert spread.variance == pytest.approx(easy + hard)
    below = easy**2 / 5 + hard**2 / 8
    assert spread.freedom == pytest.approx((easy + hard) ** 2 / below)


def test_modalities_of_a_tier_are_pooled_before_tiers():
    blocks = [
        *[("choice", "easy", "text")] * 4,
        *[("choice", "easy", "image")] * 3,
        *[("choice", "hard", "text")] * 6,
    ]
    cells = cells_of(blocks, [Addend(np.arange(13), 1 / 13, 1.0)], across_types=True)
    assert [len(cell.source) for cell in cells] == [7, 7, 6]
    # The component is over all thirteen: influences are on it, centred in the source.
    assert {len(cell.reference) for cell in cells} == {13}


def test_a_small_type_has_no_interval_of_an_index_but_one_of_a_mean():
    blocks = [("choice", None, "text")] * 6 + [("score", None, "text")] * 4
    everything = Addend(np.arange(10), 0.1, 1.0)
    with pytest.raises(InestimableError) as refused:
        cells_of(blocks, [everything])
    assert (refused.value.reason, refused.value.about) == ("too_few_items", "score")
    cells = cells_of(blocks, [everything], across_types=True)
    assert [len(cell.source) for cell in cells] == [6, 10]


# INFERENCE.md section 2, "Worked".
CLUSTERED = np.array([1.0, 1, 0, 1, 0, 0, 1, 1, 1, 0])
CLUSTERS = np.array([0, 0, 1, 1, 2, 2, 2, 3, 3, 3])


def test_clusters_of_the_worked_example(monkeypatch: pytest.MonkeyPatch):
    blocks = [("choice", None, "text")] * 10
    everything = [Addend(np.arange(10), 0.1, 1.0)]
    cells = cells_of(blocks, everything, clusters=CLUSTERS, across_types=True)
    with pytest.raises(InestimableError) as refused:
        clustered(cells, lambda items: mean_influence(CLUSTERED[items]), CLUSTERS)
    # 2.6134020619 degrees of freedom; the largest two have 6 of 10 items.
    assert refused.value.reason == "few_clusters"
    assert refused.value.about == "two clusters hold 60% of the weight"

    def influence(items):
        return mean_influence(CLUSTERED[items])

    totals = cluster_totals(cells, influence, CLUSTERS)
    assert totals.influences == pytest.approx(
        [0.1, -0.025, -0.1142857142857, 0.0285714285714], abs=1e-12
    )
    monkeypatch.setattr(variance, "LEAST_FREEDOM", 0)
    found = clustered(cells, influence, CLUSTERS)
    assert found.variance == pytest.approx(0.0183769132653, abs=1e-12)
    assert found.variance == pytest.approx(jackknife(CLUSTERED, CLUSTERS), abs=1e-12)
    assert math.sqrt(found.variance) == pytest.approx(0.1355614741190, abs=1e-12)
    assert found.freedom == pytest.approx(2.6134020619, abs=1e-9)


def jackknife(values: np.ndarray, clusters: np.ndarray) -> float:
    names = np.unique(clusters)
    left = [values[clusters != name].mean() for name in names]
    away = [mean - values.mean() for mean in left]
    return (len(names) - 1) / len(names) * math.fsum(one * one for one in away)


@settings(deadline=None, derandomize=True, max_examples=50)
@given(
    sizes=st.lists(st.integers(1, 6), min_size=5, max_size=9),
    seed=st.integers(0, 2**32 - 1),
)
def test_clusters_are_the_jackknife(sizes: list[int], seed: int):
    """With one cell, CR3 is leaving out one cluster after the other."""
    clusters = np.repeat(np.arange(len(sizes)), sizes)
    values = np.random.default_rng(seed).random(len(clusters))
    n = len(values)
    blocks = [("choice", None, "text")] * n
    cells = cells_of(
        blocks, [Addend(np.arange(n), 1 / n, 1.0)], clusters=clusters, across_types=True
    )
    try:
        found = clustered(cells, lambda items: mean_influence(values[items]), clusters)
    except InestimableError:
        return
    assert found.variance == pytest.approx(jackknife(values, clusters), rel=1e-9)


def test_a_cluster_that_is_a_cell_is_merged():
    # The hard cell is one cluster: its items are centred with all noul items.
    blocks = [("noul", "easy", "text")] * 8 + [("noul", "hard", "text")] * 5
    clusters = np.array([0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 4, 4])
    addends = [Addend(np.arange(8), 0.1, 1.0), Addend(np.arange(8, 13), 0.1, 1.0)]
    cells = cells_of(blocks, addends, clusters=clusters)
    assert [len(cell.source) for cell in cells] == [8, 13]
    with pytest.raises(InestimableError) as refused:
        cells_of(blocks, addends, clusters=np.zeros(13, dtype=np.int64))
    assert refused.value.reason == "cluster_is_cell"


def made_up(n_runs: int = 7, n: int = 60):
    source = np.random.default_rng(20260925)
    kinds = ["choice", "noul", "score"]
    tiers = ["easy", "hard"]
    blocks = [
        (kinds[place % 3], tiers[place % 2], "text" if place % 5 else "image")
        for place in range(n)
    ]
    return blocks, source.random((n_runs, n)), source


def test_all_pairs_are_each_pair():
    blocks, values, source = made_up()
    everything = [Addend(np.arange(60), 1 / 60, 1.0)]
    clusters = source.integers(0, 20, 60)
    cells = cells_of(blocks, everything, across_types=True)
    bound = cells_of(blocks, everything, clusters=clusters, across_types=True)

    def all_runs(items):
        return mean_influence(values[:, items])

    plain = stratified_pairs(cells, all_runs, 1e-5)
    grouped = clustered_pairs(bound, all_runs, clusters, 1e-5)
    for row in range(len(values)):
        for column in range(row):

            def pair(items, one=row, two=column):
                return all_runs(items)[one] - all_runs(items)[two]

            for spreads, alone in (
                (plain, stratified(cells, pair, 1e-5)),
                (grouped, clustered(bound, pair, clusters, 1e-5)),
            ):
                assert spreads.variances[row, column] == pytest.approx(
                    alone.variance, rel=1e-5
                )
                assert spreads.freedoms[row, column] == pytest.approx(
                    alone.freedom, rel=1e-5
                )


def test_pairs_of_means_are_over_what_both_have():
    blocks, values, source = made_up()
    counts = source.random(values.shape) < 0.6
    found = mean_pairs(blocks, values, counts)
    for row in range(len(values)):
        for column in range(row):
            both = np.flatnonzero(counts[row] & counts[column])
            gaps = (values[row] - values[column])[both]
            cells = cells_of(
                [blocks[item] for item in both],
                [Addend(np.arange(len(both)), 1 / len(both), 1.0)],
                across_types=True,
            )
            alone = stratified(
                cells, lambda items, gaps=gaps: gaps[items] - gaps.mean()
            )
            assert found.n[row, column] == len(both)
            assert found.spreads.variances[row, column] == pytest.approx(
                alone.variance, rel=1e-5
            )
            assert found.spreads.freedoms[row, column] == pytest.approx(
                alone.freedom, rel=1e-5
            )


def test_products_do_not_depend_on_the_order_of_items():
    _, values, source = made_up(40, 999)
    order = source.permutation(999)
    blocks = [("choice", None, "text")] * 999
    counts = np.ones(values.shape, dtype=bool)
    one = mean_pairs(blocks, values, counts).spreads.variances
    two = mean_pairs(blocks, values[:, order], counts[:, order]).spreads.variances
    assert one.tobytes() == two.tobytes()


def test_doubtful_pairs_are_settled_one_by_one():
    """A ratio within a ten-thousandth of the critical value is asked about."""
    spread = stratified_pairs(
        cells_of([("noul", None, "text")] * 6, [Addend(np.arange(6), 1 / 6, 1.0)]),
        lambda items: np.array([[0.0, 1, 0, 1, 0, 1], [1, 1, 1, 1, 0, 1]])[:, items],
    )
    t = stats.t.ppf(0.975, 5)
    asked = []

    def exactly(row: int, column: int) -> bool:
        asked.append((row, column))
        return True

    edge = t * math.sqrt(spread.variances[0, 1])
    gaps = np.array([[0, -edge], [edge, 0]]) * (1 - 1e-6)
    assert t_resolved(gaps, spread, 0.05, exactly)[0, 1]
    assert asked == [(0, 1)]
    assert not t_resolved(gaps / 10, spread, 0.05, exactly).any()
    assert t_resolved(gaps * 10, spread, 0.05, exactly)[1, 0]
    assert asked == [(0, 1)]


def test_discordant_pairs_by_hand():
    right = np.array([[1.0, 1, 0, 0, 1], [1, 0, 0, 1, 0]])
    found = discordant_pairs(right)
    assert found.only_row.tolist() == [[0, 2], [1, 0]]
    assert found.only_column.tolist() == [[0, 1], [2, 0]]
    assert not mcnemar_resolved(found, 0.05).any()
    # 12 against 30 of 42: p = 0.0079.
    many = np.zeros((2, 42))
    many[0, :30], many[1, 30:] = 1, 1
    assert mcnemar_resolved(discordant_pairs(many), 0.05)[0, 1]
    assert not mcnemar_resolved(discordant_pairs(many), 0.007)[0, 1]


def test_above_what_is_above():
    # A beats B, B beats D; C is level with all.
    above = np.zeros((4, 4), dtype=bool)
    above[0, 1] = above[1, 3] = True
    found = closure(above)
    assert found[0].tolist() == [False, True, False, True]
    low, high = rank_ranges(found)
    assert low.tolist() == [1, 2, 1, 3]
    assert high.tolist() == [2, 3, 4, 4]


def test_shrinkage_by_hand():
    # Values 0, 2, 4, 6, mean 3; differences all of variance 2: of each minus the mean
    # 2 x 3/4 - 2 x 3/8 = 0.75. tau^2 = 20/3 - 0.75; B = tau^2 / (20/3).
    variances = 2.0 * (1 - np.eye(4))
    kept = (20 / 3 - 0.75) / (20 / 3)
    assert shrunk([0.0, 2.0, 4.0, 6.0], variances) == pytest.approx(
        [3 + kept * away for away in (-3, -1, 1, 3)]
    )
    assert shrunk([1.0, 2.0, 3.0], np.zeros((3, 3))) is None
    assert shrunk([2.0, 2.0, 2.0, 2.0], variances) == [2.0] * 4


def test_repeats_of_the_worked_example():
    # INFERENCE.md section 3.
    answers = [[1, 1, 0], [0, 0, 1], [1, 1, 1], [0, 1, 1]]
    means = np.array([sum(given) / 3 for given in answers])
    assert means.mean() == pytest.approx(0.6666666667)
    squares = ((means - means.mean()) ** 2).sum()
    whole = 4 / 3 * squares / 16
    assert whole == pytest.approx(0.0185185185)
    again = variance_of_answers(answers, [0.25] * 4)
    assert again == pytest.approx(0.0208333333)
    assert parts(whole, again) == (0.0, again)
    assert parts(whole, again).most_gained == 1.0
    assert disagreement([(2, 3), (1, 3), (3, 3), (2, 3)]) == 0.5
    assert disagreement([(3, 5)]) == 0.6
    assert disagreement([(1, 1)]) is None


def test_answers_given_once_take_the_spread_of_their_cell():
    # Variance of (0, 1) is 1/2, halved by two answers; the single one takes 1/2.
    found = variance_of_answers([[0, 1], [1]], [0.5, 0.5])
    assert found == pytest.approx(0.25 * (0.5 / 2 + 0.5))
    assert variance_of_answers([[0, 1], [1]], [0.5, 0.5], ["a", "b"]) is None


def test_more_repeats_narrow_what_answers_add():
    split = parts(0.03, 0.02)
    assert split.at_repeats(10, now=5) == pytest.approx(0.01 + 0.01)
    assert split.most_gained == pytest.approx(1 - math.sqrt(1 / 3))
