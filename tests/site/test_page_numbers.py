"""What a page says of a number is what `explain` and `compare` say of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from building import add_benchmark, add_run
from site_world import BENCHMARK, World

from jevdb.base.connection import Connection
from jevdb.base.metrics import Number
from jevdb.comparison.cohorts import Asked, Rule, read_candidates
from jevdb.comparison.compare import compare, compare_items
from jevdb.comparison.compare_request import Request
from jevdb.comparison.paired import paired
from jevdb.scoring.explain import explain as explaining
from jevdb.scoring.runs import Run, all_runs
from jevdb.scoring.selection import Selection, selected
from jevdb.site.answers import read_answers
from jevdb.site.numbers import Numbers, read_numbers
from jevdb.site.pairs import pairs
from jevdb.site.profiles import profiles
from jevdb.warehouse.database import open_reader

pytestmark = pytest.mark.long

METHODS = ["metrics-md", "jevbench-v1.5"]
NUMBERS = [
    *(Number("intelligence", kind) for kind in ("all", "choice", "noul", "score")),
    *(Number("calibration", "all"), Number("calibration", "score")),
    *(Number("accuracy", "multi_select"), Number("coverage", "all")),
    *(Number("ece", "noul"), Number("ece", "pooled"), Number("tvd", "all")),
    *(Number("nll", "all"), Number("multi_select_f1", "multi_select")),
]


@pytest.fixture(scope="module")
def connection(world: World) -> Iterator[Connection]:
    with open_reader(world.path) as connection:
        yield connection


@pytest.fixture(scope="module")
def runs(connection: Connection, world: World) -> dict[str, Run]:
    by_id = {run.run_id: run for run in all_runs(connection)}
    return {model: by_id[run_id] for model, run_id in world.runs.items()}


@pytest.fixture(scope="module")
def numbers(connection: Connection, runs: dict[str, Run]) -> Numbers:
    run_ids = [run.run_id for run in runs.values()]
    with selected(connection, Selection(run_ids=run_ids, methods=METHODS)):
        return read_numbers(connection, METHODS)


@pytest.mark.parametrize("number", NUMBERS, ids="-".join)
def test_a_number_is_explained_as_by_explain(
    connection: Connection, runs: dict[str, Run], numbers: Numbers, number: Number
):
    run, method = runs["gamma"], METHODS[1]
    row = (run.run_id, "overall")
    asked = explaining.Asked(run, number, "overall", method, None)
    expected = explaining.explain(connection, asked)
    value = numbers.value(row, number, method)
    assert value is not None
    assert value == expected.value
    in_scope = {
        (is_averaged, fate): n
        for is_averaged, fate, n in expected.fates
        if not fate.startswith(("outside", "no reference"))
    }
    found = {
        (fate.is_averaged, fate.fate): fate.n for fate in numbers.fates[row][number]
    }
    if number.metric == "intelligence" and number.kind in ("all", "noul"):
        # A page speaks for every method: whether a yes is clear differs by method.
        assert sum(found.values()) == sum(in_scope.values())
    else:
        assert renamed(found) == renamed(in_scope)
    if expected.bins is not None:
        bins = numbers.bins[row][number.kind][method]
        assert [tuple(each) for each in bins] == [tuple(r) for r in expected.bins.rows]
    if expected.parts is not None:
        parts = [
            (kind, *part)
            for kind, by_method in numbers.parts[row].items()
            for part in by_method[method]
        ]
        wanted = [tuple(part[:6]) for part in expected.parts.rows if part[5]]
        assert set(wanted) <= set(parts)
    if expected.tiers is not None:
        tiers = [
            (kind, *tier)
            for kind, by_method in numbers.tiers[row].items()
            for tier in by_method[method]
            if number.kind in ("all", kind)
        ]
        assert tiers == [tuple(tier) for tier in expected.tiers.rows]


def renamed(fates: dict[tuple[bool, str], int]) -> dict[tuple[bool, str], int]:
    """Return the fates with one word for a row that has a term."""
    found: dict[tuple[bool, str], int] = {}
    for (is_averaged, fate), n in fates.items():
        word = "scored" if fate == "has a distribution" else fate
        found[is_averaged, word] = found.get((is_averaged, word), 0) + n
    return found


def test_two_runs_are_compared_as_by_compare(
    connection: Connection, runs: dict[str, Run]
):
    base, other = runs["alpha"], runs["beta"]
    request = Request(base, [other], Asked(Rule.SHARED), METHODS[:1])
    compared = compare(connection, request)
    expected = {line.key: line for line in compared.lines}
    candidates = read_candidates(connection, BENCHMARK, [base, other], request.asked)
    selection = Selection(run_ids=[base.run_id, other.run_id], methods=METHODS[:1])
    with paired(connection, selection) as scores:
        answers = read_answers(connection, BENCHMARK, METHODS[0])
    [pair] = pairs(scores, answers, [(base, other)], METHODS[0], candidates)
    assert pair.comparison.sentences() == compared.sentences()
    assert len(pair.lines) > 40
    for line in pair.lines:
        same = expected[line.key]
        assert line.base_value == same.base_value
        assert line.other_value == same.other_value
        assert line.interval == same.interval
        assert (line.pairs, line.p_value) == (same.pairs, same.p_value), line.key
    items = compare_items(connection, request)
    outcome = items.columns.index("outcome")
    listed = {(row[1], row[outcome]) for row in items.rows}
    assert listed == {(each.item.item_id, each.outcome) for each in pair.decided}
    assert pair.n_won == sum(words == "won" for _, words in listed)


def test_a_profile_counts_every_item_once(connection: Connection, runs: dict[str, Run]):
    run = runs["gamma"]
    with selected(connection, Selection(run_ids=[run.run_id], methods=METHODS)):
        answers = read_answers(connection, BENCHMARK, METHODS[0])
    found = {
        each.dimension: each.shares for each in profiles(answers, run.run_id, "text")
    }
    assert [share.value for share in found["tier"]] == ["easy", "hard"]
    # 40 of the 44 items are text; of each tier half.
    assert [share.n for share in found["tier"]] == [20, 20]
    assert sum(share.n_right for share in found["type"]) == sum(
        share.n_right for share in found["tier"]
    )
    assert "modality" not in found


def test_five_equal_answers_have_the_profile_of_one(warehouse: Connection):
    """Wilson of 7 in 10 is 0.3968 to 0.8922, also where each was asked five times."""
    items = [
        {"item_id": f"n{place}", "type": "noul", "gold": "yes" if place < 7 else "no"}
        | {"tier": "easy" if place < 10 else "hard"}
        for place in range(20)
    ]
    name = add_benchmark(warehouse, items)
    for model, repeats in (("once", 1), ("often", 5)):
        rows = [
            {"item_id": item["item_id"], "repeat": repeat, "probabilities": [0.2, 0.8]}
            for item in items
            for repeat in range(repeats)
        ]
        run_id = add_run(warehouse, name, rows, model=model, repeats=repeats)
        chosen = Selection(run_ids=[run_id], methods=METHODS)
        with selected(warehouse, chosen):
            answers = read_answers(warehouse, name, METHODS[0])
        [by_tier] = profiles(answers, run_id, "overall")
        [easy, _] = by_tier.shares
        assert (easy.n_right, easy.n) == (7 * repeats, 10 * repeats)
        assert easy.interval == pytest.approx((0.3968, 0.8922), abs=5e-5)
