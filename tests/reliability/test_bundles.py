"""Bundles go out and come back whole, to the byte, or are refused."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
import subprocess
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path

import duckdb
import msgspec
import pytest
from building import insert, next_seq
from commandline import COMMAND, fill, jevdb, rows_of
from processes import digest

from jevdb.bundles import bundle
from jevdb.bundles.bundle import MANIFEST, Manifest, TableFile, read_manifest, sha256_of
from jevdb.warehouse.database import open_reader, open_writer
from jevdb.warehouse.upgrading import create_tables


@pytest.fixture(scope="module")
def small_path(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse of four items and three runs; for reading only."""
    path = tmp_path_factory.mktemp("small") / "w.duckdb"
    shutil.copyfile(template, path)
    fill(path)
    return path


@pytest.fixture(scope="module")
def bundled(small_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its bundle; for reading only."""
    folder = tmp_path_factory.mktemp("bundles") / "small"
    assert jevdb(small_path, "backup", str(folder)).exit_code == 0
    return folder


@pytest.fixture(scope="module")
def bundled_demo(demo_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundle of the demo's warehouse; for reading only."""
    folder = tmp_path_factory.mktemp("bundles") / "demo"
    assert jevdb(demo_path, "backup", str(folder)).exit_code == 0
    return folder


def exported(path: Path) -> str:
    result = jevdb(path, "export", "--out", "-")
    assert result.exit_code == 0, result.stderr
    return result.stdout


def test_a_restored_warehouse_is_the_same(
    bundled_demo: Path, demo_path: Path, tmp_path: Path
):
    path = tmp_path / "restored.duckdb"
    result = jevdb(path, "restore", str(bundled_demo))
    assert (result.exit_code, result.stdout) == (0, "")
    assert exported(path) == exported(demo_path)
    assert jevdb(path, "check").exit_code == 0
    objects = (
        "select view_name as name, comment, sql from duckdb_views() where not internal "
        "union all select table_name, comment, sql from duckdb_tables() "
        "union all select function_name, comment, macro_definition "
        "from duckdb_functions() where not internal"
    )
    listed = f"from ({objects}) where name <> 'alembic_version' order by all"
    assert rows_of(path, "sql", listed) == rows_of(demo_path, "sql", listed)
    again = tmp_path / "again"
    result = jevdb(path, "backup", str(again))
    assert result.stdout == f"{read_manifest(bundled_demo).bundle_sha256}\n"
    for file in bundled_demo.iterdir():
        assert (again / file.name).read_bytes() == file.read_bytes()
    assert sorted(tmp_path.iterdir()) == [again, path], "nothing else is left"


def test_the_order_in_which_rows_came_does_not_matter(
    warehouse_path: Path, tmp_path: Path
):
    other = tmp_path / "other.duckdb"
    shutil.copyfile(warehouse_path, other)
    digests = set()
    for path, seed in ((warehouse_path, 1), (other, 2)):
        dice = random.Random(seed)
        with open_writer(path) as connection:
            connection.execute("set threads = 1" if seed == 1 else "set threads = 4")
            connection.execute("begin")
            connection.execute(
                "insert into ingests by name select 1 as seq, 'i' as "
                "ingest_id, '2026-01-01'::timestamp as ingested_at, 'run' as kind, "
                "'0' as jevdb_version"
            )
            connection.execute(
                "insert into predictions by name select 'r' as run_id, "
                "'ok' as status, false as renormalized, false as answer_mismatch, "
                "1 as attempts, i::varchar as item_id, [i / 7e0] as probabilities "
                f"from range(5000) as t(i) order by hash(i + {dice.randrange(99)})"
            )
            connection.execute("commit")
            connection.execute("update ingests set ingested_at = '2026-01-01'")
        digests.add(jevdb(path, "backup", str(tmp_path / f"b{seed}")).stdout)
    assert len(digests) == 1


def test_every_value_comes_back(warehouse_path: Path, tmp_path: Path):
    """Doubles to the bit, empty and null lists, JSON as written, odd texts."""
    doubles = [0.1, 5e-324, 1.7976931348623157e308, -0.0, 1 / 3]
    texts = ["", " ", "\t\n\r", "é\u0301", "\U0001f600", "'); drop table runs; --", '"']
    row = {"run_id": "r", "item_id": "i", "status": "invalid", "attempts": 1}
    flags = {"renormalized": False, "answer_mismatch": False}
    values = {"probabilities": doubles, "labels": texts, "step_probabilities": []}
    more = {"returned": '{"b": 1.0, "a": [1e400]}', "input_tokens": 2**63 - 1}
    with open_writer(warehouse_path) as connection:
        insert(connection, "predictions", [{**row, **flags, **values, **more}])
    assert jevdb(warehouse_path, "backup", str(tmp_path / "b")).exit_code == 0
    path = tmp_path / "restored.duckdb"
    assert jevdb(path, "restore", str(tmp_path / "b")).exit_code == 0
    with open_reader(path) as connection:
        (found,) = connection.execute("from predictions").fetchall()
        names = [column[0] for column in connection.description]
    stored = dict(zip(names, found, strict=True))
    assert stored == dict.fromkeys(names) | {"repeat": 0} | row | flags | values | more
    assert [x.hex() for x in stored["probabilities"]] == [x.hex() for x in doubles]


@pytest.mark.parametrize("kind", ["folder", "tar"])
def test_one_flipped_bit_anywhere_is_refused(
    bundled: Path, small_path: Path, tmp_path: Path, kind: str
):
    dice = random.Random(5)
    if kind == "folder":
        place = tmp_path / "bundle"
        shutil.copytree(bundled, place)
        files = sorted(place.iterdir())
    else:
        place = tmp_path / "bundle.tar"
        assert jevdb(small_path, "backup", str(place)).exit_code == 0
        files = [place] * 20
    before = {path: path.read_bytes() for path in files}
    for path in files:
        data = bytearray(before[path])
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
        path.write_bytes(data)
        result = jevdb(tmp_path / "new.duckdb", "restore", str(place))
        assert result.exit_code == 1, (path.name, result.output)
        assert result.stderr.startswith("error: ")
        assert result.exception is None or isinstance(result.exception, SystemExit)
        path.write_bytes(before[path])
    assert not (tmp_path / "new.duckdb").exists()
    assert jevdb(tmp_path / "new.duckdb", "restore", str(place)).exit_code == 0


def test_every_byte_of_the_manifest_counts(bundled: Path, tmp_path: Path):
    """A space more is another text, though it says the same."""
    shutil.copytree(bundled, tmp_path / "bundle")
    manifest = tmp_path / "bundle" / MANIFEST
    manifest.write_text(manifest.read_text() + " ")
    result = jevdb(tmp_path / "new.duckdb", "restore", str(tmp_path / "bundle"))
    assert result.exit_code == 1
    assert "not those that were written" in result.stderr


@pytest.mark.parametrize("name", ["predictions.parquet", MANIFEST])
def test_a_missing_file_is_named(bundled: Path, tmp_path: Path, name: str):
    shutil.copytree(bundled, tmp_path / "bundle")
    (tmp_path / "bundle" / name).unlink()
    result = jevdb(tmp_path / "new.duckdb", "restore", str(tmp_path / "bundle"))
    assert result.exit_code == 1
    assert name in result.stderr
    assert "missing" in result.stderr
    assert not (tmp_path / "new.duckdb").exists()


def sealed(folder: Path, change: Callable[[Manifest], Manifest]) -> None:
    """Write the manifest anew, with digests that are right."""
    manifest = change(
        msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
    )
    tables = {
        name: TableFile(held.file, held.rows, sha256_of(folder / held.file))
        for name, held in manifest.tables.items()
    }
    manifest = msgspec.structs.replace(manifest, tables=tables).sealed()
    (folder / MANIFEST).write_bytes(manifest.to_bytes())


def revised(revision: str) -> Callable[[Manifest], Manifest]:
    return lambda manifest: msgspec.structs.replace(manifest, schema_revision=revision)


@pytest.mark.parametrize(
    ("revision", "message"),
    [("9999", "newer than this jevdb knows"), ("base", "is none of jevdb")],
)
def test_a_schema_that_is_not_known(
    bundled: Path, tmp_path: Path, revision: str, message: str
):
    shutil.copytree(bundled, tmp_path / "bundle")
    sealed(tmp_path / "bundle", revised(revision))
    result = jevdb(tmp_path / "new.duckdb", "restore", str(tmp_path / "bundle"))
    assert result.exit_code == 1
    assert message in result.stderr
    assert not (tmp_path / "new.duckdb").exists()


def test_an_older_schema_is_brought_to_todays(bundled_demo: Path, tmp_path: Path):
    """The tables of the first revision, as a jevdb of then would have bundled them."""
    folder = tmp_path / "bundle"
    shutil.copytree(bundled_demo, folder)
    connection = duckdb.connect()
    create_tables(connection, "0001")
    columns: dict[str, list[str]] = {}
    for table, column in connection.execute(
        "select table_name, column_name from duckdb_columns()"
    ).fetchall():
        columns.setdefault(table, []).append(f'"{column}"')

    def only_then(manifest: Manifest) -> Manifest:
        kept = {name: held for name, held in manifest.tables.items() if name in columns}
        for name, held in kept.items():
            new, file = folder / "then", folder / held.file
            # There was one rule for ties then, and no method with another.
            known = "where tie_rule = 'lexicographic'" if name == "methods" else ""
            connection.execute(
                f"copy (select {', '.join(columns[name])} from '{file}' {known}) "
                f"to '{new}' (format parquet)"
            )
            new.replace(file)
            if known:
                kept[name] = msgspec.structs.replace(held, rows=3)
        return msgspec.structs.replace(manifest, tables=kept, schema_revision="0001")

    sealed(folder, only_then)
    connection.close()
    path = tmp_path / "new.duckdb"
    result = jevdb(path, "restore", str(folder))
    assert result.exit_code == 0, result.stderr
    assert jevdb(path, "check").exit_code == 0
    assert len(rows_of(path, "runs")) == 5


HOSTILE = {
    "a second statement": "select 1; copy (select 1) to '{file}'",
    "a file": "select a, b, c, d from '{other}'",
    "a function": "select content from read_text('{other}')",
    "a setting": "select * from enable_profiling()",
    "another table": "select run_id, run_id, run_id, run_id from runs",
}


@pytest.mark.parametrize(
    "name",
    [
        *("a second statement", "a file"),
        *(
            pytest.param(name, marks=pytest.mark.long)
            for name in ("a function", "a setting", "another table")
        ),
    ],
)
def test_sql_in_a_bundle_is_held_to_what_a_scope_may_do(
    warehouse_path: Path, tmp_path: Path, name: str
):
    """A stored scoring becomes a view; whoever made the bundle wrote it."""
    other = tmp_path / "other.csv"
    other.write_text("a,b,c,d\n1,2,3,4\n")
    sql = HOSTILE[name].format(file=tmp_path / "out", other=other)
    row = {"scoring": "acme", "version": 1, "sql": f"-- acme: x.\n{sql}", "seq": 1}
    with open_writer(warehouse_path) as connection:
        next_seq(connection, "scope")
        insert(connection, "scope_versions", [{**row, "sql_sha256": "0"}])
    assert jevdb(warehouse_path, "backup", str(tmp_path / "b")).exit_code == 0
    before = sorted(tmp_path.iterdir())
    result = jevdb(tmp_path / "new.duckdb", "restore", str(tmp_path / "b"))
    assert result.exit_code == 1
    assert result.stderr.startswith("error: ")
    assert sorted(tmp_path.iterdir()) == before


WRONG_COLUMNS = {
    "one too few": "benchmark_id, 'm' as report_row, 'all' as subset",
    "in another order": "'m' as report_row, benchmark_id, 'all' as subset, item_id",
    "none of the items": "benchmark_id, 'm' as report_row, 'all' as subset, nothing",
}


def store_scopes(path: Path, columns: Mapping[str, str]) -> None:
    """Store scorings of these columns as nobody could by ``scopes add``."""
    with open_writer(path) as connection:
        for scoring, listed in columns.items():
            sql = f"-- {scoring}: x.\nselect {listed} from golden_items"
            sha256 = hashlib.sha256(sql.encode()).hexdigest()
            seq = next_seq(connection, "scope")
            row = {"scoring": scoring, "version": 1, "sql": sql, "seq": seq}
            insert(connection, "scope_versions", [{**row, "sql_sha256": sha256}])


def test_scopes_with_wrong_columns_are_left_out_of_what_is_read(
    warehouse_path: Path, tmp_path: Path
):
    scopes = dict(zip("abc", WRONG_COLUMNS.values(), strict=True))
    store_scopes(warehouse_path, scopes)
    backup = jevdb(warehouse_path, "backup", str(tmp_path / "b"))
    assert backup.exit_code == 0, backup.output
    for scoring in scopes:
        assert f"the scoring {scoring} is left out: " in backup.stderr
    assert jevdb(warehouse_path, "report").exit_code == 0
    assert jevdb(warehouse_path, "check").exit_code == 1


@pytest.mark.parametrize(
    "name",
    [
        "one too few",
        pytest.param("in another order", marks=pytest.mark.long),
        pytest.param("none of the items", marks=pytest.mark.long),
    ],
)
def test_a_bundle_with_a_scope_of_wrong_columns_is_refused(
    warehouse_path: Path, tmp_path: Path, name: str
):
    """All of them are told apart by what is read, in the test before."""
    store_scopes(warehouse_path, {"acme": WRONG_COLUMNS[name]})
    assert jevdb(warehouse_path, "backup", str(tmp_path / "b")).exit_code == 0
    before = sorted(tmp_path.iterdir())
    result = jevdb(tmp_path / "new.duckdb", "restore", str(tmp_path / "b"))
    assert (result.exit_code, result.stdout) == (1, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith("error: the scoring acme, version 1: ")
    assert sorted(tmp_path.iterdir()) == before


def test_tables_that_are_not_the_schemas(bundled: Path, tmp_path: Path):
    folder = tmp_path / "bundle"
    shutil.copytree(bundled, folder)
    shutil.copyfile(folder / "golds.parquet", folder / "runs.parquet")
    sealed(folder, lambda manifest: manifest)
    result = jevdb(tmp_path / "new.duckdb", "restore", str(folder))
    assert result.exit_code == 1
    assert "the bundle holds no warehouse: Binder Error" in result.stderr
    assert not (tmp_path / "new.duckdb").exists()


def test_nothing_that_is_there_is_written_over(
    bundled: Path, warehouse_path: Path, tmp_path: Path
):
    before = digest(warehouse_path)
    result = jevdb(warehouse_path, "restore", str(bundled))
    assert result.exit_code == 4
    assert "there is a file already" in result.stderr
    assert digest(warehouse_path) == before
    for name, data in (("full", b"x"), ("file.tar", b"y"), ("file", b"z")):
        place = tmp_path / name
        if name == "full":
            place.mkdir()
            (place / "x").write_bytes(data)
        else:
            place.write_bytes(data)
        result = jevdb(warehouse_path, "backup", str(place))
        assert result.exit_code == 4, result.output
        assert "is there already" in result.stderr
    assert (tmp_path / "full" / "x").read_bytes() == b"x"
    assert (tmp_path / "file.tar").read_bytes() == b"y"


def test_the_log_of_a_lost_database_is_not_taken_for_ours(
    bundled: Path, tmp_path: Path
):
    log = tmp_path / "new.duckdb.wal"
    log.write_bytes(b"somebody's last words")
    for command in (["restore", str(bundled)], ["init"]):
        result = jevdb(tmp_path / "new.duckdb", *command)
        assert result.exit_code == 1
        assert f"{log}: the log of a database that is gone" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == [log.name]


def test_through_the_standard_streams(small_path: Path, tmp_path: Path):
    packed = tmp_path / "small.tar"
    assert jevdb(small_path, "backup", str(packed)).exit_code == 0
    sent = subprocess.run(
        [*COMMAND, "--db", str(small_path), "backup", "-"],
        capture_output=True,
        check=True,
    )
    assert sent.stdout == packed.read_bytes()
    path = tmp_path / "received.duckdb"
    result = jevdb(path, "restore", "-", stdin=sent.stdout)
    assert result.exit_code == 0, result.stderr
    assert exported(path) == exported(small_path)
    result = jevdb(tmp_path / "new.duckdb", "restore", "-", stdin=sent.stdout[:-1])
    assert result.exit_code == 1


@pytest.mark.parametrize("name", ["nothing", "text.tar", "empty.tar", "device"])
def test_what_is_no_bundle(warehouse_path: Path, tmp_path: Path, name: str):
    place = tmp_path / name
    if name == "text.tar":
        place.write_text("not a tar file at all" * 100)
    if name == "empty.tar":
        place.write_bytes(b"")
    if name == "device":
        place = Path("/dev/null")
    result = jevdb(tmp_path / "new.duckdb", "restore", str(place))
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 1


def test_a_tar_file_cannot_reach_outside(tmp_path: Path):
    import io
    import tarfile

    for name in ("../out", "/tmp/out", "manifest.json/../../out", "sub/manifest.json"):
        packed = tmp_path / "bundle.tar"
        with tarfile.open(packed, "w") as archive:
            member = tarfile.TarInfo(name)
            member.size = 1
            archive.addfile(member, io.BytesIO(b"x"))
        result = jevdb(tmp_path / "new.duckdb", "restore", str(packed))
        assert result.exit_code == 1
        assert "no file of a bundle" in result.stderr
        assert [path.name for path in tmp_path.iterdir()] == ["bundle.tar"]


def sparse(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """A member whose header says that it is 4 GiB of holes."""
    member.pax_headers = {
        "GNU.sparse.major": "1",
        "GNU.sparse.minor": "0",
        "GNU.sparse.name": member.name,
        "GNU.sparse.realsize": str(1 << 32),
    }
    return member


def sparse_map(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """The same, its map in the header."""
    member.pax_headers = {
        "GNU.sparse.name": member.name,
        "GNU.sparse.size": str(1 << 32),
        "GNU.sparse.map": "0,1",
    }
    return member


def old_sparse(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.type = tarfile.GNUTYPE_SPARSE
    return member


def linked(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
    return member


def renamed(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.name = "more.parquet"
    return member


def packed_with(
    folder: Path, packed: Path, change: Callable[[tarfile.TarInfo], tarfile.TarInfo]
) -> None:
    """Pack a bundle, the table of runs not as `pack` would."""
    with tarfile.open(packed, "w", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(folder.iterdir()):
            member = tarfile.TarInfo(path.name)
            member.size = path.stat().st_size
            if path.name == "runs.parquet":
                member = change(member)
            with path.open("rb") as file:
                archive.addfile(member, file)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (sparse, "bundle.tar: not a bundle"),
        (sparse_map, "'runs.parquet': no file of a bundle"),
        (old_sparse, "no file of a bundle"),
        (linked, "'runs.parquet': no file of a bundle"),
        (renamed, "more.parquet: missing, or not in the manifest.json"),
    ],
)
def test_a_tar_file_is_refused_before_a_byte_is_written(
    bundled: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[tarfile.TarInfo], tarfile.TarInfo],
    words: str,
):
    monkeypatch.setattr(bundle.shutil, "copyfileobj", lambda *given: pytest.fail())
    packed = tmp_path / "bundle.tar"
    packed_with(bundled, packed, change)
    result = jevdb(tmp_path / "new.duckdb", "restore", str(packed))
    assert result.exit_code == 1 and words in result.stderr, result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["bundle.tar"]


def test_sizes_are_held_to_what_there_is(
    bundled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """A size that is larger than its bytes, and a total beyond the limit."""
    monkeypatch.setattr(bundle.shutil, "copyfileobj", lambda *given: pytest.fail())
    packed = tmp_path / "bundle.tar"
    with packed.open("wb") as out:
        bundle.pack(bundled, out)
    whole = packed.read_bytes()
    at = whole.index(b"runs.parquet\0") + 124
    header = bytearray(whole[at - 124 : at + 388])
    header[124:136] = b"77777777777\0"
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    packed.write_bytes(whole[: at - 124] + header + whole[at + 388 :])
    result = jevdb(tmp_path / "new.duckdb", "restore", str(packed))
    assert result.exit_code == 1 and "larger than the file it is in" in result.stderr
    packed.write_bytes(whole)
    monkeypatch.setattr(bundle, "MOST_BYTES", 1000)
    result = jevdb(tmp_path / "new.duckdb", "restore", str(packed))
    assert result.exit_code == 1 and "over 1,000 bytes" in result.stderr
    monkeypatch.setattr("jevdb.bundles.bundling.MOST_BYTES", 1000)
    result = jevdb(tmp_path / "new.duckdb", "restore", "-", stdin=whole)
    assert result.exit_code == 1 and "over 1,000 bytes" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["bundle.tar"]


def test_a_manifest_of_more_rows_than_there_can_be(bundled: Path, tmp_path: Path):
    folder = tmp_path / "b"
    shutil.copytree(bundled, folder)

    def many(manifest: Manifest) -> Manifest:
        runs = msgspec.structs.replace(manifest.tables["runs"], rows=10**13)
        return msgspec.structs.replace(
            manifest, tables=manifest.tables | {"runs": runs}
        )

    sealed(folder, many)
    result = jevdb(tmp_path / "new.duckdb", "restore", str(folder))
    assert (
        result.exit_code == 1 and "a bundle has at most 4,000,000,000" in result.stderr
    )


def test_a_long_key_is_cut(bundled: Path, tmp_path: Path):
    folder = tmp_path / "b"
    shutil.copytree(bundled, folder)
    text = (folder / MANIFEST).read_text()
    (folder / MANIFEST).write_text(text.replace("{", '{"' + "k" * 900_000 + '": 1,', 1))
    result = jevdb(tmp_path / "new.duckdb", "restore", str(folder))
    assert result.exit_code == 1 and "unknown field" in result.stderr
    assert len(result.stderr) < 4000


def test_a_users_own_objects(warehouse_path: Path, tmp_path: Path):
    """Compacting keeps them, a bundle leaves them out."""
    fill(warehouse_path)
    with open_writer(warehouse_path) as connection:
        connection.execute("create table notes as select 'x' as note")
        connection.execute("create view mine as select count(*) as n from report")
    assert jevdb(warehouse_path, "backup", str(tmp_path / "b")).exit_code == 0
    assert not (tmp_path / "b" / "notes.parquet").exists()
    assert jevdb(warehouse_path, "compact").exit_code == 0
    assert rows_of(warehouse_path, "sql", "from notes, mine") == [
        {"note": "x", "n": 15}
    ]


def test_the_same_manifest_on_any_day(bundled: Path):
    """It says what is inside, and nothing of when, where or who."""
    told = json.loads((bundled / MANIFEST).read_text())
    assert told.keys() == {
        *("bundle_sha256", "duckdb_version", "format", "jevdb_version"),
        *("schema_revision", "tables"),
    }
    for name, held in told["tables"].items():
        data = (bundled / held["file"]).read_bytes()
        assert held["sha256"] == hashlib.sha256(data).hexdigest()
        counted = duckdb.sql(f"select count(*) from '{bundled / held['file']}'")
        assert counted.fetchall() == [(held["rows"],)], name
