"""Every check finds its fault, and nothing in a warehouse made by the commands."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from building import (
    add_benchmark,
    add_gold_revision,
    add_run,
    insert,
    next_seq,
)
from commandline import ANSWERS, ITEMS, add_event, add_small_benchmark, jevdb, rows_of
from making import copied

from jevdb.base.connection import Connection
from jevdb.warehouse.checks import Shortfall, check_names, faults, shortfalls
from jevdb.warehouse.database import open_reader, open_writer
from jevdb.warehouse.schema import metadata

OK = {"status": "ok", "renormalized": False, "answer_mismatch": False, "attempts": 1}


def predict(
    connection: Connection, run_id: str, item_id: str, **columns: object
) -> None:
    row = {"run_id": run_id, "item_id": item_id, **OK, **columns}
    insert(connection, "predictions", [row])


def orphan_run(connection: Connection) -> str:
    run_id = add_run(connection, "small", [], model="m")
    connection.execute(
        "insert into runs select * replace ('other' as run_id, 'none' as model_id) "
        f"from runs where run_id = '{run_id}'"
    )
    return "run other: no model none"


def orphan_run_of_no_benchmark(connection: Connection) -> str:
    run_id = add_run(connection, "small", [], model="m")
    connection.execute(
        "insert into runs select * replace ('other' as run_id, 'none' as benchmark_id) "
        f"from runs where run_id = '{run_id}'"
    )
    return "run other: no benchmark none"


def orphan_prediction(connection: Connection) -> str:
    predict(connection, "none", "c1")
    return "run none, item c1: no such run"


def prediction_of_no_item(connection: Connection) -> str:
    run_id = add_run(connection, "small", [], model="m")
    predict(connection, run_id, "c9", label_index=0)
    return f"run {run_id}, item c9: no such item in small"


def settings_in_a_list(connection: Connection) -> str:
    run_id = add_run(connection, "small", [], model="m")
    connection.execute("update runs set settings = '[1]'")
    return f"runs.settings of run {run_id}: array where object belongs"


def files_in_an_object(connection: Connection) -> str:
    run_id = add_run(connection, "small", [], model="m")
    connection.execute("update runs set source_files = '{}'")
    return f"runs.source_files of run {run_id}: object where array belongs"


def orphan_gold(connection: Connection) -> str:
    row = {"benchmark_id": "small", "gold_revision": 1, "item_id": "c9"}
    insert(connection, "golds", [{**row, "label_index": 0, "seq": 1}])
    return "benchmark small, item c9: no such item"


def gold_of_no_revision(connection: Connection) -> str:
    row = {"benchmark_id": "small", "gold_revision": 2, "item_id": "c1"}
    insert(connection, "golds", [{**row, "label_index": 0, "seq": 1}])
    return "benchmark small, item c1: no gold revision 2"


def orphan_item(connection: Connection) -> str:
    insert(connection, "items", [item_row("x", benchmark_id="none")])
    return "benchmark none: 1 items of an unknown benchmark"


def orphan_look(connection: Connection) -> str:
    row = {"seq": 1, "approval": 0, "run_id": "none", "report_row": "overall"}
    asked = {"method_id": "metrics-md", "require": "not-worse", "look": 1}
    insert(connection, "gate_looks", [{**row, **asked, "metrics": ["accuracy"]}])
    return "look at sequence 1: no run none"


def look_at_no_approval(connection: Connection) -> str:
    """Its run is there, and an event at the sequence that it names: another one."""
    run_id = add_run(connection, "small", [], model="m")
    add_event(connection, run_id, "withdrawn")
    [(seq,)] = connection.execute("select max(seq) from run_events").fetchall()
    row = {"seq": seq, "approval": seq, "run_id": run_id, "report_row": "overall"}
    asked = {"method_id": "metrics-md", "require": "not-worse", "look": 1}
    insert(connection, "gate_looks", [{**row, **asked, "metrics": ["accuracy"]}])
    return f"look at sequence {seq}: no baseline was approved at sequence {seq}"


def orphan_event(connection: Connection) -> str:
    add_event(connection, "none", "withdrawn")
    return "run none: withdrawn at sequence 2: no such run"


def orphan_reported_metric(connection: Connection) -> str:
    row = {"result_sha256": "none", "view": "all", "metric": "accuracy"}
    told = {"n": 4, "definition": "share", "is_partial": False}
    insert(connection, "reported_metrics", [{**row, **told, "value": 0.5}])
    return "result none: no such result, but its accuracy in view all"


def orphan_reject(connection: Connection) -> str:
    row = {"ingest_id": "none", "source_file": "x.jsonl", "line": 3, "reason": "odd"}
    insert(connection, "rejects", [row])
    return "ingest none: 1 refused lines of an unknown ingest"


def wrong_snapshot(connection: Connection) -> str:
    row = {"name": "march", "content": "", "content_sha256": "0" * 64, "seq": 1}
    insert(connection, "snapshots", [row])
    # The SHA-256 of no bytes, FIPS 180-4.
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    return f"snapshot march: content_sha256 {'0' * 64}, its bytes give {empty}"


def store_suite(connection: Connection, document: str) -> None:
    digest = hashlib.sha256(document.encode()).hexdigest()
    row = {"suite": "s", "version": "1", "document": document, "seq": 1}
    insert(connection, "suites", [{**row, "sha256": digest}])


def wrong_suite(connection: Connection) -> str:
    store_suite(connection, '{"name":"s","version":"1"}')
    connection.execute("update suites set sha256 = 'x'")
    found = hashlib.sha256(b'{"name":"s","version":"1"}').hexdigest()
    return f"suite s@1: sha256 x, its document gives {found}"


def suite_of_another_name(connection: Connection) -> str:
    store_suite(connection, '{"name":"s","version":"2"}')
    return "suite s@1: its document is of another suite"


def wrong_edition(connection: Connection) -> str:
    digest = hashlib.sha256(b"{}").hexdigest()
    row = {"name": "may", "document": "{}", "document_sha256": digest, "seq": 1}
    insert(connection, "editions", [{**row, "content": "{}", "content_sha256": "x"}])
    return f"edition may: content_sha256 x, its bytes give {digest}"


def item_without_gold(connection: Connection) -> str:
    insert(connection, "items", [item_row("x")])
    return "benchmark small, item x: no gold in any revision"


def unscoped_item(connection: Connection) -> str:
    add_benchmark(connection, ITEMS[:1], scoring="odd", benchmark_id="odd")
    return "benchmark odd: 1 items are in no report row of odd"


def item_row(item_id: str, **columns: object) -> dict[str, object]:
    return {
        **{"benchmark_id": "small", "item_id": item_id, "type": "choice"},
        **{"modality": "text", "options": ["a", "b"], "seq": 1},
        **columns,
    }


def bad_item(**columns: object) -> Callable[[Connection], str]:
    def store(connection: Connection) -> str:
        row = item_row("x", **columns)
        insert(connection, "items", [row])
        options = json.dumps(row["options"], separators=(",", ":"))
        return f"benchmark small, item x: {row['type']} with options {options}"

    return store


def bad_gold(
    fault: str, options: list[str] | None = None, **columns: object
) -> Callable[[Connection], str]:
    def store(connection: Connection) -> str:
        kind = columns.pop("type", "choice")
        names = options or ["a", "b"]
        insert(connection, "items", [item_row("x", type=kind, options=names)])
        gold = {"benchmark_id": "small", "gold_revision": 1, "item_id": "x", "seq": 1}
        insert(connection, "golds", [{**gold, **columns}])
        return (
            f"benchmark small, item x: gold revision 1 has {fault} for "
            f"{len(names)} options"
        )

    return store


def bad_prediction(
    item_id: str, fault: str, **columns: object
) -> Callable[[Connection], str]:
    def store(connection: Connection) -> str:
        run_id = add_run(connection, "small", [], model="m")
        predict(connection, run_id, item_id, **columns)
        return f"run {run_id}, item {item_id}: {fault}"

    return store


def answer_to_unsupported(connection: Connection) -> str:
    run_id = add_run(
        connection, "small", ANSWERS, model="m", unsupported=["score", "multi_select"]
    )
    return f"run {run_id}: 1 answers to score items, declared unsupported"


def duplicate_name(connection: Connection) -> str:
    ids = [add_run(connection, "small", [], model="m", revision="r") for _ in range(2)]
    return f"benchmark small, model m@r: runs {', '.join(sorted(ids))}"


def wrong_counts(connection: Connection) -> str:
    run_id = add_run(connection, "small", ANSWERS[:2], model="m")
    predict(connection, run_id, "n1", label_index=0)
    return (
        f"run {run_id}: stored 2/0/0/0 rows ok/invalid/unsupported/error, there are "
        + ("3/0/0/0")
    )


def wrong_digest(connection: Connection) -> str:
    run_id = add_run(connection, "small", ANSWERS, model="m")
    found = connection.execute(
        "select digest_of(prediction_digest(item_id, status, reason, label_index, "
        "labels, level, probabilities, returned, step_probabilities, latency_s, "
        "input_tokens, output_tokens, cost_usd, error, meta), item_id) from predictions"
    ).fetchall()[0][0]
    return f"run {run_id}: rows_sha256 rows of {run_id}, its rows give {found}"


def wrong_ingest_digest(connection: Connection) -> str:
    connection.execute(
        "insert into ingests select max(seq) + 1, 'x', max(ingested_at), 'items', "
        "'test', repeat('0', 64) from ingests"
    )
    return f"ingest 2: content_sha256 {'0' * 64}, what it stored as items gives none"


def unasked_repeat(connection: Connection) -> str:
    run_id = add_run(connection, "small", ANSWERS[:1], model="m")
    predict(connection, run_id, "c1", label_index=0, repeat=1)
    return f"run {run_id}: a prediction of repeat 1, of 1"


def never_asked(connection: Connection) -> str:
    run_id = add_run(connection, "small", [], model="m")
    connection.execute("update runs set n_repeats = 0")
    return f"run {run_id}: asked 0 times"


def answered_twice(connection: Connection) -> str:
    """No key refuses it."""
    run_id = add_run(connection, "small", [], model="m")
    connection.execute("update runs set n_repeats = 2")
    for label in (0, 1):
        predict(connection, run_id, "c1", label_index=label, repeat=1)
    return f"run {run_id}, item c1: 2 predictions of repeat 1"


def twice(table: str, subject: str, words: str) -> Callable[[Connection], str]:
    """A primary key refuses it; a table in its place, as views see it, does not."""

    def store(connection: Connection) -> str:
        add_run(connection, "small", ANSWERS, model="m", run_id="r")
        connection.execute(
            f"create temp table {table} as from main.{table} "
            f"union all from main.{table}"
        )
        return f"{subject}: {words}"

    return store


def gap(connection: Connection) -> str:
    connection.execute(
        "insert into ingests select seq + 2, 'x', ingested_at, kind, 'test', null "
        "from ingests where seq = (select max(seq) from ingests)"
    )
    return "ingest 3: follows 1"


def backwards(connection: Connection) -> str:
    connection.execute(
        "insert into ingests values (2, 'x', '1999-01-01', 'event', 'test', null)"
    )
    return "ingest 2: its time is before that of the ingest before"


def unrecorded(connection: Connection) -> str:
    insert(connection, "items", [item_row("x", seq=7)])
    return "ingest 7: not recorded, but has rows in items"


CASES = [
    ("orphan_runs", orphan_run),
    ("orphan_runs", orphan_run_of_no_benchmark),
    ("orphan_predictions", orphan_prediction),
    ("orphan_predictions", prediction_of_no_item),
    ("orphan_golds", orphan_gold),
    ("orphan_golds", gold_of_no_revision),
    ("orphan_items", orphan_item),
    ("orphan_events", orphan_event),
    ("orphan_looks", orphan_look),
    ("orphan_looks", look_at_no_approval),
    ("orphan_reported_metrics", orphan_reported_metric),
    ("orphan_rejects", orphan_reject),
    ("wrong_snapshots", wrong_snapshot),
    ("wrong_suites", wrong_suite),
    ("wrong_suites", suite_of_another_name),
    ("wrong_suites", wrong_edition),
    ("items_without_gold", item_without_gold),
    ("unscoped_items", unscoped_item),
    ("improper_items", bad_item(options=["a"])),
    ("improper_items", bad_item(options=["a", "a"])),
    ("improper_items", bad_item(type="noul", options=["yes", "no"])),
    ("improper_golds", bad_gold("label 2", label_index=2)),
    ("improper_golds", bad_gold("no label", labels=["a"])),
    (
        "improper_golds",
        bad_gold("no set of labels", type="multi_select", label_index=0),
    ),
    ("improper_golds", bad_gold('labels ["z"]', type="multi_select", labels=["z"])),
    (
        "improper_golds",
        bad_gold("3 reference values", label_index=0, reference=[1, 0, 0]),
    ),
    (
        "improper_golds",
        bad_gold("a null reference value", label_index=0, reference=[1, None]),
    ),
    (
        "improper_golds",
        bad_gold(
            "a reference value outside 0..1", label_index=0, reference=[1.5, -0.5]
        ),
    ),
    (
        "improper_golds",
        bad_gold("a reference that sums to 0.75", label_index=0, reference=[0.5, 0.25]),
    ),
    (
        "improper_probabilities",
        bad_prediction("c1", "3 values for 2 options", probabilities=[0.5, 0.25, 0.25]),
    ),
    (
        "improper_probabilities",
        bad_prediction("c1", "a null value", probabilities=[1.0, None]),
    ),
    (
        "improper_probabilities",
        bad_prediction(
            "c1", "ok with a value outside 0..1", probabilities=[1.25, -0.25]
        ),
    ),
    (
        "improper_probabilities",
        bad_prediction(
            "c1", "ok with a sum that is off by 0.25", probabilities=[0.5, 0.25]
        ),
    ),
    (
        "improper_probabilities",
        bad_prediction(
            "c1",
            "flag renormalized wrong for a sum that is off by 0.015625",
            probabilities=[0.5, 0.484375],
        ),
    ),
    (
        "improper_probabilities",
        bad_prediction(
            "c1",
            "flagged renormalized without a scored distribution",
            **{"renormalized": True, "label_index": 0},
        ),
    ),
    (
        "improper_answers",
        bad_prediction("c1", "label 2 of 2 options", label_index=2),
    ),
    (
        "improper_answers",
        bad_prediction("s1", "level 2.5 of 3 levels", level=2.5),
    ),
    (
        "improper_answers",
        bad_prediction("c1", "a level, but no score item", level=1.0),
    ),
    (
        "improper_answers",
        bad_prediction("c1", 'labels that are no options: ["z"]', labels=["z"]),
    ),
    (
        "improper_answers",
        bad_prediction("c1", "ok without an answer or a distribution"),
    ),
    ("answers_to_unsupported_types", answer_to_unsupported),
    ("duplicate_run_names", duplicate_name),
    ("wrong_row_counts", wrong_counts),
    ("wrong_run_digests", wrong_digest),
    ("wrong_ingest_digests", wrong_ingest_digest),
    ("duplicate_keys", twice("items", "benchmark small, item c1", "2 items")),
    (
        "duplicate_keys",
        twice("golds", "benchmark small, item c1", "2 golds in revision 1"),
    ),
    ("duplicate_keys", twice("predictions", "run r, item c1", "2 predictions")),
    ("duplicate_keys", answered_twice),
    ("improper_repeats", unasked_repeat),
    ("improper_repeats", never_asked),
    ("improper_documents", settings_in_a_list),
    ("improper_documents", files_in_an_object),
    ("duplicate_keys", twice("runs", "run r", "2 runs")),
    ("duplicate_keys", twice("models", "model id of m None", "2 models")),
    ("duplicate_keys", twice("benchmarks", "benchmark small", "2 benchmarks")),
    ("sequence_faults", gap),
    ("sequence_faults", backwards),
    ("sequence_faults", unrecorded),
]


@pytest.fixture
def small(warehouse: Connection) -> Connection:
    add_small_benchmark(warehouse)
    return warehouse


@pytest.mark.parametrize(
    ("check", "damage"), CASES, ids=[f"{i}-{name}" for i, (name, _) in enumerate(CASES)]
)
def test_a_check_finds_its_fault(
    small: Connection, check: str, damage: Callable[[Connection], str]
):
    assert faults(small, check) == []
    expected = damage(small)
    assert expected in [
        f"{fault.subject}: {fault.detail}" for fault in faults(small, check)
    ]


def test_nan_is_no_probability(small: Connection):
    run_id = add_run(small, "small", ANSWERS[:1], model="m")
    small.execute("update predictions set probabilities = ['nan'::double, 1.0]")
    small.execute(
        "update golds set reference = ['nan'::double, 1.0] where item_id = 'c1'"
    )
    (fault,) = faults(small, "improper_probabilities")
    assert (fault.subject, fault.detail) == (
        f"run {run_id}, item c1",
        "ok with a value outside 0..1",
    )
    (fault,) = faults(small, "improper_golds")
    assert "a reference value outside 0..1" in fault.detail


BY_DIGEST = {"wrong_ingest_digests", "wrong_run_digests"}
"""These ask for digests, which the builders of tests do not make."""


def test_nothing_is_found_where_everything_is_at_its_bounds(warehouse: Connection):
    """Two benchmarks whose items have the same ids and other types, and a run of each.

    Levels, labels and references are at the ends of what they may be; a type declared
    unsupported is answered as that in one run, and for good in the other.
    """
    first = [
        {"item_id": "x", "type": "choice", "options": ["a", "b"], "gold": "b"},
        {"item_id": "y", "type": "score", "options": ["p", "q", "r"], "gold": 2},
        {
            **{"item_id": "z", "type": "multi_select", "options": ["a", "b", "c"]},
            "gold": ["c"],
        },
    ]
    first[0]["reference"] = [0.0, 1.0]
    first[1]["reference"] = [0.5, 0.5, 0.0000005]
    second = [
        {"item_id": "x", "type": "score", "options": ["p", "q"], "gold": 0},
        {"item_id": "y", "type": "noul", "gold": "yes"},
        {
            "item_id": "z",
            "type": "choice",
            "options": ["a", "b", "c", "d"],
            "gold": "d",
        },
    ]
    one = add_benchmark(warehouse, first, benchmark_id="one")
    two = add_benchmark(warehouse, second, benchmark_id="two")
    add_gold_revision(warehouse, "two", 2, [{**second[2], "gold": "a"}])
    answers = [
        {"item_id": "x", "answer": "b", "probabilities": [0.0, 1.0]},
        {"item_id": "y", "answer": 2.0},
        {"item_id": "z", "answer": ["a", "c"]},
    ]
    others = [
        {"item_id": "x", "answer": 0.0},
        {"item_id": "y", "answer": "no"},
        {"item_id": "z", "status": "unsupported"},
    ]
    of_one = add_run(warehouse, one, answers, model="m")
    add_run(warehouse, one, answers[:1], model="m", label="l")
    add_run(warehouse, one, answers[:1], model="m", revision="r")
    of_two = add_run(warehouse, two, others, model="m", unsupported=["choice"])
    add_event(warehouse, of_two, "baseline_set")
    [(seq,)] = warehouse.execute("select max(seq) from run_events").fetchall()
    asked = {"method_id": "metrics-md", "require": "not-worse", "look": 1}
    row = {"seq": seq, "approval": seq, "run_id": of_one, "report_row": "overall"}
    insert(warehouse, "gate_looks", [{**row, **asked, "metrics": ["accuracy"]}])
    found = {
        check: faults(warehouse, check)
        for check in check_names()
        if check not in BY_DIGEST
    }
    assert {check: each for check, each in found.items() if each} == {}


@pytest.mark.parametrize(
    ("item_id", "columns", "fault"),
    [
        ("s1", {"level": 0.0}, None),
        ("s1", {"level": 2.0}, None),
        ("s1", {"level": -0.25}, "level -0.25 of 3 levels"),
        ("s1", {"level": 2.25}, "level 2.25 of 3 levels"),
        ("s1", {"level": float("nan")}, "level nan of 3 levels"),
        ("c1", {"label_index": 0}, None),
        ("c1", {"label_index": 1}, None),
        ("c1", {"label_index": 2}, "label 2 of 2 options"),
        ("c1", {"probabilities": [1.0, 0.0]}, None),
        ("c1", {"status": "invalid"}, None),
        ("c1", {"status": "error"}, None),
    ],
)
def test_the_bounds_of_an_answer(
    small: Connection, item_id: str, columns: dict[str, object], fault: str | None
):
    run_id = add_run(small, "small", [], model="m")
    predict(small, run_id, item_id, **columns)
    told = [each.detail for each in faults(small, "improper_answers")]
    assert told == ([] if fault is None else [fault])


@pytest.mark.parametrize(
    ("columns", "fault"),
    [
        ({"label_index": 1}, None),
        ({"label_index": 2}, "label 2"),
        ({"label_index": 0, "reference": [0.5, 0.5000009]}, None),
        (
            {"label_index": 0, "reference": [0.5, 0.5000011]},
            "a reference that sums to 1.0000011",
        ),
        (
            {"label_index": 0, "reference": [0.5, 0.4999989]},
            "a reference that sums to 0.9999989",
        ),
        ({"label_index": 0, "reference": [1.0, 0.0]}, None),
        (
            {"label_index": 0, "reference": [-0.0000005, 1.0]},
            "a reference value outside 0..1",
        ),
        (
            {"label_index": 0, "reference": [0.0, 1.0000005]},
            "a reference value outside 0..1",
        ),
        ({"label_index": 0, "reference": [1.0]}, "1 reference values"),
    ],
)
def test_the_bounds_of_a_gold(
    small: Connection, columns: dict[str, object], fault: str | None
):
    row = {"benchmark_id": "small", "gold_revision": 2, "item_id": "c1", "seq": 1}
    insert(small, "golds", [{**row, **columns}])
    told = [each.detail for each in faults(small, "improper_golds")]
    expected = f"gold revision 2 has {fault} for 2 options"
    assert told == ([] if fault is None else [expected])


CHOICE_OF_TWO = [
    # 1 is the sum; up to 0.001 off it is as it is, up to 0.02 it is renormalised.
    ([0.5, 0.5], False, None),
    ([0.5, 0.5], True, "flag renormalized wrong"),
    ([0.5, 0.501], False, None),
    # Sums of doubles are off by less than 1e-9, and no more is forgiven.
    ([0.5, 0.5010000005], False, None),
    ([0.5, 0.5010000015], False, "flag renormalized wrong"),
    ([0.5, 0.5200000005], True, None),
    ([0.5, 0.5200000015], True, "ok with a sum that is off by"),
    ([0.5, 0.4985], False, "flag renormalized wrong"),
    ([0.5, 0.4985], True, None),
    ([0.5, 0.5015], False, "flag renormalized wrong"),
    ([0.5, 0.52], True, None),
    ([0.5, 0.48], True, None),
    ([0.5, 0.521], True, "ok with a sum that is off by"),
    ([0.5, 0.55], True, "ok with a sum that is off by"),
    ([0.5, 0.45], True, "ok with a sum that is off by"),
    ([1.01, 0.0], True, "ok with a value outside 0..1"),
    ([-0.01, 1.0], True, "ok with a value outside 0..1"),
    ([0.0, 1.0], False, None),
    ([0.5, None], False, "a null value"),
    ([0.5, 0.25, 0.25], False, "3 values for 2 options"),
    ([1.0], False, "1 values for 2 options"),
    (None, True, "flagged renormalized without a scored distribution"),
]


@pytest.mark.parametrize(("values", "flag", "fault"), CHOICE_OF_TWO)
def test_what_a_stored_distribution_may_be(
    small: Connection, values: list[float] | None, flag: bool, fault: str | None
):
    run_id = add_run(small, "small", [], model="m")
    predict(small, run_id, "c1", label_index=0, probabilities=values, renormalized=flag)
    found = faults(small, "improper_probabilities")
    if fault is None:
        assert found == []
    else:
        [only] = found
        assert only.subject == f"run {run_id}, item c1"
        assert only.detail.startswith(fault)


@pytest.mark.parametrize("status", ["invalid", "error", "unsupported"])
def test_what_is_not_scored_may_sum_to_anything_but_not_be_renormalised(
    small: Connection, status: str
):
    run_id = add_run(small, "small", [], model="m")
    predict(small, run_id, "c1", status=status, probabilities=[0.5, 2.0])
    assert faults(small, "improper_probabilities") == []
    predict(
        small, run_id, "c2", status=status, probabilities=[1.0, 0.0], renormalized=True
    )
    [only] = faults(small, "improper_probabilities")
    assert only.detail == "flagged renormalized without a scored distribution"


NUMBERED = [
    name
    for name, table in metadata.tables.items()
    if "seq" in table.columns and name != "ingests"
]


@pytest.mark.parametrize("table", NUMBERED)
def test_a_row_of_any_table_of_an_ingest_that_is_not_there(
    warehouse: Connection, table: str
):
    """Every table that has the number of an ingest is looked through."""
    assert faults(warehouse, "sequence_faults") == []
    # A shadow of the table has no constraint that a row of nothing else would break.
    warehouse.execute(f"create temp table {table} as from {table} limit 0")
    warehouse.execute(f"insert into temp.{table} (seq) values (999)")
    [only] = faults(warehouse, "sequence_faults")
    assert only.subject == "ingest 999"
    assert only.detail == f"not recorded, but has rows in {table}"


def test_every_check_is_tried():
    assert {name for name, _ in CASES} == set(check_names())


def test_a_superseded_run_holds_no_name(small: Connection):
    first, _ = (add_run(small, "small", [], model="m") for _ in range(2))
    add_event(small, first, "superseded")
    assert faults(small, "duplicate_run_names") == []


@pytest.fixture(scope="module")
def made_by_commands(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse made by the commands: rows of every kind, and events."""
    tmp_path = tmp_path_factory.mktemp("checks")
    warehouse_path = tmp_path / "warehouse.duckdb"
    copied(template, warehouse_path)
    dice = random.Random(3)
    items, rows = tmp_path / "items.jsonl", tmp_path / "rows.jsonl"
    items.write_text("".join(f"{json.dumps(item)}\n" for item in ITEMS))
    records = [
        {"item_id": "c1", "probabilities": {"a": 0.49, "b": 0.49}},
        {"item_id": "c2", "probabilities": {"a": 0.5, "z": 0.5}},
        {"item_id": "n1", "status": "error", "error": "timeout"},
        {"item_id": "s1", "answer": 1.5},
    ]
    rows.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    jevdb(warehouse_path, "ingest", "items", str(items), "--benchmark", "small")
    for model in dice.sample(["a", "b", "c"], 3):
        named = ("--benchmark", "small", "--model", model)
        result = jevdb(warehouse_path, "ingest", "run", str(rows), *named)
        assert result.exit_code == 0, result.stderr
    jevdb(warehouse_path, "runs", "withdraw", "a", "--reason", "test")
    jevdb(warehouse_path, "runs", "relabel", "b", "new")
    return warehouse_path


