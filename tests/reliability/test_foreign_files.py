"""Warehouse files of strangers: whatever they hold, nothing of it is run.

Every file of the corpus would write a mark, show a secret of this machine or never end,
if a statement of it were executed or one of its views read. What the commands say of it
has to be what they say of the same rows in an honest file.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pytest
from commandline import fill, jevdb

import jevdb as api
from jevdb.base.errors import JevdbError, UsageError
from jevdb.warehouse import scope_rules
from jevdb.warehouse.contents import Strangers
from jevdb.warehouse.database import looked_into, open_reader, open_writer
from jevdb.warehouse.known import is_known, remember, state_of
from jevdb.warehouse.sqlfiles import program_view

SECRET = "what-only-this-machine-knows"
ENDLESS = "range(1000000000000)"
SCOPE = """\
-- acme: one row per item.
select
    benchmark_id,
    'core' as report_row,
    'all' as subset,
    item_id
from golden_items
where scoring = 'acme'"""


class Place(NamedTuple):
    """Where an attack would write, and what it would read."""

    mark: Path
    secret: Path

    @property
    def copy(self) -> str:
        return f"copy (select 1) to '{self.mark}'"

    @property
    def read(self) -> str:
        return f"(select content from read_text('{self.secret}'))"


Attack = Callable[[duckdb.DuckDBPyConnection, Place], None]
READ: dict[str, Attack] = {}
"""Attacks on what is computed: the same rows are read without what the file says."""
REFUSED: dict[str, Attack] = {}
"""Attacks on the tables themselves: there are no rows that could be read."""
HARMLESS: dict[str, Attack] = {}
"""What is a file's own affair: nothing of jevdb's reads it."""


def of(corpus: dict[str, Attack]) -> Callable[[Attack], Attack]:
    def keep(attack: Attack) -> Attack:
        corpus[attack.__name__] = attack
        return attack

    return keep


@of(READ)
def a_report_that_reads(file: duckdb.DuckDBPyConnection, place: Place) -> None:
    columns = [name for name, *_ in file.execute("describe report").fetchall()]
    listed = ", ".join(f"{place.read} as {name}" for name in columns)
    file.execute(f"create or replace view report as select {listed}")


@of(READ)
def inner_views_that_never_end(file: duckdb.DuckDBPyConnection, _: Place) -> None:
    for view in ("golden_items", "run_states", "scopes", "tallies"):
        file.execute(f"create or replace view {view} as select a.* from {ENDLESS} as a")


@of(READ)
def views_that_list_and_log(file: duckdb.DuckDBPyConnection, place: Place) -> None:
    file.execute("create or replace view benchmark_states as from glob('/etc/*')")
    file.execute(
        "create or replace view reported_states as from "
        f"enable_logging(storage = 'file', storage_path = '{place.mark.parent}')"
    )


@of(READ)
def a_record_that_reads(file: duckdb.DuckDBPyConnection, place: Place) -> None:
    file.execute(
        f"create or replace view program as select 'views' as layer, 'view' as kind, "
        f"{place.read} as name, '0.0.1' as jevdb_version, 'x' as program_sha256"
    )


@of(READ)
def a_record_that_never_ends(file: duckdb.DuckDBPyConnection, _: Place) -> None:
    file.execute(
        "create or replace view program as select 'view' as kind, 'x' as name, "
        f"'0.0.1' as jevdb_version, 'x' as program_sha256 from {ENDLESS}"
    )


@of(READ)
def names_with_statements(file: duckdb.DuckDBPyConnection, place: Place) -> None:
    """The record of an older jevdb, so that its views are dropped and made anew."""
    behind = f'x"; {place.copy}; --'.replace("'", "''")
    row = f"('checks', 'view', '{behind}', '{'0' * 64}'), ('"
    older = (
        program_view().replace("('", row, 1).replace("' as program", "0' as program")
    )
    file.execute(older)


@of(READ)
def kinds_with_statements(file: duckdb.DuckDBPyConnection, place: Place) -> None:
    behind = f"view if exists x; {place.copy}; drop view".replace("'", "''")
    row = f"('checks', '{behind}', 'x', '{'0' * 64}'), ('"
    older = (
        program_view().replace("('", row, 1).replace("' as program", "0' as program")
    )
    file.execute(older)


@of(READ)
def a_macro_of_the_program(file: duckdb.DuckDBPyConnection, place: Place) -> None:
    file.execute(f"create or replace macro exact_sum(x) as {place.read}")
    file.execute("create or replace macro mean_of_units(a, b) as 42")


@of(READ)
def a_scoring_with_a_statement(file: duckdb.DuckDBPyConnection, place: Place) -> None:
    add_scoring(file, f"{SCOPE}; {place.copy}")


@of(READ)
def a_scoring_that_reads(file: duckdb.DuckDBPyConnection, place: Place) -> None:
    add_scoring(file, f"{SCOPE} and item_id <> {place.read}")


@of(READ)
def a_scoring_of_chance(file: duckdb.DuckDBPyConnection, _: Place) -> None:
    add_scoring(file, f"{SCOPE} and random() < 0.5")


@of(READ)
def a_scoring_named_to_close(file: duckdb.DuckDBPyConnection, place: Place) -> None:
    add_scoring(file, SCOPE, name=f'x" as select 1; {place.copy}; --')


@of(READ)
def a_scoring_that_never_ends(file: duckdb.DuckDBPyConnection, _: Place) -> None:
    crossed = ", ".join(f"golden_items as g{number}" for number in range(30))
    add_scoring(
        file,
        SCOPE.replace(
            "item_id\nfrom golden_items",
            f"x.item_id\nfrom golden_items as x, {crossed}",
        )
        .replace("    benchmark_id", "    x.benchmark_id")
        .replace("where scoring = 'acme'", ""),
    )


@of(READ)
def a_scoring_behind_the_views(file: duckdb.DuckDBPyConnection, place: Place) -> None:
    add_scoring(file, SCOPE)
    file.execute(f"create view scope_acme as select {place.read} as benchmark_id")


@of(READ)
def suites_with_statements(file: duckdb.DuckDBPyConnection, place: Place) -> None:
    """What else of them may be wrong: tests/suites/test_foreign_suites.py."""
    behind = f"x'; {place.copy}; --"
    for document in ("[]", json.dumps({"member": [{"metric": behind}]})):
        digest = hashlib.sha256(document.encode()).hexdigest()
        row = [f"{behind}{digest}", behind, document, digest]
        file.execute("insert into suites values (?, ?, ?, ?, 1)", row)
        row = [f"{behind}{digest}", document, digest, document, digest]
        file.execute("insert into editions values (?, ?, ?, ?, ?, 1)", row)


def add_scoring(file: duckdb.DuckDBPyConnection, text: str, name: str = "acme") -> None:
    digest = hashlib.sha256(text.encode()).hexdigest()
    file.execute(
        "insert into scope_versions values (?, 1, ?, ?, 1)", [name, text, digest]
    )


@of(READ)
def macros_before_functions(file: duckdb.DuckDBPyConnection, place: Place) -> None:
    for name, parameters in {
        **{"lower": "x", "sum": "x", "max": "x", "max_by": "x, y"},
        **{"+": "x, y", "||": "x, y", "current_database": "", "coalesce": "x, y"},
        **{"count": "x", "list_sort": "x", "json_serialize_sql": "x"},
    }.items():
        file.execute(f'create macro "{name}"({parameters}) as {place.read}')


@of(READ)
def macros_before_the_catalog(file: duckdb.DuckDBPyConnection, place: Place) -> None:
    for name in ("duckdb_tables", "duckdb_views", "duckdb_functions", "unnest"):
        parameters = "x" if name == "unnest" else ""
        file.execute(
            f"create macro {name}({parameters}) as table select {place.read} as name"
        )


@of(READ)
def schemas_before_duckdbs(file: duckdb.DuckDBPyConnection, place: Place) -> None:
    for schema in ("temp", "system", "memory"):
        file.execute(f"create schema {schema}")
        file.execute(f"create view theirs.{schema}.scored as select {place.read} as x")


@of(READ)
def views_in_the_place_of_tables_of_the_catalog(
    file: duckdb.DuckDBPyConnection, place: Place
) -> None:
    a_report_that_reads(file, place)
    macros_before_functions(file, place)
    file.execute("comment on view report is '''; drop table runs; --'")


@of(REFUSED)
def a_generated_column(file: duckdb.DuckDBPyConnection, _: Place) -> None:
    file.execute("create table other as from items")
    file.execute("drop table items")
    columns = [
        f'"{name}" {kind}'
        for name, kind, *_ in file.execute("describe other").fetchall()
        if name != "family"
    ]
    file.execute(
        f"create table items ({', '.join(columns)}, family varchar generated always as "
        "(upper(item_id)))"
    )


@of(REFUSED)
def a_table_that_is_a_view(file: duckdb.DuckDBPyConnection, place: Place) -> None:
    columns = file.execute("describe models").fetchall()
    file.execute("drop table models")
    listed = ", ".join(f"{place.read} as {name}" for name, *_ in columns)
    file.execute(f"create view models as select {listed}")


@of(REFUSED)
def a_revision_that_is_a_view(file: duckdb.DuckDBPyConnection, place: Place) -> None:
    file.execute("drop table alembic_version")
    file.execute(f"create view alembic_version as select {place.read} as version_num")


@of(REFUSED)
def a_default_that_runs(file: duckdb.DuckDBPyConnection, _: Place) -> None:
    file.execute("alter table run_events alter reason set default (uuid()::varchar)")


@of(REFUSED)
def a_run_that_asked_without_end(file: duckdb.DuckDBPyConnection, _: Place) -> None:
    file.execute("update runs set n_repeats = 2147483647")


@of(REFUSED)
def an_older_table_with_a_generated_column(
    file: duckdb.DuckDBPyConnection, place: Place
) -> None:
    a_generated_column(file, place)
    file.execute("update alembic_version set version_num = '0001'")


@of(HARMLESS)
def views_and_macros_of_its_own(file: duckdb.DuckDBPyConnection, place: Place) -> None:
    file.execute(f"create view mine as select {place.read} as x")
    file.execute(f"create macro my_own() as {place.read}")
    file.execute("create sequence counting")
    file.execute("create table notes (n integer, t varchar generated always as ('x'))")
    file.execute("create index by_label on runs (lower(label))")
    file.execute("comment on view report is '''; drop table runs; --'")


Said = tuple[int, str]
"""The exit code of a command, and what it printed."""


class Stage(NamedTuple):
    """An attacked file, and what an honest one with the same rows reports."""

    path: Path
    place: Place

    def nothing_happened(self, said: str) -> None:
        assert not self.place.mark.exists()
        assert SECRET not in said
        assert sorted(each.name for each in self.place.mark.parent.iterdir()) == []


@pytest.fixture(scope="module")
def honest(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("honest") / "w.duckdb"
    shutil.copyfile(template, path)
    fill(path)
    return path


@pytest.fixture(scope="module")
def reported(honest: Path) -> Said:
    """What `jevdb report` says of the honest file."""
    return said_by(honest, *READING[0])[:2]


@pytest.fixture
def stage(honest: Path, tmp_path: Path) -> Callable[[Attack], Stage]:
    def made(attack: Attack) -> Stage:
        there = tmp_path / "marks"
        there.mkdir()
        secret = tmp_path / "secret"
        secret.write_text(SECRET)
        place = Place(there / "mark", secret)
        path = tmp_path / "theirs.duckdb"
        shutil.copyfile(honest, path)
        with duckdb.connect(path) as file:
            attack(file, place)
        return Stage(path, place)

    return made


@pytest.fixture(autouse=True)
def _no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop what never ends after two seconds, not ten: it would not end anyway."""
    monkeypatch.setattr(scope_rules, "SECONDS", 2.0)


