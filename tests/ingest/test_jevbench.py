"""JevBench's layouts, and the real runs."""

from __future__ import annotations

import json

import pytest

from jevdb.base.errors import InputError
from jevdb.ingest import ItemsOptions, Model, RunOptions, ingest_items, ingest_run
from jevdb.ingest.reading_options import ReadingOptions
from jevdb.warehouse.assets import asset_folder

DATA = asset_folder("seeds") / "demo" / "jevbench"
DE_1 = [DATA / "de-1" / f"{tier}.jsonl" for tier in ("easy", "standard", "hard")]
GAVEL = DATA / "gavel-decide-4b" / "public_231_results.jsonl"
BENCHMARK = "jevbench-public-231"


@pytest.fixture
def jevbench(warehouse):
    path = DATA / "public_231.items.jsonl"
    summary = ingest_items(warehouse, [path], ItemsOptions(BENCHMARK))
    assert (summary.new, summary.scoring) == (231, "jevbench")
    assert not summary.is_created
    return warehouse


def real_run(connection, paths, model):
    return ingest_run(connection, paths, RunOptions(BENCHMARK, Model(model)))


@pytest.mark.parametrize(("model", "paths"), [("de-1", DE_1), ("gavel", [GAVEL])])
def test_real_runs_are_whole_and_judged_as_their_authors_did(jevbench, model, paths):
    summary = real_run(jevbench, paths, model)
    assert (summary.expected, summary.read, summary.ok) == (231, 231, 231)
    assert (summary.missing, summary.renormalized, summary.mismatched) == (0, 0, 0)
    # Every row says whether it is correct, and it is so by our rules too.
    assert summary.disagreements == 0


def test_de_1_counts_by_tier(jevbench):
    real_run(jevbench, DE_1, "de-1")
    # As published: 48 of 48 easy, 71 of 72 standard, 72 of 111 hard.
    assert jevbench.execute(
        "select tier, count(*) filter (where is_right), count(*) from scored "
        "group by tier order by tier"
    ).fetchall() == [("easy", 48, 48), ("hard", 72, 111), ("standard", 71, 72)]


def test_gavel_counts_by_type(jevbench):
    real_run(jevbench, [GAVEL], "gavel")
    assert jevbench.execute(
        "select type, count(*) filter (where is_right), count(*) from scored "
        "group by type order by type"
    ).fetchall() == [("choice", 107, 139), ("noul", 63, 74), ("score", 3, 18)]


def test_the_files_of_a_run_in_any_order(jevbench):
    first = real_run(jevbench, DE_1, "de-1")
    again = real_run(jevbench, DE_1[::-1], "de-1")
    assert (again.outcome, again.run_id) == ("already_there", first.run_id)


def test_keys_without_a_meaning_are_said(jevbench):
    assert real_run(jevbench, [GAVEL], "g").ignored_keys == ["path", "shared_prefix"]


def test_a_canonical_copy_is_the_same_run(jevbench, tmp_path):
    first = real_run(jevbench, [GAVEL], "g")
    rows = []
    for line in GAVEL.read_text().splitlines():
        given = json.loads(line)
        kept = {
            "item_id": given["task_id"],
            "answer": given["predicted"],
            "probabilities": given["probs"],
            "latency_s": given["latency_s"],
            "input_tokens": given["input_tokens"],
        }
        if given["ordinal_ev"] is not None:
            kept["answer"] = int(given["predicted"])
            kept["meta"] = {"ordinal_ev": given["ordinal_ev"]}
        rows.append(json.dumps(kept))
    path = tmp_path / "canonical.jsonl"
    path.write_text("\n".join(rows))
    assert real_run(jevbench, [path], "g").run_id == first.run_id


VERDICTS = {
    "none": ({}, "ok"),
    "ok": ({"status": "ok", "ok": True, "valid": True}, "ok"),
    "not_valid": ({"status": "ok", "ok": True, "valid": False}, "invalid"),
    "only_valid": ({"valid": False}, "invalid"),
    "not_ok": ({"ok": False, "valid": False, "status": "http_error"}, "error"),
    "unprocessable": ({"ok": False, "status_code": 422}, "invalid"),
    "other_code": ({"ok": False, "status_code": 500}, "error"),
    "status_error": ({"status": "error"}, "error"),
    "status_invalid": ({"status": "invalid", "ok": True}, "invalid"),
    "status_unsupported": ({"status": "unsupported", "ok": False}, "unsupported"),
    "nulls": ({"status": None, "ok": None, "valid": None}, "ok"),
}


