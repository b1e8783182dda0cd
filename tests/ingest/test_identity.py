"""The same rows are the same run, however they lie in files (DESIGN.md §5)."""

from __future__ import annotations

import csv
import hashlib
import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from small_benchmark import OK_ROWS, as_bytes

from jevdb.base.errors import ConflictError
from jevdb.base.zstd import zstd
from jevdb.bundles.dump import dumped
from jevdb.ingest import Model

ODD_ROWS = [
    {"item_id": "c1", "probabilities": {"a": 0.9, "d": 0.1}, "answer": "d"},
    {"item_id": "c2", "status": "error", "error": 'cut "off"\n', "meta": {"é": [1.5]}},
    {"item_id": "n1", "answer": False, "latency_s": 1e-05, "cost_usd": 0.1},
    {"item_id": "s1", "answer": 1.5, "input_tokens": 3, "output_tokens": 0},
    {"item_id": "m1", "status": "invalid", "answer": []},
]
NUMBERS = ("latency_s", "input_tokens", "output_tokens", "cost_usd")


def as_csv(rows) -> bytes:
    names = sorted({name for row in rows for name in row})
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(names)
    for row in rows:
        cells = []
        for name in names:
            value = row.get(name)
            is_text = value is None or isinstance(value, str)
            cells.append(value if is_text else json.dumps(value))
        writer.writerow(cells)
    return text.getvalue().encode()


def as_parquet(rows) -> bytes:
    """Return rows as Parquet: answers as text, objects as JSON, numbers as numbers."""
    names = sorted({name for row in rows for name in row})
    columns = {}
    for name in names:
        values = [row.get(name) for row in rows]
        if name not in NUMBERS:
            values = [
                v if v is None or isinstance(v, str) else json.dumps(v) for v in values
            ]
        columns[name] = values
    sink = io.BytesIO()
    pq.write_table(pa.table(columns), sink)
    return sink.getvalue()


WAYS = {
    "csv": ("rows.csv", as_csv),
    "parquet": ("rows.parquet", as_parquet),
    "zstd": ("rows.zst", lambda rows: zstd.compress(as_bytes(rows))),
    "wrong_suffix": ("rows.csv", as_bytes),
    "no_last_newline": ("rows.jsonl", lambda rows: as_bytes(rows)[:-1]),
    "crlf_and_bom": (
        "rows.jsonl",
        lambda rows: b"\xef\xbb\xbf" + as_bytes(rows).replace(b"\n", b"\r\n\r\n"),
    ),
    "shuffled": ("rows.jsonl", lambda rows: as_bytes(rows[::-1])),
    "keys_in_other_order": (
        "rows.jsonl",
        lambda rows: as_bytes([dict(reversed(row.items())) for row in rows]),
    ),
}


@pytest.mark.parametrize("rows", [OK_ROWS, ODD_ROWS], ids=["ok", "odd"])
def test_the_same_rows_are_there_already(ingest, bench, tmp_path, rows):
    first = ingest(rows, allow_invalid=True)
    for way, (name, convert) in WAYS.items():
        path = tmp_path / name
        path.write_bytes(convert(rows))
        again = ingest(path, allow_invalid=True)
        assert (way, again.outcome) == (way, "already_there")
        assert again.run_id == first.run_id
    assert bench.execute("select count(*) from runs").fetchall() == [(1,)]
    assert bench.execute("select max(seq) from ingests").fetchall() == [(2,)]


def test_several_files_are_one_run(ingest, write):
    whole = ingest(OK_ROWS)
    parts = [write(OK_ROWS[3:], "b.jsonl.gz"), write(OK_ROWS[:3], "a.jsonl")]
    assert ingest(*parts).run_id == whole.run_id


@pytest.mark.parametrize("rows", [OK_ROWS, ODD_ROWS], ids=["ok", "odd"])
def test_a_dumped_run_is_the_same_run(ingest, bench, rows):
    run = ingest(rows, allow_invalid=True)
    again = ingest(list(dumped(bench, run.run_id)), allow_invalid=True)
    assert again.run_id == run.run_id