def said_by(path: Path, *arguments: str) -> tuple[int, str, str]:
    done = jevdb(path, *arguments)
    assert not done.exception or isinstance(done.exception, SystemExit), done.output
    return done.exit_code, done.stdout, done.stderr


READING = (
    ("report", "--format", "json"),
    ("runs", "--format", "json"),
    ("sql", "select * from report order by all", "--format", "json"),
)


ALL_AT_ONCE = (
    *(a_report_that_reads, inner_views_that_never_end, a_macro_of_the_program),
    *(views_that_list_and_log, a_record_that_reads, a_scoring_with_a_statement),
    *(views_and_macros_of_its_own, macros_before_functions, macros_before_the_catalog),
)
"""Attacks that do not stand in each other's way."""


def one_by_one(corpus: dict[str, Attack]) -> list[Any]:
    """Return the attacks as parameters; those that come all at once are long alone."""
    return [
        pytest.param(
            attack, id=name, marks=[pytest.mark.long] * (attack in ALL_AT_ONCE)
        )
        for name, attack in corpus.items()
    ]


@pytest.mark.parametrize("attack", one_by_one(READ))
def test_what_a_file_computes_is_not_read(
    reported: Said, stage: Callable[[Attack], Stage], attack: Attack
):
    theirs = stage(attack)
    code, out, told = said_by(theirs.path, *READING[0])
    assert (code, out) == reported, told
    theirs.nothing_happened(out + told)


