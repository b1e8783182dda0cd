"""`--keep-rejects`: good rows load, faulty lines are kept beside them."""

from __future__ import annotations

import csv
import io
import json
import zipfile

import pytest
from small_benchmark import ITEMS, OK_ROWS
from test_file_faults import FAULTS, GOOD
from typer.testing import CliRunner

from jevdb.base.errors import InputError
from jevdb.cli import app
from jevdb.ingest.judge import rejects
from jevdb.warehouse.checks import faults
from jevdb.warehouse.database import open_reader

RUN = ("ingest", "run", "--benchmark", "b", "--model", "m")
KEEP = "--keep-rejects"
UNKNOWN = '{"item_id": "c9"}'


@pytest.fixture
def kept(bench):
    """Return what is kept of all ingests: file, line, field, reason, text."""

    def rows():
        return bench.execute(
            "select source_file, line, field, reason, text from rejects "
            "order by source_file, line"
        ).fetchall()

    return rows


def adds_up(summary):
    """The two sums every summary keeps (issue: expected, and rows read)."""
    by_status = summary.ok + summary.invalid + summary.unsupported + summary.error
    assert summary.expected == by_status + summary.missing
    repeated = summary.retries + summary.duplicates + summary.rejected
    assert summary.read == by_status + repeated
    return summary


def text_of(line):
    data = line if isinstance(line, bytes) else line.encode()
    return data.decode(errors="backslashreplace")


def test_every_fault_of_a_line_is_kept(ingest, kept):
    lines = [line for line, *_ in FAULTS.values()]
    summary = adds_up(ingest([GOOD, "", *lines], keep_rejects=True))
    found = kept()
    assert [(source, number) for source, number, *_ in found] == [
        ("rows.jsonl", 3 + place) for place in range(len(lines))
    ]
    for (*_, field, reason, text), (line, place, message) in zip(
        found, FAULTS.values(), strict=True
    ):
        assert (field, text) == (place, text_of(line))
        assert message in reason
    assert (summary.ok, summary.rejected) == (1, len(FAULTS))
    assert summary.missing == 4


def test_a_line_is_kept_once_with_all_that_is_wrong(ingest, kept):
    line = '{"item_id": "c1", "latency_s": "1", "tokens": 1}'
    assert ingest([line, GOOD], keep_rejects=True).rejected == 1
    ((_, _, field, reason, _),) = kept()
    assert field == "$.latency_s"
    assert reason.startswith('expected a number, got the string "1"; $.tokens: unknown')


def test_the_rows_alone_name_the_run(ingest, bench):
    first = ingest([UNKNOWN, *OK_ROWS], keep_rejects=True)
    again = ingest([UNKNOWN, *OK_ROWS], keep_rejects=True)
    clean = ingest(OK_ROWS)
    assert (again.outcome, clean.outcome) == ("already_there", "already_there")
    assert first.run_id == again.run_id == clean.run_id
    assert again.rejected == 1
    assert bench.execute("select count(*) from rejects").fetchall() == [(1,)]
    assert bench.execute("select n_rejected from runs").fetchall() == [(1,)]


IN_ORDER = sorted(OK_ROWS, key=lambda row: row["item_id"])
"""c1, c2, m1, n1, s1: read in the order of their items, they are not sorted again."""
JUDGED_BAD = {
    "c1": {"answer": 1},
    "c2": {"answer": True},
    "m1": {"answer": "x"},
    "n1": {"answer": ["yes"]},
    "s1": {"answer": ["good"]},
}
"""An answer of another kind than the item's type: only who knows the item sees it."""


@pytest.mark.parametrize("refused", JUDGED_BAD)
def test_a_line_refused_by_judging_leaves_the_id_of_the_others(ingest, bench, refused):
    rows = [
        {"item_id": refused, **JUDGED_BAD[refused]}
        if row["item_id"] == refused
        else row
        for row in IN_ORDER
    ]
    left = [row for row in IN_ORDER if row["item_id"] != refused]
    summary = adds_up(ingest(rows, keep_rejects=True))
    assert (summary.ok, summary.rejected, summary.missing) == (4, 1, 1)
    assert faults(bench, "wrong_run_digests") == []
    again = ingest(left)
    assert (again.outcome, again.run_id) == ("already_there", summary.run_id)
    assert again.rows_sha256 == summary.rows_sha256