@pytest.fixture
def ingested(made_by_commands: Path, warehouse_path: Path) -> Path:
    """A copy of it, of the test's own."""
    return copied(made_by_commands, warehouse_path)


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.long)])
def test_a_flipped_byte_is_found_or_changes_nothing(ingested: Path, step: int):
    """In each of DuckDB's three headers, and in every so many of the blocks after."""
    assert jevdb(ingested, "compact").exit_code == 0
    whole, before = ingested.read_bytes(), jevdb(ingested, "report").stdout
    assert before
    first_block, size = 3 * 4096, 262_144
    headers = range(0, first_block, 4096)
    blocks = range(first_block, len(whole), size * step)
    n_found = 0
    for place in (*headers, *blocks):
        damaged = bytearray(whole)
        damaged[place + 2000] ^= 0xFF
        ingested.write_bytes(damaged)
        checked = jevdb(ingested, "check")
        if checked.exit_code == 0:
            assert jevdb(ingested, "report").stdout == before
            continue
        n_found += 1
        assert (checked.exit_code, checked.stdout) == (1, "")
        (line,) = checked.stderr.splitlines()
        assert line.startswith(f"error: {ingested}: damaged: ")
        assert line.endswith("`jevdb --db NEW restore BUNDLE`")
    assert n_found > len(headers)


