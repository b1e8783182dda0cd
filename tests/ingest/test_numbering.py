"""Several answers of a run to an item: told apart, numbered, named and refused."""

from __future__ import annotations

import hashlib
import json

import pytest

from jevdb.base.errors import InputError, JevdbError
from jevdb.ingest.judge import numbering
from jevdb.ingest.layouts.mapped import selection
from jevdb.ingest.runs import store

ITEMS = ("c1", "c2", "n1")
RIGHT = {"c1": "a", "c2": "a", "n1": "yes"}


def rows(*names: object, items=ITEMS):
    """A row an item and repeat, in the order of the repeats."""
    return [
        {"item_id": item, "repeat": name, "answer": RIGHT[item]}
        for name in names
        for item in items
    ]


def numbers(bench):
    found = bench.execute(
        "select distinct repeat from predictions order by 1"
    ).fetchall()
    return [repeat for (repeat,) in found]


def told(bench):
    [(n, settings)] = bench.execute("select n_repeats, settings from runs").fetchall()
    return n, json.loads(settings)["repeats"]


@pytest.mark.parametrize(
    ("names", "in_order"),
    [
        ([1, 2, 3], ["1", "2", "3"]),
        ([10, 9, -1], ["-1", "9", "10"]),
        (["10", "9", "0"], ["0", "9", "10"]),
        # "01" is no integer, so that all are text, by code point.
        (["9", "10", "01"], ["01", "10", "9"]),
        (["b", "Z", "ä"], ["Z", "b", "ä"]),
    ],
)
def test_values_are_ranked_from_0(ingest, bench, names, in_order):
    summary = ingest(rows(*names))
    assert (summary.repeats, summary.expected, summary.missing) == (3, 15, 6)
    assert numbers(bench) == [0, 1, 2]
    assert told(bench) == (3, in_order)
    first = bench.execute(
        "select repeat from predictions where item_id = 'c1' order by source_line"
    ).fetchall()
    assert [n for (n,) in first] == [in_order.index(str(name)) for name in names]


def test_one_value_is_the_run_that_there_is_without(ingest, bench, write):
    plain = [{k: v for k, v in row.items() if k != "repeat"} for row in rows(7)]
    once = ingest(plain)
    assert ingest(rows(7)).outcome == "already_there"
    assert once.repeats == 1
    assert bench.execute("select n_repeats, settings from runs").fetchall() == [
        (1, None)
    ]


def test_the_digest_of_a_later_repeat_is_of_its_number_too(ingest, bench):
    """SUITES.md §2: sha256(json_array(k, digest as today)), by item and repeat."""
    ingest(rows(0, 1, items=("c1", "c2")))
    digests = bench.execute(
        "select prediction_digest(item_id, status, reason, label_index, labels, "
        "level, probabilities, returned, step_probabilities, latency_s, input_tokens, "
        "output_tokens, cost_usd, error, meta) from predictions "
        "where repeat = 0 order by item_id"
    ).fetchall()
    whole = "".join(
        each
        for (first,) in digests
        for each in (first, hashlib.sha256(f'[1,"{first}"]'.encode()).hexdigest())
    )
    [(found,)] = bench.execute("select rows_sha256 from runs").fetchall()
    assert found == hashlib.sha256(whole.encode()).hexdigest()
    assert bench.execute("from wrong_run_digests").fetchall() == []


def test_order_and_files_are_no_matter(ingest, write):
    first = ingest(rows(0, 1, 2)).run_id
    others = write(rows(2, 0)[::-1], "a.jsonl"), write(rows(1), "b.jsonl")
    assert ingest(*others).run_id == first


def test_it_is_not_the_same_run_as_one_with_other_repeats(ingest):
    """Five equal answers are not one; nor are repeats that were exchanged."""
    once = ingest(rows(0)).run_id
    assert ingest(rows(0, 1), supersede=True).run_id != once
    one = [{"item_id": "c1", "repeat": k, "answer": "ab"[k]} for k in (0, 1)]
    two = [{"item_id": "c1", "repeat": k, "answer": "ba"[k]} for k in (0, 1)]
    runs = {ingest(each, supersede=True).run_id for each in (one, two)}
    assert len(runs) == 2


def test_an_absent_answer_is_missing(ingest, bench):
    summary = ingest(rows(0, 1)[:-1])
    assert (summary.expected, summary.ok, summary.missing) == (10, 5, 5)
    assert "10 answers (5 items x2): 5 ok" in str(summary)
    missing = bench.execute(
        "select repeat, count(*) from scored where status = 'missing' group by all"
    ).fetchall()
    assert sorted(missing) == [(0, 2), (1, 3)]