@pytest.mark.parametrize(("verdict", "status"), VERDICTS.values(), ids=VERDICTS)
def test_status_from_the_verdicts(ingest, stored, verdict, status):
    ingest([{"task_id": "c1", "predicted": "a", **verdict}])
    assert stored("c1")["status"] == status
    assert stored("c1")["reason"] == ("reported" if status == "invalid" else None)


def test_an_unknown_status_is_a_fault(ingest):
    row = {"task_id": "c1", "predicted": "a", "status": "fine"}
    with pytest.raises(InputError, match=r"rows\.jsonl:1: \$\.status: unknown status"):
        ingest([row])


def test_probabilities_as_returned_come_first(ingest, stored):
    returned = {"a": 0.6, "b": 0.25, "c": 0.16}
    row = {"probs": {"a": 0.6, "b": 0.25, "c": 0.15}, "probs_as_returned": returned}
    ingest([{"task_id": "c1", **row}, {"task_id": "c2", "probs": {"a": 0, "b": 1}}])
    assert stored("c1")["probabilities"] == [0.6, 0.25, 0.16]
    assert stored("c1")["renormalized"] is True
    assert stored("c2")["probabilities"] == [1, 0]


def test_the_other_fields(ingest, stored):
    ingest(
        [
            {
                "task_id": "s1",
                "predicted": "1",
                "ordinal_ev": 1.25,
                "probs_source": "native",
                "usage": {"prompt_tokens": 5, "output_tokens": 6},
                "error": {"code": 1},
                "ts": 1.5,
                "ok": True,
            },
            {"task_id": "c1", "predicted": "a", "input_tokens": 4, "schema_error": "x"},
        ]
    )
    rating = stored("s1")
    assert (rating["level"], rating["label_index"]) == (1.0, 1)
    assert (rating["input_tokens"], rating["output_tokens"]) == (5, 6)
    assert rating["meta"] == '{"ordinal_ev":1.25,"probs_source":"native"}'
    assert rating["error"] == '{"code":1}'
    assert (stored("c1")["input_tokens"], stored("c1")["error"]) == (4, "x")


def test_disagreements_with_the_files_verdict(ingest):
    rows = [
        {"task_id": "c1", "predicted": "a", "correct": True},  # gold a: agreed
        {"task_id": "c2", "predicted": "b", "correct": False},  # gold b: not
        {"task_id": "n1", "predicted": "no", "correct": True},  # gold yes: not
        {"task_id": "s1", "predicted": "2", "correct": True},  # gold 2: agreed
        {"task_id": "m1", "predicted": ["z", "x"], "correct": True},  # agreed
    ]
    with pytest.raises(InputError, match="2 of 5 rows say in correct what is not"):
        ingest(rows)
    allowed = ReadingOptions(allow=frozenset({"verdict"}))
    done = ingest(rows, reading=allowed)
    assert done.disagreements == 2
    assert done.disagreement_places == ["rows.jsonl:2", "rows.jsonl:3"]


def test_a_key_given_twice_is_a_fault_even_beside_unknown_keys(ingest):
    line = '{"task_id": "c1", "predicted": "a", "path": 1, "path": 1}'
    with pytest.raises(InputError, match=r"\$\.path: key given twice"):
        ingest([line])


OFFICIAL = [
    {
        "id": "o-1",
        "family": "intent",
        "split": "original",
        "question": {"type": "choice", "instructions": "?", "criteria": {}},
        "labels": ["a", "b"],
        "expected": "b",
    },
    {
        "id": "o-2",
        "split": "hard",
        "question": {"type": "noul"},
        "labels": ["yes", "no"],
        "expected": "no",
        "gold_probs": {"yes": 0.25, "no": 0.75},
    },
    {
        "id": "o-3",
        "question": {"type": "score"},
        "labels": ["0", "1", "2"],
        "expected": "2",
    },
]


def test_official_items(warehouse, write):
    path = write(OFFICIAL, "easy.jsonl")
    ingest_items(warehouse, [path], ItemsOptions("own", scoring="jevbench"))
    assert warehouse.execute(
        "select item_id, type, tier, family, options, gold_index, reference "
        "from golden_items order by item_id"
    ).fetchall() == [
        ("o-1", "choice", "standard", "intent", ["a", "b"], 1, None),
        ("o-2", "noul", "hard", None, ["no", "yes"], 0, [0.75, 0.25]),
        # Without a split the file's name tells the tier.
        ("o-3", "score", "easy", None, ["0", "1", "2"], 2, None),
    ]