@pytest.mark.parametrize("order", [IN_ORDER, IN_ORDER[::-1]], ids=["up", "down"])
def test_so_do_lines_before_between_and_behind_them(ingest, bench, order):
    bad = [{"item_id": row["item_id"], **JUDGED_BAD[row["item_id"]]} for row in order]
    rows = [line for pair in zip(bad, order, strict=True) for line in pair]
    summary = adds_up(ingest([*rows, bad[0]], keep_rejects=True))
    assert (summary.ok, summary.rejected, summary.duplicates) == (5, 6, 0)
    assert faults(bench, "wrong_run_digests") == []
    assert ingest(OK_ROWS).run_id == summary.run_id


def test_without_a_fault_the_option_changes_nothing(ingest, kept):
    summary = ingest(OK_ROWS, keep_rejects=True)
    assert (summary.ok, summary.rejected, kept()) == (5, 0, [])


def test_a_second_answer_is_refused_with_both_lines(ingest, kept, stored):
    # Lines 1 and 3 are equal, 2 and 5 say otherwise, 4 is another try.
    rows = [
        {"item_id": "c1", "answer": "a"},
        {"item_id": "c1", "answer": "b"},
        {"item_id": "c1", "answer": "a"},
        {"item_id": "c1", "status": "error"},
        {"item_id": "c1", "answer": "c"},
    ]
    summary = adds_up(ingest(rows, keep_rejects=True))
    assert [(line, reason[:41]) for _, line, _, reason, _ in kept()] == [
        (2, "item 'c1' was answered otherwise in line "),
        (5, "item 'c1' was answered otherwise in line "),
    ]
    assert "in line 1;" in kept()[1][3]
    assert (summary.duplicates, summary.retries, summary.rejected) == (1, 1, 2)
    assert (stored("c1")["label_index"], stored("c1")["attempts"]) == (0, 2)


def test_a_refused_answer_contradicts_nothing(ingest, kept):
    rows = ['{"item_id": "c1", "answer": "b", "x": 1}', '{"item_id":"c1","answer":"a"}']
    assert ingest(rows, keep_rejects=True).ok == 1
    assert [line for _, line, *_ in kept()] == [1]


def test_an_answer_to_a_type_declared_unsupported(ingest, kept):
    rows = [GOOD, '{"item_id": "s1", "answer": 1}']
    ingest(rows, unsupported=("score",), keep_rejects=True)
    assert "declares unsupported" in kept()[0][3]


def test_unknown_statuses_of_a_runner_file(ingest, kept):
    rows = [
        {"task_id": "c1", "predicted": "a", "status": "ok"},
        {"task_id": "c2", "predicted": "a", "status": "strange"},
    ]
    summary = adds_up(ingest(rows, keep_rejects=True))
    assert (summary.ok, summary.rejected) == (1, 1)
    ((_, line, field, reason, text),) = kept()
    assert (line, field) == (2, "$.status")
    assert "unknown status" in reason
    assert json.loads(text) == rows[1]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (b"c1,1", "2 cells where the header has 3"),
        (b"c1,x,", 'expected a number, got the string "x"'),
        (b'c1,,"{oops\nhere"', "the cell is not JSON"),
        (b"c1,NaN,", "expected a number"),
        (b"c9,,", 'no item "c9"'),
        (b'c1,"1"x,', "not CSV"),
        (b"c1\xff,1,", "not UTF-8 at byte 3"),
    ],
)
def test_rows_of_csv_are_kept_as_they_stand(ingest, kept, write, row, reason):
    head = "item_id,latency_s,probabilities"
    path = write([head, 'n1,1,"{""yes"": 0.5}"', row, "c2,2,"], "r.csv")
    summary = adds_up(ingest(path, keep_rejects=True))
    assert (summary.read, summary.rejected) == (3, 1)
    ((_, line, _, found, text),) = kept()
    assert line == 3
    assert reason in found
    assert text == text_of(row)


def test_an_open_quote_takes_the_rest_of_a_file(ingest, kept, write):
    path = write(["item_id,answer", "c1,a", 'c2,"b', "n1,yes"], "r.csv")
    assert ingest(path, keep_rejects=True).ok == 1
    ((_, line, _, reason, text),) = kept()
    assert (line, reason) == (3, "not CSV: unexpected end of data")
    assert text == 'c2,"b\nn1,yes'


