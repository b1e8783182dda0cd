"""`jevdb lake`: a shared lake's state, this machine's mirror of it, its upkeep."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from jevdb.base.errors import CheckError
from jevdb.base.output import Format
from jevdb.base.text import counted
from jevdb.commands.common import FormatOption, examples, show
from jevdb.commands.session import Session, say

if TYPE_CHECKING:
    from jevdb.bundles.bundle import Manifest
    from jevdb.lake.initialising import Outcome

lake_app = typer.Typer(no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    app.add_typer(
        lake_app,
        name="lake",
        help="Look at and maintain a lake, a warehouse that many machines "
        "share: name it with `--db lake:NAME` or `JEVDB_DB`.",
        epilog=examples("jevdb --db lake:team lake status"),
    )


def initialise_fresh(session: Session, data: str | None, upgrade: bool) -> Outcome:
    """Make a lake that holds what a new warehouse holds."""
    from jevdb.lake import initialise
    from jevdb.warehouse.database import open_writer

    with TemporaryDirectory(prefix="jevdb-") as folder:
        path = Path(folder) / "fresh.duckdb"
        with open_writer(path, create=True, outward=True) as warehouse:
            return initialise(
                session.lake,
                warehouse,
                data=data,
                upgrade=upgrade,
                lock_timeout=session.lock_timeout,
                on_wait=say,
            )


def restore_into(session: Session, bundle: Path, data: str | None) -> Manifest:
    """Make a lake that holds what a bundle holds."""
    from jevdb.bundles.bundling import restore_from
    from jevdb.lake import initialise
    from jevdb.lake.initialising import require_uninitialised
    from jevdb.warehouse.database import open_reader

    target = session.lake
    require_uninitialised(target)
    with TemporaryDirectory(prefix="jevdb-") as folder:
        path = Path(folder) / "restored.duckdb"
        manifest = restore_from(bundle, path)
        with open_reader(path, outward=True) as warehouse:
            outcome = initialise(
                target,
                warehouse,
                data=data,
                lock_timeout=session.lock_timeout,
                on_wait=say,
            )
    if outcome != "created":
        require_uninitialised(target)
    return manifest


@lake_app.command(
    epilog=examples(
        "jevdb lake status", "jevdb --db lake:team lake status --format json"
    )
)
def status(context: typer.Context, form: FormatOption = Format.TABLE) -> None:
    """Say what the lake holds and where, who has its lock, how far the mirror is."""
    session: Session = context.obj
    show(session.reading().lake_status().rows(), form, "")


@lake_app.command(
    epilog=examples(
        "jevdb lake mirror",
        "duckdb -readonly $(jevdb --db lake:team lake mirror)",
        "jevdb --db lake:team lake mirror --rebuild",
    )
)
def mirror(
    context: typer.Context,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Copy everything anew.")
    ] = False,
) -> None:
    """Bring this machine's copy of the lake up to date, and print where it is.

    Every command that reads does this first. The copy is a warehouse file: `--db` with
    its path reads it without the lake. Never write into it.
    """
    session: Session = context.obj
    pulled = session.reading().lake_mirror(rebuild=rebuild)
    say(f"at ingest {pulled.seq}, {pulled.n_new} new")
    print(pulled.path)


@lake_app.command(
    epilog=examples("jevdb lake compact", "jevdb --db lake:team lake compact")
)
def compact(context: typer.Context) -> None:
    """Merge the lake's many small files into few, under its lock.

    Do it now and then, from a machine near the catalog, after a backup of catalog and
    files. Replaced files stay for a day, for those who read them.
    """
    session: Session = context.obj
    done = session.storing().lake_compact()
    say(
        f"{counted(done.before, 'file')} before, {done.after} now; "
        f"{counted(done.removed, 'old file')} removed"
    )


@lake_app.command(
    epilog=examples(
        "jevdb lake orphans",
        "jevdb --db lake:team lake orphans --delete",
    )
)
def orphans(
    context: typer.Context,
    delete: Annotated[bool, typer.Option("--delete", help="Delete them.")] = False,
) -> None:
    """List files older than a day that a killed command left, and nothing refers to."""
    session: Session = context.obj
    found = session.storing().lake_orphans(delete=delete)
    for path in found:
        print(path)
    say(f"{counted(len(found), 'orphan')}{' deleted' if delete and found else ''}")


@lake_app.command(
    epilog=examples("jevdb lake verify", "jevdb --db lake:team lake verify")
)
def verify(context: typer.Context, form: FormatOption = Format.TABLE) -> None:
    """Read every byte of the lake and recompute every digest: exit 1 on any fault.

    `jevdb check` looks at the mirror alone, so it misses a file of the lake that is
    damaged later.
    """
    session: Session = context.obj
    found = session.reading().lake_verify()
    if not found:
        say("every file is whole, every check without fault")
        return
    show(found.rows(), form, "")
    raise CheckError(f"faults found: {len(found)}")
