"""`jevdb export`: evaluation_results.json and RESULTS.md."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jevdb.commands.common import GoldOption, RunsOption, examples
from jevdb.commands.session import Session, say
from jevdb.errors import UsageError
from jevdb.files import STDOUT
from jevdb.text import counted, short_id

if TYPE_CHECKING:
    from jevdb.database import Connection
    from jevdb.runs import Run

DEFAULT_OUT = Path("evaluation_results.json")


def register(app: typer.Typer) -> None:
    """Add the command to *app*."""
    app.command(
        epilog=examples(
            "jevdb export",
            "jevdb export --run de-1 --method jevbench-v1.5 --out -",
            "jevdb export --markdown RESULTS.md",
            "jevdb export --check evaluation_results.json",
            "jevdb export --json-schema",
        )
    )(export)


def export(
    context: typer.Context,
    run: RunsOption = None,
    method: Annotated[
        str | None, typer.Option("--method", help="Scoring method. [metrics-md]")
    ] = None,
    gold_revision: GoldOption = None,
    include_private: Annotated[
        bool, typer.Option("--include-private", help="Private runs too.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(help="The file, or - for stdout. [evaluation_results.json]"),
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(help="Write the results table too, or - for stdout.")
    ] = None,
    check: Annotated[
        Path | None,
        typer.Option(help="Recompute this file and compare; write nothing."),
    ] = None,
    json_schema: Annotated[
        bool, typer.Option("--json-schema", help="Print the JSON Schema of the file.")
    ] = False,
) -> None:
    """Write evaluation_results.json: every number, full precision, same bytes always.

    It holds every public current run unless some are named. With a check, the runs of
    the file are recomputed by its method; exit 1 names where it differs.
    """
    if json_schema:
        _print_schema()
    elif check is None:
        if out == markdown == Path(STDOUT):
            raise UsageError("only one of --out and --markdown can be stdout")
        session: Session = context.obj
        with session.reader() as connection:
            runs = _runs(connection, run or (), include_private)
            results, table = _made(connection, runs, method, gold_revision)
        _write(out or DEFAULT_OUT, results)
        if markdown:
            _write(markdown, table)
        say(f"{counted(len(runs), 'run')} exported")
    elif run or method or out or markdown or include_private:
        raise UsageError("--check takes runs and method from the file; leave them out")
    else:
        _check(context.obj, check, gold_revision)


def _print_schema() -> None:
    from jevdb.export import SCHEMA_FILE

    sys.stdout.write(SCHEMA_FILE.read_text(encoding="utf-8"))


def _runs(
    connection: Connection, names: Sequence[str], include_private: bool
) -> list[Run]:
    from jevdb.runs import asked_for

    runs = asked_for(connection, names, on_choice=say)
    private = [run for run in runs if run.is_private]
    if include_private or not private:
        return runs
    if names:
        listed = ", ".join(f"{run.name} ({short_id(run.run_id)})" for run in private)
        raise UsageError(f"private: {listed}; add --include-private to export anyway")
    return [run for run in runs if not run.is_private]


def _made(
    connection: Connection,
    runs: list[Run],
    method: str | None,
    gold_revision: int | None,
) -> tuple[bytes, bytes]:
    """Return evaluation_results.json and RESULTS.md of the runs."""
    from jevdb import report
    from jevdb.export import Request, document, method_json, to_bytes
    from jevdb.results_markdown import results_markdown

    method_id = method or report.DEFAULT_METHOD
    made = document(connection, Request(runs, method_id, gold_revision))
    lines = report.read_report(
        connection, report.Request(runs, (method_id,), gold_revision)
    )
    table = results_markdown(lines, method_json(connection, method_id))
    return to_bytes(made), table.encode()


def _write(path: Path, data: bytes) -> None:
    from jevdb.files import write_whole

    write_whole(path, data)
    if str(path) != STDOUT:
        say(f"wrote {path}")


def _check(session: Session, path: Path, gold_revision: int | None) -> None:
    from jevdb.export_check import check_file

    with session.reader() as connection:
        count = check_file(connection, path, gold_revision)
    say(f"{path}: recomputes byte for byte, {counted(count, 'run')}")