def test_what_the_commands_store_is_whole(ingested: Path):
    with open_reader(ingested) as connection:
        found = {name: faults(connection, name) for name in check_names()}
    assert found == {name: [] for name in check_names()}
    result = jevdb(ingested, "check")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"{len(check_names())} checks, no faults\n"
    assert rows_of(ingested, "check") == []


def test_a_changed_value_breaks_the_digest(ingested: Path):
    with open_writer(ingested) as connection:
        connection.execute("update predictions set latency_s = 1 where item_id = 'c1'")
    found = rows_of_failing(ingested)
    assert {row["check"] for row in found} == {"wrong_run_digests"}
    assert len(found) == 3


@pytest.mark.parametrize(
    "change",
    [
        "update items set family = 'other' where item_id = 'c1'",
        "update items set meta = '{}' where item_id = 'c1'",
        "update golds set label_index = 1 where item_id = 'c1'",
        "update golds set reference = [0.5, 0.5] where item_id = 'c2'",
        "delete from golds where item_id = 's1'",
    ],
)
def test_a_changed_item_or_gold_breaks_the_digest(ingested: Path, change: str):
    with open_writer(ingested) as connection:
        connection.execute(change)
    found = rows_of_failing(ingested)
    assert ("wrong_ingest_digests", "ingest 1") in {
        (row["check"], row["subject"]) for row in found
    }