@pytest.mark.parametrize("rows", [OK_ROWS, ODD_ROWS], ids=["ok", "odd"])
def test_the_digests_follow_from_what_is_stored(ingest, bench, rows):
    run = ingest(rows, label="greedy", unsupported=(), allow_invalid=True)
    recomputed = bench.execute(
        """
        with digests as (
            select digest_of(prediction_digest(
                item_id, status, reason, label_index, labels, level, probabilities,
                returned, step_probabilities, latency_s, input_tokens, output_tokens,
                cost_usd, error, meta
            ), item_id) as rows_sha256
            from predictions
        )
        select rows_sha256, run_digest('b', 'm', null, 'greedy', [], rows_sha256)
        from digests
        """
    ).fetchall()
    assert recomputed == [(run.rows_sha256, run.run_id)]


def test_the_canonical_form_of_a_digest(bench):
    """Anyone can recompute a digest: SHA-256 of a JSON array without spaces."""
    text = '["c1","ok",null,0,null,null,[0.5,0.25],null,null,0.1,3,null,null,"é",null]'
    found = bench.execute(
        "select prediction_digest('c1', 'ok', null, 0, null::varchar[], null::double, "
        "[0.5e0, 0.25e0], null, null::double[], 0.1::double, 3, null, null, "
        "'é', null)"
    ).fetchall()
    assert found == [(hashlib.sha256(text.encode()).hexdigest(),)]


@pytest.mark.parametrize(
    "other",
    [
        {"label": "x"},
        {"model": Model("n")},
        {"model": Model("m", "r1")},
        {"unsupported": ("score",)},
    ],
)
def test_the_name_is_part_of_the_identity(ingest, other):
    rows = OK_ROWS[:2]
    first = ingest(rows)
    if "unsupported" in other:
        other["label"] = "y"
    assert ingest(rows, **other).run_id != first.run_id


def test_the_declared_types_are_part_of_the_identity(ingest):
    """The same rows with other types declared are another run: a conflict, exit 4."""
    rows = [row for row in OK_ROWS if row["item_id"] in ("c1", "n1")]
    declared = ("score",), ("score", "multi_select"), ("multi_select",)
    first = ingest(rows)
    for types in declared:
        with pytest.raises(ConflictError) as refused:
            ingest(rows, unsupported=types)
        assert refused.value.exit_code == 4
    ids = {
        ingest(rows, unsupported=types, label=f"l{n}").run_id
        for n, types in enumerate(declared)
    }
    assert len({first.run_id, *ids}) == 4
    # A type twice, or in another order, is declared all the same.
    again = ingest(rows, unsupported=("multi_select", "score", "score"), label="l1")
    assert again.outcome == "already_there"


def test_a_relabelled_run_of_other_declared_types_is_another(ingest, bench):
    """It is known by its rows and types, whatever name it had when it was stored."""
    rows = [row for row in OK_ROWS if row["item_id"] == "c1"]
    run = ingest(rows, unsupported=("score",), label="old")
    event(bench, run.run_id, "relabelled", "new")
    assert ingest(rows, unsupported=("score",), label="new").run_id == run.run_id
    with pytest.raises(ConflictError):
        ingest(rows, unsupported=("noul",), label="new")
    with pytest.raises(ConflictError):
        ingest(rows, label="new")


def test_settings_and_description_are_not(ingest):
    first = ingest(OK_ROWS, settings={"temperature": "0"})
    again = ingest(OK_ROWS, model=Model("m", provider="p"), settings={})
    assert again.run_id == first.run_id


def test_other_rows_under_the_name_are_a_conflict(ingest, bench):
    first = ingest(OK_ROWS)
    changed = [{"item_id": "c2", "answer": "a"}, *OK_ROWS[2:]]
    with pytest.raises(ConflictError) as refused:
        ingest(changed)
    message = str(refused.value)
    assert first.run_id[:12] in message
    # c2 has another answer and c1 is not there any more.
    assert "1 row differs, 1 row is gone (the first: item 'c1')" in message
    assert "another label" in message
    assert "supersede=True" in message
    assert bench.execute("select count(*) from runs").fetchall() == [(1,)]


