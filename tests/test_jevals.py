"""Five epochs of a public board as one run: its published numbers, and ours.

The log is Jevals' (tests/data/jevals/SOURCES.md); the numbers expected are its own, of
the items here by the independent script that gives the published ones of all.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from statistics import stdev

import pytest
from building import open_for_a_test
from making import copied

from jevdb.base.connection import Connection
from jevdb.base.errors import UsageError
from jevdb.ingest import (
    ItemsOptions,
    Model,
    RunOptions,
    RunSummary,
    ingest_items,
    ingest_run,
)
from jevdb.ingest.layouts.mapped import selection
from jevdb.numerics.binomial import clopper_pearson
from jevdb.scoring.repeats import Repeats, repeats_of
from jevdb.scoring.report import Intervals, Request, read_report
from jevdb.scoring.runs import all_runs

DATA = Path(__file__).parent / "data" / "jevals"
LOG = DATA / "jev__pubmedqa__0.1.0.items-1-150.jsonl"
HERE = json.loads((DATA / "published.json").read_text())[
    "of the 150 items here (recomputed by an independent script that reproduces the "
    "figures above on all 300)"
]
MAP = Path("jevals")  # the one that ships


def ingest(connection: Connection, *where: str, label: str | None = None) -> RunSummary:
    chosen = selection(MAP, [], list(where), None)._asdict()
    options = RunOptions("pubmedqa", Model("jev"), label=label, **chosen)
    return ingest_run(connection, [LOG], options)


@pytest.fixture(scope="module")
def board(
    template: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Connection]:
    path = tmp_path_factory.mktemp("jevals") / "w.duckdb"
    copied(template, path)
    with open_for_a_test(path) as connection:
        ingest_items(connection, [DATA / "items.jsonl"], ItemsOptions("pubmedqa"))
        summary = ingest(connection)
        assert (summary.repeats, summary.ok, summary.missing) == (5, 750, 0)
        assert summary.skipped == {"records with type=header": 1}
        yield connection


@pytest.mark.parametrize(
    ("metric", "published"),
    [
        ("accuracy", "accuracy"),
        ("brier", "loss"),
        ("ece", "ece"),
        ("flip_rate", "any_flip"),
        ("pass_all", "pass_all"),
    ],
)
def test_the_numbers_of_the_board(board: Connection, metric: str, published: str):
    """Brier is the sum over both options, as the board's loss; ECE pools answers."""
    [(value, n)] = board.execute(
        "select value, n from report_metrics where metric = $metric and kind = 'all' "
        "and method_id = 'metrics-md'",
        {"metric": metric},
    ).fetchall()
    assert (value, n) == (pytest.approx(HERE[published], abs=1e-12), HERE["items"])


@pytest.mark.parametrize("method", ["metrics-md", "jevals-0.1"])
def test_the_decision_score_of_the_board(board: Connection, method: str):
    """100 x (1 - loss / loss of the constant): no answer here is an exact half."""
    [(value, n)] = board.execute(
        "select value, n from metric_brier_skill where kind = 'noul' "
        "and method_id = $method",
        {"method": method},
    ).fetchall()
    assert n == HERE["items"]
    assert 100 * value == pytest.approx(HERE["decision_score"], abs=1e-10)


def test_the_one_item_that_flips(board: Connection):
    """SUITES.md §2: item 524 says .57 .56 .54 .49 .51 in its five epochs."""
    said = board.execute(
        "select yes_probability from scored where item_id = 'pubmedqa-524' "
        "order by repeat"
    ).fetchall()
    assert [yes for (yes,) in said] == [0.57, 0.56, 0.54, 0.49, 0.51]
    flipped = board.execute(
        "select distinct item_id from repeated_items where is_flipped"
    )
    assert flipped.fetchall() == [("pubmedqa-524",)]


