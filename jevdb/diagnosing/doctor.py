"""What is wrong with a warehouse, and what to do about each thing."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import duckdb

from jevdb.base.errors import BusyError, JevdbError
from jevdb.base.text import counted
from jevdb.base.version import __version__
from jevdb.base.wording import for_shell
from jevdb.diagnosing.holders import Holder, holders
from jevdb.diagnosing.inside import Inside, look_inside
from jevdb.diagnosing.installed import Installed, installed
from jevdb.diagnosing.on_disk import OnDisk, look_at
from jevdb.scoring.adhoc import sql_error
from jevdb.warehouse.connecting import log_of
from jevdb.warehouse.database import open_as_it_is
from jevdb.warehouse.faults import remedy
from jevdb.warehouse.versions import Fit, head_revision

LITTLE_ROOM = 100_000_000
MUCH_FREE = 64_000_000
ANOTHER = "name another warehouse with --db"


class Finding(NamedTuple):
    """Something to know or to mend; a note has exit code 0."""

    exit_code: int
    what: str
    remedy: str

    @property
    def level(self) -> str:
        """``problem``, or ``note`` where everything works all the same."""
        return "problem" if self.exit_code else "note"


class Diagnosis(NamedTuple):
    """All that the doctor saw; ``inside`` is None where the file did not open."""

    program: Installed
    on_disk: OnDisk
    holders: list[Holder]
    inside: Inside | None
    findings: list[Finding]

    @property
    def exit_code(self) -> int:
        """What the command ends with: 0 if nothing is wrong."""
        return max((each.exit_code for each in self.findings), default=0)


def diagnose(path: Path, *, checking: bool) -> Diagnosis:
    """Look at the program and at the warehouse at *path*; run its checks if asked.

    Nothing is waited for, upgraded or written, and no state of the file raises.
    """
    on_disk = look_at(path)
    held_by = holders(on_disk.path)
    findings = list(_around(path, on_disk, held_by))
    inside = None
    if on_disk.header is not None:
        try:
            with open_as_it_is(path) as connection:
                inside = look_inside(connection, checking=checking)
        except BusyError as error:
            findings.append(_problem(error, "wait until it is done, or end it"))
        except JevdbError as error:
            findings.append(_problem(error, _remedy(path)))
        except duckdb.Error as error:
            findings.append(_damaged(path, error))
        else:
            findings += _within(path, on_disk, inside)
    return Diagnosis(installed(), on_disk, held_by, inside, findings)


def _problem(error: JevdbError, remedy: str) -> Finding:
    """Return the finding of an error, whose own remedy stands behind its semicolon."""
    what, _, told = error.in_shell.partition("; ")
    return Finding(error.exit_code, what, told or remedy)


def _damaged(path: Path, error: duckdb.Error) -> Finding:
    return Finding(1, f"{path}: damaged: {sql_error(error)}", _remedy(path))


def _remedy(path: Path) -> str:
    return for_shell(remedy(path))


def _around(path: Path, on_disk: OnDisk, held_by: list[Holder]) -> Iterator[Finding]:
    """Yield what is wrong with the file from outside."""
    log = log_of(path)
    if on_disk.size is None:
        yield Finding(
            1,
            f"{path}: no such warehouse",
            f"create it with `jevdb init`, or {ANOTHER}",
        )
        if on_disk.log_size is not None:
            yield Finding(
                1,
                f"{log}: the log of a database that is gone",
                "bring its file back, or move the log away",
            )
    elif not on_disk.is_file:
        yield Finding(1, f"{path}: not a file", ANOTHER)
    elif not on_disk.is_readable:
        yield Finding(
            1, f"{path}: you may not read it", f"chmod u+r {shlex.quote(str(path))}"
        )
    elif on_disk.size == 0:
        yield Finding(1, f"{path}: empty", "remove it, then `jevdb init`")
    elif on_disk.header is None:
        yield Finding(1, f"{path}: not a DuckDB file", f"{ANOTHER}, or {_remedy(path)}")
    elif not on_disk.is_writable:
        yield Finding(
            0,
            f"{path}: you may not write it or its folder, so nothing can be stored",
            f"chmod u+w {shlex.quote(str(path))}, and its folder",
        )
    yield from _beside(log, on_disk, held_by)


def _beside(log: Path, on_disk: OnDisk, held_by: list[Holder]) -> Iterator[Finding]:
    if on_disk.size and on_disk.log_size and not held_by:
        yield Finding(
            0,
            f"{log}: {on_disk.log_size:,} bytes that are not yet in the file; whoever "
            "wrote them did not come to an end",
            "nothing is lost: `jevdb init`, or any write, puts them in",
        )
    if on_disk.leftovers:
        names = " ".join(shlex.quote(str(each)) for each in on_disk.leftovers)
        yield Finding(
            0,
            f"{counted(len(on_disk.leftovers), 'file')} left by a process that was "
            "killed",
            f"rm {names}",
        )
    if on_disk.free is not None and on_disk.free < max(
        LITTLE_ROOM, 2 * (on_disk.size or 0)
    ):
        yield Finding(
            0,
            f"{on_disk.path.parent}: {on_disk.free:,} bytes free",
            "make room: `jevdb compact` needs as much as the file has, twice",
        )


def _within(path: Path, on_disk: OnDisk, inside: Inside) -> Iterator[Finding]:
    """Yield what is wrong inside the file."""
    yield from _unfit(path, on_disk, inside)
    bad = {name: count for name, count in (inside.faults or {}).items() if count}
    if bad:
        told = ", ".join(f"{name} {count}" for name, count in bad.items())
        yield Finding(1, f"faults found: {told}", f"see `jevdb check`; {_remedy(path)}")
    if inside.foreign:
        yield Finding(
            1,
            f"{path}: not this jevdb's, and not used: the "
            + ", the ".join(inside.foreign),
            "any write puts views right; or take the rows alone: `jevdb backup` it, "
            "and `jevdb restore` that into a new file",
        )
    if inside.others:
        yield Finding(
            0,
            f"{path}: not jevdb's: the " + ", the ".join(inside.others),
            "nothing of jevdb's reads them; drop them with a DuckDB client if they are "
            "not yours",
        )
    if inside.free_bytes > max(MUCH_FREE, (on_disk.size or 0) // 4):
        yield Finding(
            0,
            f"{path}: {inside.free_bytes:,} of its bytes are free",
            "`jevdb compact` gives them back",
        )


def _unfit(path: Path, on_disk: OnDisk, inside: Inside) -> Iterator[Finding]:
    built = inside.built
    if built.fit is Fit.FOREIGN:
        yield Finding(1, f"{path}: a DuckDB file, but not a jevdb warehouse", ANOTHER)
    elif built.fit in (Fit.NEWER_SCHEMA, Fit.NEWER_VIEWS):
        made_by = (
            f"jevdb {built.jevdb_version}" if built.jevdb_version else "a newer jevdb"
        )
        yield Finding(
            1,
            f"{path}: made by {made_by} (schema {built.schema}); this is {__version__} "
            f"(schema {head_revision()})",
            "upgrade jevdb, from where a newer one is (docs: Install)",
        )
    elif built.fit is not Fit.CURRENT:
        words = {
            Fit.EMPTY: "a database without any table",
            Fit.OLDER_SCHEMA: f"schema {built.schema}, this jevdb's is "
            f"{head_revision()}",
            Fit.OLDER_VIEWS: "its views are not those of this jevdb",
        }
        yield Finding(
            0 if on_disk.is_writable else 1,
            f"{path}: {words[built.fit]}; nothing was checked",
            "`jevdb init`, or any other command, brings it up to date"
            if on_disk.is_writable
            else "make it writable once, so that it can be brought up to date",
        )
