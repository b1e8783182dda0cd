"""`jevdb leaderboard`: who is ranked, on what, and who gives way."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from building import add_benchmark, add_run, insert, next_seq, open_to_fill
from commandline import add_event, jevdb, rows_of

from jevdb.base.connection import Connection

BOARD = ("leaderboard", "--benchmark", "board")


def choices(count: int) -> list[dict[str, Any]]:
    return [
        {"item_id": f"{i:03d}", "type": "choice", "options": ["a", "b"], "gold": "a"}
        for i in range(count)
    ]


def answers(n_right: int, count: int, n_missing: int = 0) -> list[dict[str, Any]]:
    """The first items right, the others wrong, the last ones missing."""
    return [
        {"item_id": f"{i:03d}", "answer": "a" if i < n_right else "b"}
        for i in range(count - n_missing)
    ]


def ranked(path: Path, *arguments: str) -> dict[str, Any]:
    rows = rows_of(path, *BOARD, *arguments)
    return {row["model"]: row["rank"] for row in rows}


def store(connection: Connection, **runs: list[dict[str, Any]]) -> None:
    add_benchmark(connection, choices(80), benchmark_id="board")
    for model, rows in runs.items():
        add_run(connection, "board", rows, model=model)


def test_scores_62_5_and_60_rank_1_1_3(warehouse_path: Path):
    """I of two-option choice is 100 (2 accuracy - 1): 65 of 80 right is 62.5."""
    with open_to_fill(warehouse_path) as connection:
        store(
            connection,
            low=answers(64, 80),
            one=answers(65, 80),
            two=[*answers(64, 79), {"item_id": "079", "answer": "a"}],
        )
    rows = rows_of(warehouse_path, *BOARD)
    assert [(r["model"], r["rank"]) for r in rows] == [
        ("one", 1),
        ("two", 1),
        ("low", 3),
    ]
    assert [row["value"] for row in rows] == pytest.approx([62.5, 62.5, 60.0])
    assert [row["title"] for row in rows] == ["joint leader"] * 3
    assert [row["leading_set"] for row in rows] == [True] * 3
    assert {(row["rank_low"], row["rank_high"]) for row in rows} == {(1, 3)}
    # Three pairs share out 5 %; three runs are too few to shrink.
    assert {row["level"] for row in rows} == {0.05 / 3}
    assert {row["value_shrunk"] for row in rows} == {None}
    for row in rows:
        assert row["low"] <= row["value"] <= row["high"]
        assert (row["own_rank"], row["warnings"]) == (row["rank"], [])
    text = jevdb(warehouse_path, *BOARD).stdout
    assert text.startswith(
        "3 of 3 runs may be first by I: one, two, low. 95 % for all ranks at once.\n"
    )


def test_a_clear_winner_is_number_one(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        store(connection, best=answers(80, 80), worst=answers(8, 80))
    best, worst = rows_of(warehouse_path, *BOARD, "--by", "accuracy")
    assert (best["title"], worst["title"]) == ("#1", None)
    assert (best["rank_low"], best["rank_high"], best["leading_set"]) == (1, 1, True)
    told = jevdb(warehouse_path, *BOARD, "--by", "accuracy").stdout
    assert told.startswith("best is #1 of 2 by accuracy: it is above every other run.")
    assert (worst["rank_low"], worst["rank_high"]) == (2, 2)
    assert (worst["metric"], worst["value"], worst["accuracy"]) == (
        "accuracy",
        0.1,
        0.1,
    )


def test_lower_is_better_for_errors(warehouse_path: Path):
    def stated(p: float) -> list[dict[str, Any]]:
        return [{**row, "probabilities": [p, 1 - p]} for row in answers(80, 80)]

    with open_to_fill(warehouse_path) as connection:
        store(connection, sure=stated(1.0), unsure=stated(0.75))
    # Everything is right: ECE and TVD are what is missing to certainty. The same gap at
    # every item varies nowhere, so nothing is known of its error.
    for metric, value in (("ece_choice", 0.25), ("tvd", 0.25), ("brier", 0.125)):
        sure, unsure = rows_of(warehouse_path, *BOARD, "--by", metric)
        assert (sure["model"], sure["value"], sure["rank"]) == ("sure", 0.0, 1)
        assert (unsure["rank"], unsure["value"]) == (2, value)
        assert sure["title"] == (None if metric == "ece_choice" else "joint leader")


def test_a_lower_loss_is_above_a_higher_one(warehouse_path: Path):
    def stated(*chances: float) -> list[dict[str, Any]]:
        return [
            {**row, "probabilities": [chances[i % 2], 1 - chances[i % 2]]}
            for i, row in enumerate(answers(80, 80))
        ]

    with open_to_fill(warehouse_path) as connection:
        store(connection, sure=stated(1.0, 0.875), unsure=stated(0.75, 0.5))
    sure, unsure = rows_of(warehouse_path, *BOARD, "--by", "brier")
    # 2 x (0 + 1/64) / 2 and 2 x (1/16 + 1/4) / 2.
    assert (sure["model"], sure["value"], sure["title"]) == ("sure", 0.015625, "#1")
    assert (unsure["value"], unsure["rank_low"], unsure["rank_high"]) == (0.3125, 2, 2)


def test_what_is_biased_or_no_mean_ranks_without_a_claim(warehouse_path: Path):
    stated = [{**row, "probabilities": [0.75, 0.25]} for row in answers(80, 80)]
    with open_to_fill(warehouse_path) as connection:
        store(connection, one=stated, two=[dict(row) for row in stated[:60]] + [
            {**row, "probabilities": [0.5, 0.5]} for row in stated[60:]
        ])  # fmt: skip
    reasons = {"ece_choice": "biased_statistic", "macro_f1_choice": "not_a_mean"}
    for number, reason in reasons.items():
        for row in rows_of(warehouse_path, *BOARD, "--by", number):
            claims = ("title", "leading_set", "rank_low", "rank_high", "low")
            assert {row[name] for name in claims} == {None}
            assert (row["value"] is None, row["interval_reason"]) == (False, reason)
    told = jevdb(warehouse_path, *BOARD, "--by", "ece_choice").stdout
    assert told.startswith("By ece_choice in the order of values: no pair of runs can")


def test_a_board_of_two_is_the_comparison(warehouse_path: Path):
    """60 to 44 of 80, and 60 to 50: the pair's verdict is the board's."""
    with open_to_fill(warehouse_path) as connection:
        store(
            connection,
            best=answers(60, 80),
            near=answers(57, 80),
            far=answers(50, 80),
        )
    for other in ("near", "far"):
        for by in ("accuracy", "I"):
            line = rows_of(warehouse_path, "compare", other, "best", "--by", by)[0]
            names = ("--run", "best", "--run", other, "--by", by)
            first, _ = rows_of(warehouse_path, *BOARD, *names)
            assert (first["title"] == "#1") == (line["verdict"] == "better"), other
            is_one = (first["rank_low"], first["rank_high"]) == (1, 1)
            assert is_one == (first["title"] == "#1")


def test_an_intransitive_board_has_a_third_leader(warehouse_path: Path):
    """A beats B on the same items; C answers others right, and is level with both."""
    a = [{"item_id": f"{i:03d}", "answer": "a" if i < 50 else "b"} for i in range(80)]
    b = [{"item_id": f"{i:03d}", "answer": "a" if i < 40 else "b"} for i in range(80)]
    c = [{"item_id": f"{i:03d}", "answer": "a" if i >= 35 else "b"} for i in range(80)]
    with open_to_fill(warehouse_path) as connection:
        store(connection, A=a, B=b, C=c)
    rows = {
        row["model"]: row for row in rows_of(warehouse_path, *BOARD, "--by", "accuracy")
    }
    # A against B is 10 to 0: p = 2 / 2^10 below 0.05 / 3. C against A is 30 to 35.
    assert rows["A"]["leading_set"] and rows["C"]["leading_set"]
    assert not rows["B"]["leading_set"]
    assert (rows["B"]["rank_low"], rows["B"]["rank_high"]) == (2, 3)
    assert (rows["A"]["rank_low"], rows["A"]["rank_high"]) == (1, 2)
    assert (rows["C"]["rank_low"], rows["C"]["rank_high"]) == (1, 3)


def test_invalid_answers_win_nothing(warehouse_path: Path):
    """Whoever answers invalidly what it would miss has it counted wrong."""
    honest = answers(60, 80)
    evasive = [
        row if i < 60 else {**row, "status": "invalid"} for i, row in enumerate(honest)
    ]
    with open_to_fill(warehouse_path) as connection:
        store(connection, honest=honest, evasive=evasive)
    rows = {row["model"]: row for row in rows_of(warehouse_path, *BOARD)}
    assert rows["evasive"]["value"] == rows["honest"]["value"] == 50.0
    assert (rows["evasive"]["n_invalid"], rows["honest"]["n_invalid"]) == (20, 0)
    assert rows["evasive"]["rank"] == rows["honest"]["rank"] == 1
    told = jevdb(warehouse_path, *BOARD).stdout
    assert "counted wrong: evasive" in told and "20 invalid rows" in told


def test_all_items_may_give_another_order(warehouse_path: Path):
    """B fails on eight of the items; of the 72 left it has more right, of 80 fewer."""
    a = answers(60, 80)
    b = [
        {"item_id": f"{i:03d}", "answer": "a" if i < 8 or 10 <= i < 63 else "b"}
        for i in range(80)
    ]
    for row in b[:8]:
        row["status"] = "error"
        row["answer"] = None
    with open_to_fill(warehouse_path) as connection:
        store(connection, A=a, B=b)
    rows = {row["model"]: row for row in rows_of(warehouse_path, *BOARD)}
    # Shared: A 52, B 53 of 72. Own: A 60, B 53 of 80.
    assert (rows["B"]["rank"], rows["B"]["own_rank"]) == (1, 2)
    assert (rows["A"]["rank"], rows["A"]["own_rank"]) == (2, 1)
    assert rows["A"]["warnings"] == rows["B"]["warnings"] == ["own_reverses"]
    assert "own_reverses: " in jevdb(warehouse_path, *BOARD).stdout


def test_values_are_shrunk_from_four_runs_on(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        store(connection, **{f"m{n}": answers(n, 80) for n in (60, 61, 62, 63)})
    rows = rows_of(warehouse_path, *BOARD)
    shrunk = [row["value_shrunk"] for row in rows]
    values = [row["value"] for row in rows]
    mean = sum(values) / 4
    assert shrunk == sorted(shrunk, reverse=True)
    for value, towards in zip(values, shrunk, strict=True):
        assert abs(towards - mean) < abs(value - mean)


def test_other_runs_of_a_model_are_named(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        store(connection, m=answers(10, 80))
        add_run(connection, "board", answers(20, 80), model="m", label="warm")
    told = jevdb(warehouse_path, *BOARD).stdout
    assert "not shown, other runs of these models: m (" in told


def test_method_v15_board(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        store(connection, best=answers(80, 80), worst=answers(8, 80))
    best, worst = rows_of(warehouse_path, *BOARD, "--interval", "bootstrap")
    assert (best["title"], worst["title"]) == ("#1", None)
    told = jevdb(warehouse_path, *BOARD, "--interval", "bootstrap").stdout
    assert "METHOD v1.5" in told and "87 to 92 %" in told


def test_the_run_that_lacks_much_gives_way_and_is_named(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        store(
            connection,
            whole=answers(40, 80),
            nearly=answers(40, 80, n_missing=8),
            half=answers(40, 80, n_missing=40),
        )
    rows = rows_of(warehouse_path, *BOARD)
    # 72 of 80 items is nine tenths: just enough.
    assert [(r["model"], r["rank"], r["n"]) for r in rows] == [
        ("nearly", 1, 72),
        ("whole", 1, 72),
        ("half", None, 0),
    ]
    assert rows[2]["note"] == "40 without a row"
    assert [row["coverage"] for row in rows] == [0.9, 1.0, 0.5]
    told = jevdb(warehouse_path, *BOARD)
    assert "not ranked: half" in told.stdout
    assert "72 of 80 items (shared)" in told.stdout
    everyone = rows_of(warehouse_path, *BOARD, "--least-share", "0")
    # On the 40 items that half has, everybody is right.
    assert [(row["rank"], row["n"]) for row in everyone] == [(1, 40)] * 3
    stricter = ranked(warehouse_path, "--least-share", "0.95")
    assert stricter == {"whole": 1, "half": None, "nearly": None}


def test_when_most_give_way_the_heading_says_what_to_do(warehouse_path: Path):
    """Each of twelve runs lacks another tenth: no two keep nine tenths of the items."""
    runs = {}
    for i in range(12):
        rows = answers(40, 80)
        del rows[(i % 8) * 10 : (i % 8) * 10 + 9]
        runs[f"run{i:02d}"] = rows
    with open_to_fill(warehouse_path) as connection:
        store(connection, **runs)
    told = jevdb(warehouse_path, *BOARD).stdout
    assert told.count("not ranked: run") == 10
    assert "not ranked: 1 more, named below" in told
    assert "the cohort own ranks each over all items" in told


def test_runs_that_are_named_never_give_way(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        store(
            connection,
            whole=answers(60, 80),
            half=answers(30, 80, n_missing=40),
            other=answers(1, 80),
        )
    rows = rows_of(warehouse_path, *BOARD, "--run", "whole", "--run", "half")
    assert [(row["model"], row["rank"], row["value"]) for row in rows] == [
        ("whole", 1, 100.0),
        # 30 of the 40 items they share: 100 (2 x 3/4 - 1).
        ("half", 2, 50.0),
    ]


def test_a_type_declared_unsupported_gives_way(warehouse_path: Path):
    items = [*choices(79), {"item_id": "079", "type": "noul", "gold": "yes"}]
    with open_to_fill(warehouse_path) as connection:
        add_benchmark(connection, items, benchmark_id="board")
        rows = [*answers(79, 79), {"item_id": "079", "answer": "yes"}]
        add_run(connection, "board", rows, model="whole")
        add_run(
            connection, "board", answers(79, 79), model="part", unsupported=["noul"]
        )
    # One item of 80 is little, but without it the board would have no noul at all.
    whole, part = rows_of(warehouse_path, *BOARD)
    assert (whole["rank"], whole["n"], part["rank"]) == (1, 80, None)
    assert part["note"] == "does not support noul"
    assert part["unsupported_types"] == ["noul"]
    assert ranked(warehouse_path, "--cohort", "own") == {"whole": 1, "part": None}
    both = ranked(warehouse_path, "--least-share", "0")
    assert both == {"part": 1, "whole": 1}


def test_own_cohort_counts_missing_as_wrong(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        store(
            connection,
            whole=answers(60, 80),
            nearly=answers(80, 80, n_missing=8),
            half=answers(80, 80, n_missing=40),
        )
    rows = rows_of(warehouse_path, *BOARD, "--cohort", "own", "--by", "accuracy")
    assert [(row["model"], row["rank"], row["value"]) for row in rows] == [
        ("nearly", 1, 0.9),
        ("whole", 2, 0.75),
        ("half", None, 0.5),
    ]
    assert rows[2]["note"] == "40 without a row"


def test_strict_refuses(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        store(connection, whole=answers(1, 80), nearly=answers(1, 80, n_missing=1))
    result = jevdb(warehouse_path, *BOARD, "--cohort", "strict")
    assert result.exit_code == 1
    assert "1 without a row" in result.stderr


def test_a_run_without_the_number_is_listed_unranked(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        store(connection, labels=answers(60, 80))
    [row] = rows_of(warehouse_path, *BOARD, "--by", "ece_choice")
    assert (row["rank"], row["value"], row["low"]) == (None, None, None)
    assert row["note"] == "no answer has a probability distribution"


def test_the_latest_public_run_of_each_model_and_revision(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        store(connection, m=answers(10, 80))
        for revision, label, n_right in (
            (None, "warm", 20),
            ("r2", None, 30),
            ("r3", None, 40),
        ):
            run_id = add_run(
                connection,
                "board",
                answers(n_right, 80),
                model="m",
                revision=revision,
                label=label,
            )
        add_event(connection, run_id, "private")
    rows = rows_of(warehouse_path, *BOARD)
    assert [(row["revision"], row["label"]) for row in rows] == [
        ("r2", None),
        (None, "warm"),
    ]
    assert "1 private run left out" in jevdb(warehouse_path, *BOARD).stderr
    private = rows_of(warehouse_path, *BOARD, "--include-private")
    assert [row["revision"] for row in private] == ["r3", "r2", None]


def test_as_of_is_the_board_of_then(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        store(connection, early=answers(40, 80))
        seq = connection.execute("select max(seq) from ingests").fetchall()[0][0]
        add_run(connection, "board", answers(80, 80), model="late")
        [(early,)] = connection.execute(
            "select run_id from run_states where model = 'early'"
        ).fetchall()
        add_event(connection, early, "withdrawn")
    assert ranked(warehouse_path) == {"late": 1}
    assert ranked(warehouse_path, "--as-of", str(seq)) == {"early": 1}


def test_report_row_method_and_modality(warehouse_path: Path):
    items = [{**item, "modality": "image"} for item in choices(8)]
    items += [{**item, "item_id": f"t{item['item_id']}"} for item in choices(4)]
    rows = [{"item_id": item["item_id"], "answer": "a"} for item in items]
    with open_to_fill(warehouse_path) as connection:
        add_benchmark(connection, items, benchmark_id="board")
        add_run(connection, "board", rows, model="m")
    found = [
        (row["report_row"], row["n"], row["method_id"])
        for arguments in (
            (),
            ("--row", "text"),
            ("--modality", "text", "--method", "jevbench-v1.5"),
        )
        for row in rows_of(warehouse_path, *BOARD, *arguments)
    ]
    assert found == [
        ("overall", 12, "metrics-md"),
        ("text", 4, "metrics-md"),
        ("overall", 4, "jevbench-v1.5"),
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--row", "hard"), "unknown report row 'hard'"),
        (("--method", "mine"), "unknown method 'mine'"),
        (("--by", "speed"), "unknown metric 'speed'"),
        (("--run", "nobody"), "unknown run 'nobody'"),
        (("--modality", "image"), "board has no image items"),
    ],
)
def test_usage(warehouse_path: Path, arguments: tuple[str, ...], words: str):
    with open_to_fill(warehouse_path) as connection:
        store(connection, m=answers(1, 80))
    result = jevdb(warehouse_path, *BOARD, *arguments)
    assert result.exit_code == 2
    assert words in result.stderr


def test_a_board_without_runs(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        store(connection)
    result = jevdb(warehouse_path, *BOARD)
    assert result.exit_code == 1
    assert "board has no runs to rank" in result.stderr
    unknown = jevdb(warehouse_path, "leaderboard", "--benchmark", "boards")
    assert unknown.exit_code == 2
    assert "did you mean 'board'" in unknown.stderr


def report_result(connection: Connection) -> None:
    """Store a published result: I 75, accuracy 0.875, of all 80 rows."""
    seq = next_seq(connection, "results")
    model = {"model_id": "id of theirs", "name": "theirs", "revision": "r9", "seq": seq}
    insert(connection, "models", [model])
    result = {
        **{"result_sha256": "9d" * 32, "benchmark_id": "board"},
        **{"model_id": "id of theirs", "source_file": "x.json"},
        **{"source_sha256": "00" * 32, "tags": ["compact"], "requested_rows": 80},
        **{"ok_rows": 80, "unsupported_rows": 0, "error_rows": 0, "seq": seq},
    }
    insert(connection, "reported_results", [result])
    values = {"intelligence": 75.0, "primary_accuracy": 0.875, "ece": 0.1}
    insert(
        connection,
        "reported_metrics",
        [
            {
                **{"result_sha256": "9d" * 32, "view": "overall", "metric": metric},
                **{"value": value, "n": 80, "definition": "theirs"},
                "is_partial": False,
            }
            for metric, value in values.items()
        ],
    )


def test_published_results_stand_beside_and_are_never_ranked(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        store(connection, ours=answers(64, 80))
        seq = connection.execute("select max(seq) from ingests").fetchall()[0][0]
        report_result(connection)
    assert [row["origin"] for row in rows_of(warehouse_path, *BOARD)] == ["computed"]
    ours, theirs = rows_of(warehouse_path, *BOARD, "--reported")
    assert (ours["rank"], ours["origin"], ours["title"]) == (1, "computed", None)
    assert (theirs["rank"], theirs["origin"]) == (None, "reported")
    named = (theirs["model"], theirs["revision"], theirs["label"])
    assert named == ("theirs", "r9", "compact")
    assert (theirs["value"], theirs["accuracy"], theirs["n"]) == (75.0, 0.875, 80)
    assert (theirs["low"], theirs["ece_pooled"]) == (None, None)
    # Their ECE has another definition than ours: it is not shown as one of ours.
    by_ece = rows_of(warehouse_path, *BOARD, "--reported", "--by", "ece_choice")
    assert by_ece[-1]["value"] is None
    text = jevdb(warehouse_path, *BOARD, "--reported").stdout
    assert re.search(r"reported  theirs@r9#compact  75\.00", text)
    then = rows_of(warehouse_path, *BOARD, "--reported", "--as-of", str(seq))
    assert [row["origin"] for row in then] == ["computed"]


def test_published_results_are_ranked_only_when_asked(warehouse_path: Path):
    """I of 2 x accuracy - 1: 80 of 80 is 100, 70 is 75 as theirs, 69 is 72.5."""
    with open_to_fill(warehouse_path) as connection:
        store(
            connection,
            best=answers(80, 80),
            equal=answers(70, 80),
            near=answers(69, 80),
        )
        report_result(connection)
    rows = rows_of(warehouse_path, *BOARD, "--rank-reported")
    assert [(row["model"], row["origin"], row["rank"]) for row in rows] == [
        ("best", "computed", 1),
        ("equal", "computed", 2),
        ("theirs", "reported", 2),
        ("near", "computed", 4),
    ]
    theirs = rows[2]
    assert (theirs["low"], theirs["high"]) == (None, None)
    assert {row["title"] for row in rows} == {None}
    assert {row["leading_set"] for row in rows} == {None}
    assert all(row["low"] is not None for row in rows if row["origin"] == "computed")


def test_ranked_published_results_are_marked_wherever_people_read(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        store(connection, ours=answers(64, 80))
        report_result(connection)
    for form, line in (
        ("table", "1     reported  theirs@r9#compact  75.00"),
        ("markdown", "| 1 | reported | theirs@r9#compact | 75.00 |"),
    ):
        done = jevdb(warehouse_path, *BOARD, "--rank-reported", "--format", form)
        assert line in done.stdout
        assert "no interval, and nobody leads" in done.stdout + done.stderr
    # Without the number they stand below, and the board says who leads as ever.
    by_c = jevdb(
        *(warehouse_path, *BOARD, "--rank-reported", "--by", "coverage"),
        *("--format", "json"),
    )
    ours, theirs = json.loads(by_c.stdout)
    # One run alone leads nobody.
    assert (ours["rank"], ours["title"], ours["leading_set"]) == (1, None, True)
    assert (theirs["rank"], theirs["origin"]) == (None, "reported")
    assert "no published result of board has coverage" in by_c.stderr


@pytest.mark.parametrize("some", [("--row", "overall"), ("--modality", "text")])
def test_published_numbers_of_all_rows_are_not_ranked_among_some(
    warehouse_path: Path, some: tuple[str, str]
):
    with open_to_fill(warehouse_path) as connection:
        store(connection, ours=answers(64, 80))
    done = jevdb(warehouse_path, *BOARD, "--rank-reported", *some)
    assert done.exit_code == 2
    assert "published numbers are of all rows" in done.stderr


def test_as_of_knows_only_the_items_of_then(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        store(connection, early=answers(40, 80))
        before = connection.execute("select max(seq) from ingests").fetchall()[0][0]
        seq = next_seq(connection, "items")
        added = [
            {
                **{"benchmark_id": "board", "item_id": f"late {i}", "type": "choice"},
                **{"modality": "text", "options": ["a", "b"], "seq": seq},
            }
            for i in range(20)
        ]
        insert(connection, "items", added)
        golds = [
            {
                **{"benchmark_id": "board", "item_id": item["item_id"], "seq": seq},
                **{"gold_revision": 1, "label_index": 0},
            }
            for item in added
        ]
        insert(connection, "golds", golds)
    [now] = rows_of(warehouse_path, *BOARD)
    [then] = rows_of(warehouse_path, *BOARD, "--as-of", str(before))
    assert (now["coverage"], now["n"]) == (0.8, 80)
    assert (then["coverage"], then["n"]) == (1.0, 80)


@pytest.mark.parametrize(
    ("right", "of_five", "titles"),
    [
        # Differences of 0.6 and -0.4, 20 each: 0.1 +- t(39) 0.0875, not resolved.
        (20, 3, ["joint leader", "joint leader"]),
        # 36 of 0.8 and 4 of -0.2: 0.7, and sqrt(V) = 0.059.
        (4, 4, ["#1", None]),
    ],
)
def test_runs_with_other_numbers_of_repeats(
    warehouse_path: Path, right: int, of_five: int, titles: list[str | None]
):
    """One run asks an item once, the other five times: means of items are paired."""
    names = [f"{i:02d}" for i in range(40)]
    items = [
        {"item_id": name, "type": "noul", "options": ["no", "yes"], "gold": "yes"}
        for name in names
    ]

    def answer(is_right: bool) -> str:
        return "yes" if is_right else "no"

    with open_to_fill(warehouse_path) as connection:
        add_benchmark(connection, items, benchmark_id="b")
        once = [
            {"item_id": name, "answer": answer(i < right)}
            for i, name in enumerate(names)
        ]
        add_run(connection, "b", once, model="once")
        often = [
            {"item_id": name, "repeat": k, "answer": answer(k < of_five)}
            for name in names
            for k in range(5)
        ]
        add_run(connection, "b", often, model="often", repeats=5)
    board = rows_of(warehouse_path, "leaderboard", "--metric", "accuracy")
    assert board == rows_of(warehouse_path, "leaderboard", "--by", "accuracy")
    assert [row["model"] for row in board] == ["often", "once"]
    assert [row["title"] for row in board] == titles
    line = rows_of(warehouse_path, "compare", "once", "often")[0]
    assert (line["test"], line["verdict"] == "better") == ("t", titles[0] == "#1")
    # V = s^2 / 40 + 2 / 40^2, s^2 of the forty differences.
    gaps = [of_five / 5 - (i < right) for i in range(40)]
    middle = sum(gaps) / 40
    squares = sum((gap - middle) ** 2 for gap in gaps) / 39
    assert line["se"] == pytest.approx((squares / 40 + 2 / 1600) ** 0.5, rel=1e-9)
