"""What is the model's fault: stored as invalid with a reason, never repaired."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from small_benchmark import ITEMS

from jevdb.base.errors import InputError
from jevdb.ingest import ItemsOptions, Model, RunOptions, ingest_items, ingest_run
from jevdb.ingest.reading_options import ReadingOptions
from jevdb.ingest.runs.summary import REASONS

AS_IT_STANDS = ReadingOptions(
    labels="exact", noul_order="no,yes", allow=frozenset({"invalid"})
)
"""One row that is invalid is a whole run that does not fit: here it is meant so."""


def probabilities(*values):
    return dict(zip("abc", values, strict=True))


# Expected: status, reason, probabilities as stored, label_index.
JUDGED = {
    "sums_to_1": ("c1", {"probabilities": [0.5, 0.25, 0.25]}, "ok", None),
    # 0.98 and 1.02 are 0.02 off; in doubles 1 - 0.98 is 0.020000000000000018.
    "sum_0.98": ("c1", {"probabilities": [0.48, 0.25, 0.25]}, "ok", None),
    "sum_1.02": ("c1", {"probabilities": [0.52, 0.25, 0.25]}, "ok", None),
    "sum_0.979": ("c1", {"probabilities": [0.479, 0.25, 0.25]}, "invalid", "sum"),
    "sum_1.021": ("c1", {"probabilities": [0.521, 0.25, 0.25]}, "invalid", "sum"),
    "sum_0.9": ("c1", {"probabilities": [0.4, 0.25, 0.25]}, "invalid", "sum"),
    "below_0": ("c1", {"probabilities": [-0.1, 0.6, 0.5]}, "invalid", "range"),
    "above_1": ("c1", {"probabilities": [1.01, 0, 0]}, "invalid", "range"),
    "label_left_out": (
        "c1",
        {"probabilities": {"a": 0.5, "b": 0.5}},
        "invalid",
        "label_set",
    ),
    "label_too_many": (
        "c1",
        {"probabilities": {"a": 0.5, "b": 0.5, "c": 0, "d": 0}},
        "invalid",
        "label_set",
    ),
    "label_in_other_case": (
        "c1",
        {"probabilities": {"A": 0.5, "b": 0.5, "c": 0}},
        "invalid",
        "label_set",
    ),
    "list_too_short": ("c1", {"probabilities": [0.5, 0.5]}, "invalid", "label_set"),
    "empty_object": ("c1", {"probabilities": {}}, "invalid", "label_set"),
    "empty_list": ("c1", {"probabilities": []}, "invalid", "label_set"),
    "p_no_alone": ("n1", {"probabilities": {"no": 0.5}}, "invalid", "label_set"),
    "p_yes_out_of_range": ("n1", {"probabilities": {"yes": 1.5}}, "invalid", "range"),
    "levels_mixed": (
        "s1",
        {"probabilities": {"0": 0.5, "fair": 0.5, "2": 0}},
        "invalid",
        "label_set",
    ),
    "answer_outside": ("c1", {"answer": "d"}, "invalid", "answer"),
    "answer_not_trimmed": ("c1", {"answer": "a "}, "invalid", "answer"),
    "level_outside": ("s1", {"answer": 3}, "invalid", "answer"),
    "level_below": ("s1", {"answer": -0.5}, "invalid", "answer"),
    "label_outside_set": ("m1", {"answer": ["x", "w"]}, "invalid", "answer"),
    "nothing": ("c1", {}, "invalid", "no_answer"),
    "nulls": ("c1", {"answer": None, "probabilities": None}, "invalid", "no_answer"),
    "no_set": ("m1", {}, "invalid", "no_answer"),
    "empty_set": ("m1", {"answer": []}, "ok", None),
    "bad_distribution_right_answer": (
        "c1",
        {"answer": "a", "probabilities": [0.4, 0.25, 0.25]},
        "invalid",
        "sum",
    ),
    # A valid distribution decides; the answer is only compared.
    "good_distribution_stray_answer": (
        "c1",
        {"answer": "d", "probabilities": [0.5, 0.25, 0.25]},
        "ok",
        None,
    ),
    "reported": ("c1", {"status": "invalid", "answer": "a"}, "invalid", "reported"),
    "error": ("c1", {"status": "error", "error": "timeout"}, "error", None),
    "unsupported": ("c1", {"status": "unsupported"}, "unsupported", None),
}


def test_status_and_reason(bench, write):
    """Each row answers an item of its own, made after the one that it names."""
    made = {item["item_id"]: item for item in ITEMS}
    items = [{**made[like], "item_id": name} for name, (like, *_) in JUDGED.items()]
    ingest_items(bench, [write(items, "items.jsonl")], ItemsOptions("judged"))
    rows = [{"item_id": name, **row} for name, (_, row, *_) in JUDGED.items()]
    options = RunOptions("judged", Model("m"), reading=AS_IT_STANDS)
    summary = ingest_run(bench, [write(rows)], options)
    found = bench.execute("select item_id, status, reason from predictions").fetchall()
    expected = {name: (status, reason) for name, (*_, status, reason) in JUDGED.items()}
    assert {name: (status, reason) for name, status, reason in found} == expected
    counted = Counter(status for status, _ in expected.values())
    assert {each: getattr(summary, each) for each in counted} == counted
    assert summary.missing == 0
    assert summary.reasons == Counter(why for _, why in expected.values() if why)
    assert summary.reasons.keys() <= REASONS.keys()


def test_every_reason_is_provoked():
    assert {reason for *_, reason in JUDGED.values() if reason} == REASONS.keys()


@pytest.mark.parametrize(
    ("values", "renormalized"),
    # 0.001 off is as returned, more is rescaled: 1.0015 - 1 > 0.001 + 1e-9.
    [
        ([0.501, 0.25, 0.25], False),
        ([0.5015, 0.25, 0.25], True),
        ([0.48, 0.25, 0.25], True),
    ],
)
def test_rescaled_rows_are_flagged_and_kept_as_returned(
    ingest, stored, values, renormalized
):
    assert ingest([{"item_id": "c1", "probabilities": values}]).renormalized == int(
        renormalized
    )
    assert stored("c1")["renormalized"] is renormalized
    assert stored("c1")["probabilities"] == values


@pytest.mark.parametrize(
    ("item", "given", "aligned"),
    [
        ("c2", {"a": 0.25, "b": 0.75}, [0.75, 0.25]),
        ("c2", [0.75, 0.25], [0.75, 0.25]),
        ("n1", {"yes": 0.25}, [0.75, 0.25]),
        ("n1", {"yes": 0.25, "no": 0.75}, [0.75, 0.25]),
        ("s1", {"2": 0.5, "0": 0.25, "1": 0.25}, [0.25, 0.25, 0.5]),
        ("s1", {"good": 0.5, "bad": 0.25, "fair": 0.25}, [0.25, 0.25, 0.5]),
        ("s1", [0.25, 0.25, 0.5], [0.25, 0.25, 0.5]),
    ],
)
def test_distributions_stand_in_option_order(ingest, stored, item, given, aligned):
    ingest([{"item_id": item, "probabilities": given}])
    assert stored(item)["probabilities"] == aligned
    assert stored(item)["returned"] is None


@pytest.mark.parametrize(
    ("row", "returned"),
    [
        (
            {"probabilities": {"z": 0.5, "a": 0.5}},
            {"probabilities": {"a": 0.5, "z": 0.5}},
        ),
        ({"probabilities": [1.0]}, {"probabilities": [1.0]}),
        (
            {"answer": "d", "probabilities": {"d": 1.0}},
            {"answer": "d", "probabilities": {"d": 1.0}},
        ),
        ({"answer": "a", "probabilities": {"d": 1.0}}, {"probabilities": {"d": 1.0}}),
        ({"status": "error", "answer": 'q"'}, {"answer": 'q"'}),
    ],
)
def test_what_cannot_be_aligned_is_kept_as_returned(ingest, stored, row, returned):
    ingest([{"item_id": "c1", **row}], reading=AS_IT_STANDS)
    assert json.loads(stored("c1")["returned"]) == returned


def test_rows_that_are_not_ok_keep_their_values(ingest, stored):
    row = {
        "item_id": "c1",
        "status": "error",
        "answer": "b",
        "probabilities": [0.1, 0.2, 0.3],
        "latency_s": 2,
        "input_tokens": 3,
        "output_tokens": 4,
        "cost_usd": 0.5,
        "error": "cut off",
        "meta": {"b": 1, "a": [None, True, "é"]},
    }
    ingest([row])
    kept = stored("c1")
    assert kept["label_index"] == 1
    assert kept["probabilities"] == [0.1, 0.2, 0.3]
    assert (kept["latency_s"], kept["cost_usd"], kept["error"]) == (2.0, 0.5, "cut off")
    assert (kept["input_tokens"], kept["output_tokens"]) == (3, 4)
    assert kept["meta"] == '{"a":[null,true,"é"],"b":1}'
    assert kept["renormalized"] is False
    assert (kept["source_file"], kept["source_line"]) == ("rows.jsonl", 1)


@pytest.mark.parametrize(
    ("item", "row", "mismatch"),
    [
        ("c1", {"answer": "a", "probabilities": [0.5, 0.25, 0.25]}, False),
        ("c1", {"answer": "b", "probabilities": [0.5, 0.25, 0.25]}, True),
        ("c1", {"answer": "d", "probabilities": [0.5, 0.25, 0.25]}, True),
        # A tie goes to the smaller label by code point: a, though b stands first.
        ("c2", {"answer": "a", "probabilities": [0.5, 0.5]}, False),
        ("c2", {"answer": "b", "probabilities": [0.5, 0.5]}, True),
        # A tie of levels goes to the lower one.
        ("s1", {"answer": 0, "probabilities": [0.5, 0, 0.5]}, False),
        # An expected rating is compared by its nearest level: 1.6 is level 2.
        ("s1", {"answer": 1.6, "probabilities": [0.2, 0, 0.8]}, False),
        ("n1", {"answer": True, "probabilities": {"yes": 0.9}}, False),
        ("n1", {"answer": False, "probabilities": {"yes": 0.9}}, True),
        ("c1", {"answer": "b"}, False),
        ("c1", {"answer": "b", "probabilities": [0.5, 0.2, 0.2]}, False),
    ],
)
def test_answers_beside_a_valid_distribution_are_compared(
    ingest, stored, item, row, mismatch
):
    done = ingest([{"item_id": item, **row}], reading=AS_IT_STANDS)
    assert done.mismatched == int(mismatch)
    assert stored(item)["answer_mismatch"] is mismatch


@pytest.mark.parametrize(
    ("answer", "level", "index"),
    # An expected rating counts as its nearest level, half down.
    [(2, 2.0, 2), (1.5, 1.5, 1), (1.51, 1.51, 2), (0.5, 0.5, 0), (0, 0.0, 0)],
)
def test_ratings(ingest, stored, answer, level, index):
    ingest([{"item_id": "s1", "answer": answer}])
    assert (stored("s1")["level"], stored("s1")["label_index"]) == (level, index)


def test_repeated_labels_of_a_set_count_once(ingest, stored):
    ingest([{"item_id": "m1", "answer": ["z", "x", "z"]}])
    assert stored("m1")["labels"] == ["z", "x"]


def misfits(n_wrong, n_right):
    rows = [{"item_id": f"i{i}", "answer": "nowhere"} for i in range(n_wrong)]
    return rows + [
        {"item_id": f"i{n_wrong + i}", "answer": "p"} for i in range(n_right)
    ]


@pytest.fixture
def wide(bench, write):
    from jevdb.ingest import ItemsOptions, ingest_items

    items = [
        {"item_id": f"i{i}", "type": "choice", "options": ["p", "q"], "gold": "p"}
        for i in range(30)
    ]
    ingest_items(bench, [write(items, "wide.jsonl")], ItemsOptions("b"))


@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize(("n_wrong", "n_right"), [(11, 9), (2, 1), (1, 0)])
def test_a_run_that_mostly_does_not_fit_is_refused(ingest, n_wrong, n_right):
    rows = misfits(n_wrong, n_right)
    total = n_wrong + n_right
    with pytest.raises(
        InputError,
        match=rf"{n_wrong} of {total} choice answers .* \(rows\.jsonl:1 .*'b' the",
    ):
        ingest(rows)
    assert ingest(rows, allow_invalid=True).reasons == {"answer": n_wrong}


@pytest.mark.usefixtures("wide")
def test_half_may_be_the_models_fault(ingest):
    assert ingest(misfits(10, 10)).invalid == 10


@pytest.mark.usefixtures("wide")
def test_sums_that_are_mostly_off_are_a_scale(ingest):
    rows = [{"item_id": f"i{i}", "probabilities": [0.1, 0.1]} for i in range(30)]
    with pytest.raises(InputError, match="30 of 30 choice rows do not sum to 1"):
        ingest(rows)
    assert ingest(rows, allow_invalid=True).reasons == {"sum": 30}