def test_an_epoch_alone_is_the_run_that_it_was(board: Connection):
    """Without numbering: one value a run, whatever it is called, is no repeat."""
    runs = []
    for epoch in range(5):
        one = ingest(board, f"epoch={epoch}", label=f"epoch {epoch}")
        assert (one.repeats, one.ok) == (1, 150)
        [(told,)] = board.execute(
            "select digest_of(prediction_digest(item_id, status, reason, label_index, "
            "labels, level, probabilities, returned, step_probabilities, latency_s, "
            "input_tokens, output_tokens, cost_usd, error, meta), item_id) "
            "from predictions where run_id = $run_id",
            {"run_id": one.run_id},
        ).fetchall()
        runs.append(one.run_id)
        assert told == one.rows_sha256
    assert len(set(runs)) == 5


def repeats(board: Connection, **asked: object) -> Repeats:
    [run] = [run for run in all_runs(board) if run.label is None]
    return repeats_of(board, run, row=None, method_id="metrics-md", **asked)  # type: ignore[arg-type]


def test_each_repeat_has_numbers_of_its_own(board: Connection):
    """Accuracies of 137, 137, 137, 136 and 137 of 150 are .91333 and .90667."""
    found = repeats(board)
    right = [137, 137, 137, 136, 137]
    assert [each["accuracy"][0] for each in found.each] == [n / 150 for n in right]
    value, n, _ = found.together["accuracy_sd"]
    assert (value, n) == (pytest.approx(stdev(n / 150 for n in right), abs=1e-15), 150)
    assert found.names == ["0", "1", "2", "3", "4"]


def test_a_notebook_shows_what_the_command_prints(board: Connection):
    """A line a repeat, then all together: not a row for every number."""
    found = repeats(board)
    assert found._repr_html_() == f"<pre>{found.text()}</pre>"
    assert "flip_rate     0.0067  150" in repr(found)


def test_byte_identical_requests_flip_no_answer(board: Connection):
    """The board's repeat flip is of the epochs 0 and 1, its order flip of the rest."""
    first = repeats(board, among=[0, 1])
    assert first.together["flip_rate"] == (HERE["repeat_flip"], 150, None)
    others = repeats(board, among=[0, 2, 3, 4])
    assert others.together["flip_rate"][0] == pytest.approx(1 / 150)


def test_pass_k_is_over_the_draws_of_k_answers(board: Connection):
    """One item is right 4 times of 5: pass_2 of it is C(4, 2) / C(5, 2) = 0.6."""
    found = repeats(board).pass_k
    assert found[1][0] == pytest.approx(HERE["accuracy"], abs=1e-15)
    assert found[2][0] == (136 + 0.6) / 150
    assert found[5][0] == pytest.approx(HERE["pass_all"], abs=1e-15)
    assert repeats(board, k=6).pass_k == {6: (None, 0, "no_repeats")}


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"among": [0, 5]}, "among 5: the repeats of the run are 0 to 4"),
        ({"among": [0]}, "among takes two repeats or more"),
        ({"k": 0}, "k is 1 or more"),
    ],
)
def test_repeats_that_there_are_not(
    board: Connection, asked: dict[str, object], words: str
):
    with pytest.raises(UsageError, match=words):
        repeats(board, **asked)


def test_a_report_shows_repeats_alone(board: Connection):
    """Each as a run that asked once: the fourth has 136 of 150 right, the rest 137."""
    [run] = [run for run in all_runs(board) if run.label is None]
    lines = read_report(board, Request([run], by="repeat", intervals=Intervals()))
    assert [line.run.name for line in lines] == [f"jev#repeat {k}" for k in range(5)]
    found = [line.numbers["accuracy"] for line in lines]
    assert [round(150 * number.value) for number in found] == [137, 137, 137, 136, 137]
    assert {number.n for number in found} == {150}
    # An accuracy of one answer an item has the interval of 136 of 150 right.
    assert lines[3].intervals["accuracy"] == clopper_pearson(136, 150)