def states(connection):
    return connection.execute(
        "select run_id, is_superseded, is_current from run_states order by seq"
    ).fetchall()


def events(connection):
    return connection.execute(
        "select run_id, event, value from run_events order by seq, event"
    ).fetchall()


def test_a_run_supersedes_and_is_reinstated(ingest, bench):
    old = ingest(OK_ROWS)
    new = ingest(OK_ROWS[:4], supersede=True)
    assert (new.outcome, new.superseded) == ("stored", old.run_id)
    assert states(bench) == [(old.run_id, True, False), (new.run_id, False, True)]
    assert events(bench) == [(old.run_id, "superseded", new.run_id)]
    with pytest.raises(ConflictError):
        ingest(OK_ROWS)
    back = ingest(OK_ROWS, supersede=True)
    assert (back.outcome, back.superseded) == ("reinstated", new.run_id)
    assert states(bench) == [(old.run_id, False, True), (new.run_id, True, False)]
    assert bench.execute("select count(*) from predictions").fetchall() == [(9,)]


def event(connection, run_id, name, value=None):
    seq = connection.execute("select max(seq) + 1 from ingests").fetchall()[0][0]
    connection.execute(
        "insert into ingests values (?, ?, now()::timestamp, 'event', 'test', null)",
        [seq, f"e{seq}"],
    )
    connection.execute(
        "insert into run_events values (?, ?, ?, ?, 'a test')",
        [seq, run_id, name, value],
    )


def test_a_withdrawn_run_keeps_its_name(ingest, bench):
    run = ingest(OK_ROWS)
    event(bench, run.run_id, "withdrawn")
    again = ingest(OK_ROWS)
    assert (again.outcome, again.is_withdrawn) == ("already_there", True)
    assert f"`jevdb runs restore {run.run_id[:12]}` brings it back" in str(again)
    with pytest.raises(ConflictError, match="is withdrawn run"):
        ingest(OK_ROWS[:1])


def test_a_relabelled_run_holds_its_new_name_and_frees_the_old(ingest, bench):
    run = ingest(OK_ROWS)
    event(bench, run.run_id, "relabelled", "kept")
    same = ingest(OK_ROWS, label="kept")
    assert (same.outcome, same.run_id) == ("already_there", run.run_id)
    with pytest.raises(ConflictError):
        ingest(OK_ROWS[:1], label="kept")
    assert ingest(OK_ROWS[:1]).outcome == "stored"


def test_what_is_stored_of_a_run(ingest, bench):
    from datetime import datetime

    run = ingest(
        OK_ROWS,
        settings={"b": "2", "a": "1"},
        started_at=datetime(2026, 3, 1, 12),
        unsupported=(),
        is_private=True,
        model=Model("m", "r", "p", True, 7, "alias", "m-0301", {"url": "u"}),
    )
    path_free = [{"name": "rows.jsonl", "sha256": run.files[0]["sha256"]}]
    found = bench.execute(
        "select settings::varchar, started_at, source_files::varchar, is_private "
        "from run_states"
    ).fetchall()
    assert found == [
        (
            '{"a":"1","b":"2"}',
            datetime(2026, 3, 1, 12),
            json.dumps(path_free, separators=(",", ":")),
            True,
        )
    ]
    assert run.files[0]["sha256"] == hashlib.sha256(as_bytes(OK_ROWS)).hexdigest()
    assert bench.execute("select * exclude (model_id, seq) from models").fetchall() == [
        ("m", "r", "p", True, 7, "alias", "m-0301", '{"url":"u"}')
    ]


def test_nothing_temporary_is_left(ingest, bench):
    before = bench.execute("select count(*) from duckdb_views()").fetchall()
    ingest(OK_ROWS)
    assert bench.execute("select count(*) from duckdb_views()").fetchall() == before
    temporary = "select count(*) from duckdb_tables() where temporary"
    assert bench.execute(temporary).fetchall() == [(0,)]
