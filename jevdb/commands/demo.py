"""`jevdb demo`: the whole story on data that ships with jevdb."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jevdb.base.defaults import DEFAULT_METHOD
from jevdb.commands.common import examples
from jevdb.commands.session import Session, say

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.scoring.report_lines import Line

METHODS = (DEFAULT_METHOD, "jevbench-v1.5")


def register(app: typer.Typer) -> None:
    """Add the command to *app*."""
    app.command(epilog=examples("jevdb demo", "jevdb demo /tmp/jevdb-demo"))(demo)


def demo(
    context: typer.Context,
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Where the demo's files go.")
    ] = Path("jevdb-demo"),
) -> None:
    """Ingest, score, report and export the shipped data into a folder.

    Two real JevBench runs, and three made-up models on a synthetic benchmark with the
    strata of CMDB-1500. Writes `demo.duckdb`, `evaluation_results.json` and
    `RESULTS.md`; uses no other warehouse. A second run changes nothing.
    """
    from jevdb.demonstration.demo import QUERIES, store_demo
    from jevdb.scoring.report_text import report_text

    session: Session = context.obj
    warehouse = Session(str(_made(folder) / "demo.duckdb"), session.lock_timeout)
    warehouse.write(lambda connection: store_demo(connection, say), create=True)
    with warehouse.reader() as connection:
        lines = _report_and_export(connection, folder)
    sys.stdout.write(report_text(lines))
    sys.stdout.write("\nThree queries to try:\n")
    for query in QUERIES:
        place = shlex.quote(warehouse.db)
        sys.stdout.write(f'\njevdb --db {place} sql "{query}"\n')


def _made(folder: Path) -> Path:
    from jevdb.base.errors import JevdbError

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JevdbError(f"{folder}: cannot create: {error.strerror}") from error
    return folder


def _report_and_export(connection: Connection, folder: Path) -> list[Line]:
    """Write the two result files; return the lines of the report by both methods."""
    from jevdb.exports.results_file import Request as ExportRequest
    from jevdb.exports.results_file import document, to_bytes
    from jevdb.exports.results_markdown import results_markdown
    from jevdb.scoring.methods import method_json
    from jevdb.scoring.report import Request, read_report
    from jevdb.scoring.runs import asked_for

    runs = [run for run in asked_for(connection, ()) if not run.is_private]
    main = METHODS[0]
    lines = read_report(connection, Request(runs, METHODS))
    exported = [line for line in lines if line.method_id == main]
    table = results_markdown(exported, method_json(connection, main))
    results = to_bytes(document(connection, ExportRequest(runs, main)))
    _write(folder / "evaluation_results.json", results)
    _write(folder / "RESULTS.md", table.encode())
    return lines


def _write(path: Path, data: bytes) -> None:
    from jevdb.warehouse.files import write_whole

    if path.exists() and path.read_bytes() == data:
        say(f"{path}: as before")
        return
    write_whole(path, data)
    say(f"wrote {path}")