def test_duplicates_are_of_one_repeat(ingest, stored):
    again = [*rows(0, 1), {"item_id": "c1", "repeat": 1, "answer": "b"}]
    with pytest.raises(InputError, match="answered otherwise in line 4"):
        ingest(again)
    summary = ingest(again, on_duplicate="last")
    assert (summary.ok, summary.duplicates, summary.retries) == (6, 1, 0)
    error = {"item_id": "c1", "repeat": 1, "status": "error"}
    assert ingest([error, *rows(0, 1)], label="retried").retries == 1


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (
            [{"item_id": i, "repeat": n, "answer": "a"} for n, i in enumerate(ITEMS)],
            "another value on each of 3 rows: a row number; name the field that "
            "numbers the repeats",
        ),
        (
            [
                {"item_id": item, "repeat": f"{item}{k}", "answer": RIGHT[item]}
                for item in ITEMS
                for k in (1, 1, 2)
            ],
            "unequal repeats: 6 different values, and an item has 2.0 of them",
        ),
    ],
)
def test_what_numbers_no_repeats(ingest, bench, lines, words):
    with pytest.raises(InputError) as refused:
        ingest(lines)
    [problem] = [p for p in refused.value.problems if p.field == "$.repeat"]
    assert (problem.source, problem.line) == ("rows.jsonl", None)
    assert words in problem.message
    assert bench.execute("from runs").fetchall() == []


def test_too_many_repeats(ingest, monkeypatch):
    monkeypatch.setattr(numbering, "MOST_REPEATS", 2)
    with pytest.raises(InputError, match=r"3 different values, at most 2 go"):
        ingest(rows(0, 1, 2))


def test_rows_without_a_repeat_among_others(ingest):
    lines = [*rows(0, 1), {"item_id": "c1", "answer": "a"}]
    with pytest.raises(InputError) as refused:
        ingest(lines)
    [problem] = refused.value.problems
    assert (problem.line, problem.field) == (7, "$.repeat")
    assert "missing; other rows say which repeat" in problem.message
    summary = ingest(lines, keep_rejects=True)
    assert (summary.repeats, summary.ok, summary.rejected) == (2, 6, 1)


@pytest.mark.parametrize("value", ["1.5", "true", "[1]", "{}"])
def test_a_repeat_is_a_text_or_a_whole_number(ingest, value):
    line = f'{{"item_id": "c1", "answer": "a", "repeat": {value}}}'
    with pytest.raises(InputError, match=r"\$\.repeat: "):
        ingest([line])


def test_a_field_names_the_repeat(ingest, bench, write):
    lines = [
        {"item_id": i, "epoch": e, "answer": RIGHT[i]} for e in (1, 2) for i in ITEMS
    ]
    chosen = selection(None, ["repeat=epoch"], [], None)
    summary = ingest(lines, mapping=chosen.mapping)
    assert summary.repeats == 2
    assert summary.run_id == ingest(rows(0, 1)).run_id
    one = selection(None, ["repeat=epoch"], ["epoch=2"], None)
    where = ingest(lines, mapping=one.mapping, where=one.where, label="one")
    assert (where.repeats, where.ok) == (1, 3)


def test_a_field_that_may_number_repeats_is_named(ingest):
    """Where a key of such a name differs between the two lines, and nowhere else."""
    lines = [
        {"item": "c1", "epoch": epoch, "seed": 1, "answer": "ab"[epoch]}
        for epoch in (0, 1)
    ]
    chosen = selection(None, ["item_id=item"], [], None)
    with pytest.raises(InputError) as refused:
        ingest(lines, mapping=chosen.mapping)
    [problem] = refused.value.problems
    assert "answered otherwise in line 1; keep one" in problem.message
    assert "or name the field that numbers the repeats (fields=" in problem.message
    assert "'repeat': 'epoch'" in problem.message
    plain = [{**line, "epoch": 3} for line in lines]
    with pytest.raises(InputError) as refused:
        ingest(plain, mapping=chosen.mapping)
    assert "repeats" not in refused.value.problems[0].message


def test_csv_cells_number_repeats(ingest, bench, write):
    path = write(["item_id,repeat,answer", "c1,2,a", "c1,10,b"], "rows.csv")
    assert ingest(path).repeats == 2
    assert told(bench) == (2, ["2", "10"])


def test_nothing_is_stored_twice(ingest, bench, monkeypatch):
    """No key refuses it; what is stored is asserted (SCALE.md §3)."""
    bench.execute("create temp view incoming as select 'c1' as item_id, 0 as repeat")
    store._require_once(bench)
    bench.execute(
        "create or replace temp view incoming as "
        "select 'c1' as item_id, unnest([0, 1, 1]) as repeat"
    )
    with pytest.raises(JevdbError, match="'c1' would be stored twice"):
        store._require_once(bench)


def test_a_dump_of_repeats_is_the_same_run(ingest, bench, write):
    from jevdb.bundles.dump import dumped

    run_id = ingest(rows(3, 5)).run_id
    lines = list(dumped(bench, run_id))
    assert [json.loads(line)["repeat"] for line in lines] == [0, 1] * 3
    assert ingest(write(lines, "dump.jsonl")).outcome == "already_there"
