"""`jevdb backup`, `restore` and `compact`: the warehouse as files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jevdb.base.errors import UsageError
from jevdb.base.text import counted
from jevdb.commands.common import DataOption, examples
from jevdb.commands.patience import patience
from jevdb.commands.session import Session, say
from jevdb.warehouse.files import STDOUT

BACKUP_EXAMPLES = (
    "jevdb backup backups/2026-11-30",
    "jevdb backup warehouse.tar",
    "jevdb backup - | ssh laptop jevdb --db copy.duckdb restore -",
)
RESTORE_EXAMPLES = (
    "jevdb --db copy.duckdb restore backups/2026-11-30",
    "jevdb restore warehouse.tar --db other.duckdb",
    "jevdb --db lake:team restore warehouse.tar --data s3://evals/lake",
)


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    app.command(epilog=examples(*BACKUP_EXAMPLES))(backup)
    app.command(epilog=examples(*RESTORE_EXAMPLES))(restore)
    app.command(epilog=examples("jevdb compact", "jevdb --db team.duckdb compact"))(
        compact
    )


def backup(
    context: typer.Context,
    bundle: Annotated[
        Path,
        typer.Argument(
            help="A new folder; a tar file if it ends in .tar, or - for stdout."
        ),
    ],
) -> None:
    """Write the warehouse as a bundle: a Parquet file a table, a manifest with digests.

    The same rows give the same bytes. Any tool reads the Parquet files. The bundle has
    no views, which `restore` makes anew, and no tables that are not jevdb's. The
    command prints the bundle's digest.
    """
    session: Session = context.obj
    manifest = session.reading().backup(bundle)
    say(
        f"wrote {bundle}: {counted(len(manifest.tables), 'table')}, "
        f"{counted(manifest.rows, 'row')}"
    )
    if str(bundle) != STDOUT:
        print(manifest.bundle_sha256)


def restore(
    context: typer.Context,
    bundle: Annotated[
        Path, typer.Argument(help="The folder, the tar file, or - for stdin.")
    ],
    db: Annotated[
        str | None,
        typer.Option(help="The new file or lake; the same as --db before the command."),
    ] = None,
    data: DataOption = None,
) -> None:
    """Make a new warehouse of a bundle, and check every byte against its digest.

    It never writes over a file or lake that is there, or into one. To bring the runs of
    two warehouses together, take `jevdb runs dump` of one and ingest the runs into the
    other.
    """
    from jevdb.api.keeping import restore as restored

    session: Session = context.obj
    made = session if db is None else Session(db, session.lock_timeout)
    if made.is_lake:
        from jevdb.commands.lake import restore_into

        manifest = restore_into(made, bundle, data)
    elif data is not None:
        raise UsageError("--data goes with a lake: --db lake:NAME")
    else:
        with patience("restoring"):
            manifest = restored(bundle, made.path)
    say(
        f"{made.name}: created with {counted(manifest.rows, 'row')} in "
        f"{counted(len(manifest.tables), 'table')}"
    )


def compact(context: typer.Context) -> None:
    """Rewrite the file without the holes that refused and replaced rows left.

    It needs room for a second file for a moment. It waits until no other process, not
    even a reader, has the file open. For a lake, take `jevdb lake compact`.
    """
    session: Session = context.obj
    sizes = session.storing().compact()
    say(f"{session.db}: {sizes.before:,} bytes before, {sizes.after:,} now")