@pytest.mark.parametrize("attack", REFUSED.values(), ids=REFUSED.keys())
def test_a_file_without_our_tables_is_refused(
    stage: Callable[[Attack], Stage], attack: Attack
):
    theirs = stage(attack)
    before = theirs.path.read_bytes()
    for arguments in (READING[0], ("check",), ("backup", "-"), ("compact",)):
        code, out, told = said_by(theirs.path, *arguments)
        assert code == 1 and "error: " in told, told
        theirs.nothing_happened(out + told)
    assert theirs.path.read_bytes() == before


def test_a_files_own_views_are_its_own_affair(
    honest: Path, stage: Callable[[Attack], Stage]
):
    """Nothing of jevdb's reads them; who does gets no further than the file."""
    theirs = stage(views_and_macros_of_its_own)
    for arguments in READING:
        assert said_by(theirs.path, *arguments)[:2] == said_by(honest, *arguments)[:2]
    for asked in ("from mine", "select my_own()"):
        code, out, told = said_by(theirs.path, "sql", asked)
        assert code == 1 and "file system operations are disabled" in told
        theirs.nothing_happened(out + told)
    with pytest.raises(UsageError, match=r"the view mine, the macro my_own is not"):
        api.open(theirs.path).sql("select 1", safe=False)
    code, out, told = said_by(theirs.path, "check")
    assert (code, out) == said_by(honest, "check")[:2], told
    for name in ("view mine", "macro my_own", "table notes", "index by_label"):
        assert f"not jevdb's, and nothing of jevdb's reads it: the {name}" in told
    code, out, told = said_by(theirs.path, "doctor")
    assert "not jevdb's: the table notes" in out