@pytest.mark.parametrize(
    ("change", "seq"),
    [
        ("update runs set run_id = 'other' where seq = 2", 2),
        ("update snapshots set content = 'x', content_sha256 = sha256('x')", 7),
    ],
)
def test_a_changed_id_or_export_breaks_the_digest(
    ingested: Path, tmp_path: Path, change: str, seq: int
):
    out = ("--out", str(tmp_path / "e.json"), "--snapshot", "march")
    assert jevdb(ingested, "export", *out).exit_code == 0
    with open_writer(ingested) as connection:
        connection.execute(change)
    found = [row for row in rows_of_failing(ingested) if row["check"].startswith("wr")]
    assert f"ingest {seq}" in {row["subject"] for row in found}


def test_corrected_gold_and_added_items_keep_their_digests(
    ingested: Path, tmp_path: Path
):
    """Each ingest of items stands for what it stored, not for what came before."""
    changed = tmp_path / "changed.jsonl"
    new = {**ITEMS[0], "item_id": "c3"}
    items = [{**ITEMS[0], "gold": "b"}, *ITEMS[1:], new]
    changed.write_text("".join(f"{json.dumps(item)}\n" for item in items))
    result = jevdb(
        *(ingested, "ingest", "items", str(changed), "--benchmark", "small"),
        *("--revise", "--reason", "test"),
    )
    assert result.exit_code == 0, result.stderr
    assert jevdb(ingested, "check").exit_code == 0