def test_parquet_rows_are_kept_by_number(ingest, kept, tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "rows.bin"
    pq.write_table(
        pa.table({"item_id": ["c1", "c2"], "probabilities": ["[1,0,0]", "{oops"]}), path
    )
    assert ingest(path, keep_rejects=True).ok == 1
    ((_, line, field, _, text),) = kept()
    assert (line, field) == (2, "$.probabilities")
    assert json.loads(text) == {"item_id": "c2", "probabilities": "{oops"}


def test_records_of_a_document_are_kept_by_their_line(ingest, kept, write):
    lines = ["[", '{"item_id": "c1",', ' "answer": 7},', GOOD, "]"]
    assert ingest(write(lines), keep_rejects=True).ok == 1
    ((_, line, _, _, text),) = kept()
    assert (line, text) == (2, '{"item_id": "c1",\n "answer": 7}')


def test_samples_of_an_archive_are_kept_by_number(ingest, kept, tmp_path):
    path = tmp_path / "log.eval"
    score = {"choice": {"value": "C", "answer": "A"}}
    samples = [
        {"id": "c2", "epoch": 1, "choices": ["b", "a"], "scores": score},
        {"id": "zz", "epoch": 1, "choices": ["b", "a"], "scores": score},
        {"id": "c1", "epoch": 1, "choices": ["a", "b", "c"], "scores": score},
        {"id": "c1", "epoch": "x"},
    ]
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", json.dumps({"eval": {"model": "m"}}))
        for n, sample in enumerate(samples):
            archive.writestr(f"samples/{n}.json", json.dumps(sample))
    summary = adds_up(ingest(path, keep_rejects=True))
    assert (summary.ok, summary.rejected) == (2, 2)
    assert [(line, field) for _, line, field, *_ in kept()] == [
        (2, "$.item_id"),
        (4, "$.samples[0].epoch"),
    ]
    assert json.loads(kept()[0][4])["samples"][0]["id"] == "zz"


def test_mapped_records_are_kept(bench, ingest, kept):
    from jevdb.ingest.layouts.mapped import selection

    mapping = selection(None, ["item_id=q", "answer=a"], [], None).mapping
    rows = [{"q": "c1", "a": "a"}, {"q": "c2"}, {"a": "a"}]
    summary = adds_up(ingest(rows, mapping=mapping, keep_rejects=True))
    assert (summary.ok, summary.invalid, summary.rejected) == (1, 1, 1)
    assert [(line, field) for _, line, field, *_ in kept()] == [(3, "$.q")]


def test_a_path_that_leads_nowhere_refuses_the_whole(ingest):
    from jevdb.ingest.layouts.mapped import selection

    fields = ["item_id=q", "answer=a", "error=nowhere"]
    mapping = selection(None, fields, [], None).mapping
    with pytest.raises(InputError, match="no record has anything there"):
        ingest([{"q": "c1", "a": "a"}], mapping=mapping, keep_rejects=True)


def test_a_refused_line_replaces_none(ingest, kept, stored):
    def line(picked, **more):
        body = {"q": {"type": "choice", "choice": picked}}
        return {"v": 1, "id": "c1", "request": {}, "answers": body, **more}

    rows = [line("a"), line("b"), line(1.5)]
    summary = adds_up(ingest(rows, keep_rejects=True))
    assert (summary.duplicates, summary.rejected) == (1, 1)
    assert stored("c1")["label_index"] == 1
    assert [line for _, line, *_ in kept()] == [3]


def test_files_of_one_name_are_told_apart(ingest, kept, tmp_path):
    paths = [tmp_path / name / "r.jsonl" for name in ("a", "b")]
    for path, lines in (
        (paths[0], [GOOD, "{"]),
        (paths[1], [UNKNOWN, '{"item_id": "c1"}']),
    ):
        path.parent.mkdir()
        path.write_text("\n".join(lines))
    summary = adds_up(ingest(*paths, keep_rejects=True))
    assert (summary.ok, summary.invalid, summary.rejected) == (1, 1, 2)
    assert [row[:2] for row in kept()] == [("r.jsonl", 2), ("r.jsonl (2)", 1)]


@pytest.mark.parametrize("lines", [["{"], [UNKNOWN], ["{", UNKNOWN]])
def test_a_run_without_a_good_row_is_refused(ingest, bench, lines):
    with pytest.raises(InputError):
        ingest(lines, keep_rejects=True)
    assert bench.execute("select count(*) from runs").fetchall() == [(0,)]


@pytest.mark.parametrize(
    "data",
    [b"item_id,item_id\nc1,c2", b"PAR1oops", b"item_id,\xff\nc1,a", b'item_id,"a'],
)
def test_a_fault_of_a_whole_file_refuses_it(ingest, write, tmp_path, data):
    path = tmp_path / "whole"
    path.write_bytes(data)
    with pytest.raises(InputError):
        ingest(write([GOOD]), path, keep_rejects=True)


def test_more_than_a_thousand_lines_are_all_kept(ingest, kept):
    assert ingest([GOOD, *["{"] * 1500], keep_rejects=True).rejected == 1500
    assert kept()[-1][:2] == ("rows.jsonl", 1501)


def test_nul_and_long_lines(ingest, kept, monkeypatch):
    monkeypatch.setattr(rejects, "MAX_TEXT", 10)
    ingest([GOOD, b"{\0" + b"x" * 20, b"{\r"], keep_rejects=True)
    assert [text for *_, text in kept()] == ["{\\x00xxxxx", "{"]


@pytest.fixture
def call(warehouse_path):
    def run(*words):
        words = ["--db", str(warehouse_path), *map(str, words)]
        return CliRunner().invoke(app, words)

    return run


@pytest.fixture
def dirty(call, write):
    """A warehouse with the small benchmark, and a file with two faulty lines."""
    items = write(ITEMS, "items.jsonl")
    assert call("ingest", "items", items, "--benchmark", "b").exit_code == 0
    return write(["{", *OK_ROWS[:3], UNKNOWN])


def test_the_command_ends_with_3(call, dirty, warehouse_path):
    refused = call(*RUN, dirty)
    assert (refused.exit_code, refused.stdout) == (1, "")
    dry = call(*RUN, dirty, KEEP, "--dry-run")
    first = call(*RUN, dirty, KEEP)
    again = call(*RUN, dirty, KEEP)
    assert [each.exit_code for each in (dry, first, again)] == [3, 3, 3]
    assert (dry.stdout, first.stdout) == ("", again.stdout)
    assert "5 rows read, of them 2 rejected" in first.stderr
    assert "2 faulty lines refused, kept: see `jevdb runs rejects" in first.stderr
    assert "2 faulty lines refused, not kept again" in again.stderr
    with open_reader(warehouse_path) as connection:
        count = connection.execute("select count(*) from rejects").fetchall()
    assert count == [(2,)]
    assert call("check").exit_code == 0


def test_rejects_are_listed_in_every_form(call, dirty):
    call(*RUN, dirty, KEEP)
    expected = [
        {
            "source_file": "rows.jsonl",
            "line": 1,
            "field": None,
            "reason": "not JSON: expecting property name enclosed in double quotes "
            "at column 2",
            "text": "{",
        },
        {
            "source_file": "rows.jsonl",
            "line": 5,
            "field": "$.item_id",
            "reason": 'no item "c9" in benchmark b',
            "text": UNKNOWN,
        },
    ]
    whole = call("runs", "rejects", "m", "--format", "json")
    assert json.loads(whole.stdout) == expected
    lines = call("runs", "rejects", "m", "--format", "jsonl").stdout.splitlines()
    assert [json.loads(line) for line in lines] == expected
    cells = csv.DictReader(
        io.StringIO(call("runs", "rejects", "m", "--format", "csv").stdout)
    )
    assert [row["text"] for row in cells] == ["{", UNKNOWN]
    for form in ("table", "markdown"):
        assert "$.item_id" in call("runs", "rejects", "m", "--format", form).stdout


def test_a_run_with_rejects_is_marked(call, dirty):
    call(*RUN, dirty, KEEP)
    assert "n_rejected" in call("runs").stdout
    listed = json.loads(call("runs", "--format", "json").stdout)
    assert listed[0]["n_rejected"] == 2
    assert "2 lines rejected" in call("report").stdout


def test_a_run_without_rejects_says_so(call, dirty, write):
    call(*RUN, write(OK_ROWS, "clean.jsonl"))
    listed = call("runs", "rejects", "m")
    assert listed.exit_code == 0
    assert "no line of m was refused and kept" in listed.stderr
    assert "n_rejected" not in call("runs").stdout


def test_long_lines_are_shortened_for_people_only(call, dirty, write):
    line = "{" + "x" * 100
    call(*RUN, write([GOOD, line], "long.jsonl"), KEEP)
    assert "x" * 56 + "..." in call("runs", "rejects", "m").stdout
    found = json.loads(call("runs", "rejects", "m", "--format", "json").stdout)
    assert found[0]["text"] == line