COMMANDS = (
    ("benchmarks",),
    ("models",),
    ("methods",),
    ("scopes",),
    ("scopes", "show", "generic"),
    ("results",),
    ("snapshots",),
    ("history", "first"),
    ("revisions", "--benchmark", "small"),
    ("calibration", "first"),
    ("explain", "first", "I"),
    ("compare", "first", "se|cond@r1#greedy"),
    ("export", "--out", "-"),
    ("runs", "dump", "first", "--out", "-"),
    ("check",),
    ("doctor",),
    ("backup", "bundle"),
    ("site", "build", "site"),
)
OF_SCORINGS = "scope_versions.parquet"


def everything(file: duckdb.DuckDBPyConnection, place: Place) -> None:
    for attack in ALL_AT_ONCE:
        attack(file, place)


@pytest.mark.long
def test_every_command_reads_our_views_alone(
    stage: Callable[[Attack], Stage],
    honest: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    theirs = stage(everything)
    mine = tmp_path / "mine.duckdb"
    shutil.copyfile(honest, mine)
    outcomes = []
    for path, name in ((mine, "mine"), (theirs.path, "theirs")):
        there = tmp_path / f"in {name}"
        there.mkdir()
        monkeypatch.chdir(there)
        outcomes.append([said_by(path, *arguments) for arguments in COMMANDS])
        theirs.nothing_happened(str(outcomes[-1]))
    for arguments, (code, out, told), found in zip(COMMANDS, *outcomes, strict=True):
        if arguments[0] in ("check", "doctor"):
            assert found[0] == 1, found
            said = "".join(found[1:])
            assert "the view report" in said or "foreign_definitions" in said
        elif arguments[0] == "backup":
            # A bundle carries every row, that of the scoring which is left out too.
            assert (code, found[0]) == (0, 0)
        else:
            assert (code, out) == found[:2], (arguments, told, found[2])
    pages = [
        {
            each.relative_to(folder): each.read_bytes()
            for each in folder.rglob("*")
            if each.is_file() and each.name not in ("manifest.json", OF_SCORINGS)
        }
        for folder in (tmp_path / "in mine", tmp_path / "in theirs")
    ]
    assert pages[0] == pages[1]


def test_all_at_once(reported: Said, stage: Callable[[Attack], Stage]):
    theirs = stage(everything)
    code, out, told = said_by(theirs.path, *READING[0])
    assert (code, out) == reported, told
    code, out, told = said_by(theirs.path, "check")
    assert code == 1 and "foreign_definitions" in told
    theirs.nothing_happened(out + told)


def test_a_writer_makes_the_views_anew(stage: Callable[[Attack], Stage], honest: Path):
    theirs = stage(a_report_that_reads)
    code, _, told = said_by(theirs.path, "runs", "withdraw", "first", "--reason", "x")
    assert code == 0 and "the view report of the file is not this jevdb's" in told
    code, out, told = said_by(theirs.path, "check")
    assert "foreign_definitions" not in out + told
    theirs.nothing_happened(out)


def test_a_writer_does_not_run_a_files_macros(stage: Callable[[Attack], Stage]):
    theirs = stage(macros_before_functions)
    before = theirs.path.read_bytes()
    code, out, told = said_by(theirs.path, "runs", "withdraw", "first", "--reason", "x")
    assert code == 1 and "the macro " in told and "restore BUNDLE" in told
    theirs.nothing_happened(out + told)
    assert theirs.path.read_bytes() == before


def test_rows_are_taken_alone_into_a_clean_file(
    stage: Callable[[Attack], Stage],
    honest: Path,
    reported: Said,
    tmp_path: Path,
):
    theirs = stage(everything)
    theirs.path.with_name("x").mkdir()
    with duckdb.connect(theirs.path) as file:
        file.execute("delete from main.scope_versions")
    bundle, clean = tmp_path / "bundle", tmp_path / "clean.duckdb"
    assert said_by(theirs.path, "backup", str(bundle))[0] == 0
    assert said_by(clean, "restore", str(bundle))[0] == 0
    assert said_by(clean, "check")[1] == said_by(honest, "check")[1]
    assert said_by(clean, *READING[0])[:2] == reported


def test_a_reader_is_locked(honest: Path, tmp_path: Path):
    with open_reader(honest) as connection:
        for statement in (
            f"copy (select 1) to '{tmp_path / 'mark'}'",
            f"attach '{tmp_path / 'mark'}'",
            "from read_text('/etc/hostname')",
            "from glob('/etc/*')",
            "load httpfs",
            "install httpfs",
            "set enable_external_access = true",
            "set threads = 3",
            "insert into models select * from models",
        ):
            with pytest.raises(duckdb.Error):
                connection.execute(statement)
    assert not (tmp_path / "mark").exists()


def test_a_file_is_looked_through_again_when_it_changed(
    honest: Path, reported: Said, tmp_path: Path
):
    path = tmp_path / "w.duckdb"
    shutil.copyfile(honest, path)
    assert not is_known(path, state_of(path))
    with open_reader(path):
        pass
    assert is_known(path, state_of(path))
    with duckdb.connect(path) as file:
        file.execute("create or replace view report as select 'x' as model")
    assert not is_known(path, state_of(path))
    assert said_by(path, *READING[0])[:2] == reported
    assert not is_known(path, state_of(path))
    # Nor is a log believed that was put beside a known file.
    shutil.copyfile(honest, path)
    remember(path)
    path.with_name("w.duckdb.wal").write_bytes(b"")
    assert not is_known(path, state_of(path))


def test_what_others_can_write_is_not_believed(honest: Path, tmp_path: Path):
    path = tmp_path / "w.duckdb"
    shutil.copyfile(honest, path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JEVDB_CACHE", str(tmp_path / "cache"))
        patch.setattr("jevdb.warehouse.known._states", {})
        remember(path)
        patch.setattr("jevdb.warehouse.known._states", {})
        assert is_known(path, state_of(path))
        (tmp_path / "cache" / "known").chmod(0o777)
        patch.setattr("jevdb.warehouse.known._states", {})
        assert not is_known(path, state_of(path))
    with pytest.raises(JevdbError, match="no such"):
        api.open(tmp_path / "none.duckdb").runs()


def test_what_jevdb_makes_is_known_as_its_own(
    honest: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """A compacted file, a restored one, one with a scoring: no view is a stranger."""
    path = tmp_path / "w.duckdb"
    shutil.copyfile(honest, path)
    scope = tmp_path / "acme.sql"
    scope.write_text(SCOPE)
    for arguments in (("compact",), ("scopes", "add", str(scope)), ("compact",)):
        code, _, told = said_by(path, *arguments)
        assert code == 0 and "warning" not in told, told
        with open_reader(path) as connection:
            seen = looked_into(connection)
        assert (seen.strangers, seen.unfit) == (Strangers(), {})
    assert said_by(path, "backup", str(tmp_path / "b"))[0] == 0
    assert said_by(tmp_path / "new.duckdb", "restore", str(tmp_path / "b"))[0] == 0
    told = []
    with open_reader(tmp_path / "new.duckdb", on_wait=told.append) as connection:
        assert looked_into(connection).strangers == Strangers()
    assert told == []


def test_a_scoring_that_grows_with_the_items_is_left_out(
    honest: Path, reported: Said, tmp_path: Path
):
    """It was in order when it came; the next reader finds that it no longer is."""
    path = tmp_path / "w.duckdb"
    shutil.copyfile(honest, path)
    others = ", ".join(f"golden_items as g{number}" for number in range(4))
    joined = f"golden_items as a, {others}\nwhere"
    crossed = SCOPE.replace("golden_items\nwhere", joined)
    for name in ("benchmark_id,", "item_id\n", "scoring ="):
        crossed = crossed.replace(name, f"a.{name}")
    with duckdb.connect(path) as file:
        add_scoring(file, crossed.replace("a.scoring = 'acme'", "true"))
    # 4 items, so 4^4 rows an item; then 104 items, so 104^4.
    assert "left out" not in said_by(path, *READING[0])[2]
    items = tmp_path / "items.jsonl"
    item = {"type": "noul", "gold": "yes"}
    lines = (json.dumps({"item_id": f"n{n}", **item}) for n in range(100))
    items.write_text("\n".join(lines))
    asked = ("ingest", "items", str(items), "--benchmark", "more")
    assert said_by(path, *asked)[0] == 0
    code, out, told = said_by(path, *READING[0])
    assert (code, out) == reported
    assert "the scoring acme is left out: gives over 1,000 rows an item" in told


def test_an_item_of_another_benchmark_changes_nothing(
    honest: Path, reported: Said, tmp_path: Path
):
    path = tmp_path / "w.duckdb"
    shutil.copyfile(honest, path)
    with duckdb.connect(path) as file:
        add_scoring(file, SCOPE.replace("where scoring = 'acme'", ""))
    with open_writer(path):
        pass
    code, out, told = said_by(path, *READING[0])
    assert (code, out) == reported
    code, out, told = said_by(path, "check")
    assert code == 1 and "misplaced_items 1" in told
    assert "an item of another scoring" in out