def rows_of_failing(path: Path) -> list[dict[str, str]]:
    result = jevdb(path, "check", "--format", "json")
    assert result.exit_code == 1
    return json.loads(result.stdout)


def test_faults_are_listed_counted_and_end_with_exit_1(ingested: Path):
    with open_writer(ingested) as connection:
        for number in range(12):
            predict(connection, "none", f"x{number:02}")
    result = jevdb(ingested, "check")
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["check", "subject", "detail"]
    assert len(lines) == 11, "the first ten of a check"
    assert "run none, item x00" in lines[1]
    assert "error: faults found: orphan_predictions 12\n" in result.stderr


def test_missing_items_of_a_seeded_benchmark_are_a_note(warehouse_path: Path):
    with open_writer(warehouse_path) as connection:
        seq = next_seq(connection, "items")
        benchmark = {"benchmark_id": "cmdb-1500", "seq": seq}
        insert(connection, "gold_revisions", [{**benchmark, "gold_revision": 1}])
        insert(connection, "items", [item_row("c1", **benchmark)])
        gold = {**benchmark, "gold_revision": 1, "item_id": "c1", "label_index": 0}
        insert(connection, "golds", [gold])
        notes = shortfalls(connection)
    assert Shortfall("cmdb-1500", "text", "tvd", "all", 0, 47) in notes
    result = jevdb(warehouse_path, "check")
    assert result.exit_code == 0
    assert "incomplete: cmdb-1500: tvd of overall has 0 of 67 items\n" in result.stderr
    assert "incomplete: cmdb-1500: all of text has 1 of 1200 items\n" in result.stderr
    assert "decision-bench" not in result.stderr, "a benchmark without items"


@pytest.mark.parametrize(("n", "noted"), [(0, None), (2, 2), (3, None), (4, 4)])
def test_too_few_and_too_many_items_of_a_counted_benchmark(
    warehouse: Connection, n: int, noted: int | None
):
    """Of a benchmark whose publisher says that it has three."""
    add_benchmark(
        warehouse,
        [{**ITEMS[0], "item_id": f"c{number}"} for number in range(n)],
        benchmark_id="three",
    )
    seq = next_seq(warehouse, "items")
    counted = {"benchmark_id": "three", "report_row": "overall", "subset": "all"}
    insert(
        warehouse,
        "report_rows",
        [{**counted, "kind": "choice", "n_expected": 3, "seq": seq}],
    )
    expected = (
        []
        if noted is None
        else [Shortfall("three", "overall", "all", "choice", noted, 3)]
    )
    assert shortfalls(warehouse) == expected
