"""The same item twice in the files of a run (SCORING.md §2)."""

from __future__ import annotations

import itertools

import pytest

from jevdb.base.errors import InputError

TIMEOUT = {"item_id": "c1", "status": "error", "error": "timeout"}
REFUSED = {"item_id": "c1", "status": "error", "error": "refused"}
STRAY = {"item_id": "c1", "answer": "d"}
RIGHT = {"item_id": "c1", "answer": "a"}
WRONG = {"item_id": "c1", "answer": "b"}


def test_retries_are_counted_and_the_ok_row_is_used(ingest, stored):
    summary = ingest([TIMEOUT, STRAY, RIGHT])
    assert (summary.ok, summary.retries, summary.duplicates) == (1, 2, 0)
    assert summary.read == 3
    assert stored("c1")["attempts"] == 3
    assert (stored("c1")["label_index"], stored("c1")["source_line"]) == (0, 3)


def test_an_equal_repeat_changes_nothing(ingest, stored):
    spaced = '{"answer":"a",  "item_id":"c1", "probabilities": null}'
    summary = ingest([RIGHT, spaced, RIGHT])
    assert (summary.ok, summary.retries, summary.duplicates) == (1, 0, 2)
    assert stored("c1")["attempts"] == 1
    assert stored("c1")["source_line"] == 1


def test_the_order_of_attempts_is_no_matter(ingest):
    rows = [TIMEOUT, REFUSED, STRAY]
    orders = itertools.permutations(rows)
    runs = {ingest(list(order), allow_invalid=True).run_id for order in orders}
    assert len(runs) == 1


OTHER_STRAY = {"item_id": "c1", "answer": "e"}
UNSUPPORTED = {"item_id": "c1", "status": "unsupported"}


@pytest.mark.parametrize(
    ("rows", "retries", "duplicates"),
    [
        # One row of each is stored. Of the others, those that say something else are
        # retries, and those that say the same again are duplicates.
        ((STRAY, OTHER_STRAY), 1, 0),
        ((STRAY, OTHER_STRAY, STRAY), 1, 1),
        ((STRAY, STRAY), 0, 1),
        ((TIMEOUT, REFUSED), 1, 0),
        ((TIMEOUT, TIMEOUT, REFUSED, STRAY, OTHER_STRAY), 3, 1),
        ((TIMEOUT, RIGHT), 1, 0),
        ((TIMEOUT, TIMEOUT, RIGHT, RIGHT), 1, 2),
        ((UNSUPPORTED, TIMEOUT), 1, 0),
        ((RIGHT,), 0, 0),
    ],
)
def test_retries_and_duplicates(ingest, rows, retries, duplicates):
    summary = ingest(list(rows), allow_invalid=True)
    assert (summary.retries, summary.duplicates) == (retries, duplicates)
    assert summary.read == len(rows) == 1 + retries + duplicates


def test_invalid_answers_in_files_given_in_another_order(ingest, write, stored):
    one, two = write([STRAY], "one.jsonl"), write([OTHER_STRAY], "two.jsonl")
    first = ingest(one, two, allow_invalid=True)
    again = ingest(two, one, allow_invalid=True)
    assert (first.outcome, again.outcome) == ("stored", "already_there")
    assert again.run_id == first.run_id
    assert stored("c1")["attempts"] == 2


@pytest.mark.parametrize(
    ("rows", "status"),
    [
        ((TIMEOUT, UNSUPPORTED, STRAY, RIGHT), "ok"),
        ((TIMEOUT, UNSUPPORTED, STRAY), "invalid"),
        ((TIMEOUT, UNSUPPORTED), "unsupported"),
        ((TIMEOUT,), "error"),
    ],
)
def test_the_best_status_is_used_in_every_order(ingest, bench, rows, status):
    for order in (rows, rows[::-1]):
        ingest(list(order), allow_invalid=True)
    found = bench.execute("select status, attempts from predictions").fetchall()
    assert found == [(status, len(rows))]


def test_an_invalid_answer_is_used_before_an_error(ingest, stored):
    assert ingest([STRAY, TIMEOUT], allow_invalid=True).reasons == {"answer": 1}
    assert stored("c1")["attempts"] == 2


def test_two_different_ok_answers_are_a_fault_with_both_lines(ingest):
    with pytest.raises(InputError) as refused:
        ingest([RIGHT, {"item_id": "c2", "answer": "a"}, WRONG])
    (problem,) = refused.value.problems
    assert (problem.line, problem.field) == (3, "$.item_id")
    assert "item 'c1' was answered otherwise in line 1" in problem.message
    assert "with on_duplicate first or last" in problem.message


def test_in_two_files_the_other_file_is_named(ingest, write):
    first, second = write([RIGHT], "one.jsonl"), write([TIMEOUT, WRONG], "two.jsonl")
    with pytest.raises(InputError) as refused:
        ingest(first, second)
    (problem,) = refused.value.problems
    assert (problem.source, problem.line) == ("two.jsonl", 2)
    assert "in one.jsonl line 1" in problem.message


@pytest.mark.parametrize(("policy", "index"), [("first", 0), ("last", 1)])
def test_a_policy_chooses(ingest, stored, policy, index):
    summary = ingest([TIMEOUT, RIGHT, WRONG], on_duplicate=policy)
    assert (summary.ok, summary.retries, summary.duplicates) == (1, 1, 1)
    assert stored("c1")["label_index"] == index


def test_counts_add_up(ingest, bench):
    rows = [TIMEOUT, RIGHT, RIGHT, {"item_id": "c2", "answer": "z"}, {"item_id": "n1"}]
    summary = ingest([*rows, {"item_id": "s1", "status": "unsupported"}])
    stored = summary.ok + summary.invalid + summary.unsupported + summary.error
    assert summary.expected == stored + summary.missing == 5
    assert summary.read == stored + summary.retries + summary.duplicates == 6
    assert sum(summary.reasons.values()) == summary.invalid == 2
    assert bench.execute(
        "select n_rows, n_ok, n_invalid, n_unsupported, n_error, n_duplicate from runs"
    ).fetchall() == [(4, 1, 2, 1, 0, 1)]
