"""Maintain: what a lake is like, fewer and larger files, leftovers, every byte read.

What DuckLake writes itself is at risk if the answer to a commit is lost: compaction is
rare, explicit, under the lock, and keeps the old files for a day.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import duckdb

from jevdb.base.errors import BusyError, JevdbError
from jevdb.base.text import counted
from jevdb.lake.connecting import Lake
from jevdb.lake.damage import LakeFile, lake_files, lake_paths, owner, read_whole
from jevdb.lake.failures import CommitLost, Moved, first_line
from jevdb.lake.files import share
from jevdb.lake.mirroring import ensure_mirror, require_revision
from jevdb.lake.news import head_of
from jevdb.lake.proving import DamagedRows
from jevdb.lake.pulling import lake_head
from jevdb.lake.storage import MissingFile, not_given
from jevdb.lake.target import Target
from jevdb.warehouse.checks import Fault, check_names, faults
from jevdb.warehouse.connecting import LOCK_TIMEOUT, OnWait
from jevdb.warehouse.database import open_reader
from jevdb.warehouse.settings import all_threads

KEPT = "older_than => now() - interval 1 day"
ATTEMPTS = 5
SIZES = """\
select coalesce(sum(file_count), 0)::bigint, coalesce(sum(file_size_bytes), 0)::bigint
from {table_info}"""


class Fact(NamedTuple):
    """Something about a lake."""

    fact: str
    value: object


class Compacted(NamedTuple):
    """Data files before and after, and old files that were removed."""

    before: int
    after: int
    removed: int


def status(target: Target) -> list[Fact]:
    """Return what a lake holds, where, who has its lock, and how far the mirror is."""
    with Lake(target, read_only=True) as lake:
        with lake.reading():
            head = lake_head(lake)
            n_files, n_bytes = lake.rows(
                SIZES.format(table_info=lake.own("table_info"))
            )[0]
            n_runs = lake.rows("select count(*) from runs")[0][0]
            n_rows = lake.rows("select count(*) from predictions")[0][0]
        listed = lake.rows(f"select count(*) from {lake.own('snapshots')}")
        holder = lake.holder()
        data = lake.data
    return [
        Fact("lake", target.name),
        Fact("data", data),
        Fact("newest_ingest", head.seq),
        Fact("runs", n_runs),
        Fact("predictions", n_rows),
        Fact("files", n_files),
        Fact("bytes", n_bytes),
        Fact("snapshots", listed[0][0]),
        Fact("locked_by", holder),
        Fact("mirror", str(target.mirror)),
        Fact("mirror_ingest", _mirror_seq(target)),
    ]


def _mirror_seq(target: Target) -> int | None:
    if not target.mirror.exists():
        return None
    with open_reader(target.mirror) as mirror:
        return head_of(mirror).seq


def compact(
    target: Target,
    *,
    lock_timeout: float = LOCK_TIMEOUT,
    on_wait: OnWait | None = None,
) -> Compacted:
    """Merge small files into larger ones, and remove those replaced over a day ago.

    Readers go on meanwhile: what they read was merged at most a day before.
    """
    for _ in range(ATTEMPTS):
        try:
            with Lake(target) as lake:
                require_revision(lake)
                lake.require_writer()
                lake.lock(lock_timeout, on_wait)
                before = lake.rows(SIZES.format(table_info=lake.own("table_info")))[0][
                    0
                ]
                with all_threads(lake.connection):
                    lake.rows(f"call {lake.own('merge_adjacent_files')}")
                share(lake, lake_paths(lake))
                removed = lake.rows(f"from {lake.own('cleanup_old_files', KEPT)}")
                after = lake.rows(SIZES.format(table_info=lake.own("table_info")))[0][0]
            return Compacted(int(str(before)), int(str(after)), len(removed))
        except (Moved, CommitLost):
            continue
    raise BusyError(f"{target.name}: changed {ATTEMPTS} times meanwhile; try again")


def orphans(target: Target, *, delete: bool = False) -> list[str]:
    """Return files under the lake's data that nothing refers to, older than a day.

    A younger one may be of a run that is being published. Nothing refers to what a
    killed publisher left.
    """
    with Lake(target) as lake:
        require_revision(lake)
        if delete:
            lake.require_writer()
        dry_run = f"dry_run => {'false' if delete else 'true'}"
        found = lake.rows(f"from {lake.own('delete_orphaned_files', dry_run, KEPT)}")
    return sorted(str(row[0]) for row in found)


def verify(target: Target) -> list[Fault]:
    """Read every byte of a lake, and check what it holds; return what is wrong.

    Counts come from the catalog, so that only reading the files finds a damaged one.
    Where all can be read, every digest and check of a warehouse is taken over them.
    """
    with Lake(target, read_only=True) as lake:
        with lake.reading():
            require_revision(lake)
            files = list(lake_files(lake))
        with all_threads(lake.connection):
            damaged = [fault for file in files if (fault := _fault_of(lake, file))]
        if damaged:
            return damaged
        with TemporaryDirectory(prefix="jevdb-") as folder:
            path = Path(folder) / "verified.duckdb"
            try:
                ensure_mirror(lake, path)
            except DamagedRows as error:
                return error.faults
            except JevdbError as error:
                return [Fault("damaged_rows", "the lake's rows", str(error))]
            with open_reader(path) as warehouse:
                return [
                    fault for name in check_names() for fault in faults(warehouse, name)
                ]


def _fault_of(lake: Lake, file: LakeFile) -> Fault | None:
    """Read a file whole; return what is wrong with it.

    Raises
    ------
    JevdbError
        The storage gives no file at all: nothing is known of any.
    """
    try:
        count = read_whole(lake, file.path)
    except duckdb.Error as error:
        match not_given(lake, error):
            case None:
                said = first_line(error)
            case MissingFile() as missing:
                return Fault("missing_file", owner(lake, file.path), str(missing))
            case failed:
                raise failed from error
    else:
        if count == file.rows:
            return None
        said = f"{counted(count, 'row')} where the catalog says {file.rows}"
    return Fault("damaged_file", owner(lake, file.path), f"{file.path}: {said}")
