"""`jevdb export`: evaluation_results.json and RESULTS.md."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from jevdb.commands.common import AsOfOption, GoldOption, RunsOption, examples
from jevdb.commands.session import Session, say
from jevdb.errors import UsageError
from jevdb.foreign import Foreign
from jevdb.text import counted, short_id
from jevdb.warehouse.files import STDOUT

if TYPE_CHECKING:
    from jevdb.reports.export import Request
    from jevdb.runs import Run
    from jevdb.warehouse.database import Connection

DEFAULT_OUT = Path("evaluation_results.json")


def register(app: typer.Typer) -> None:
    """Add the command to *app*."""
    app.command(
        epilog=examples(
            "jevdb export",
            "jevdb export --run de-1 --method jevbench-v1.5 --out -",
            "jevdb export --markdown RESULTS.md",
            "jevdb export --check evaluation_results.json",
            "jevdb export --as-of 2026-03-31 --out march.json",
            "jevdb export --snapshot 2026-04-model-card",
            "jevdb export --as hf --run de-1 --out .eval_results",
            "jevdb export --as every-eval-ever --out datastore",
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
        typer.Option(
            help="The file, or - for stdout; with --as also a folder. "
            "[evaluation_results.json]"
        ),
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(help="Write the results table too, or - for stdout.")
    ] = None,
    check: Annotated[
        Path | None,
        typer.Option(help="Recompute this file and compare; write nothing."),
    ] = None,
    as_of: AsOfOption = None,
    snapshot: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Keep the file's bytes under this name."),
    ] = None,
    foreign: Annotated[
        Foreign | None,
        typer.Option("--as", help="Write the files of another format, per run."),
    ] = None,
    json_schema: Annotated[
        bool, typer.Option("--json-schema", help="Print the JSON Schema of the file.")
    ] = False,
) -> None:
    """Write evaluation_results.json: every number, full precision, same bytes always.

    It holds every public current run unless some are named; as of then, the runs that
    were so then, but none that is private today. A snapshot keeps what was published,
    see `jevdb snapshots`. With a check, the runs of the file are recomputed by its
    method; exit 1 names where it differs.
    """
    if json_schema:
        _print_schema()
    elif foreign:
        if markdown or check or snapshot:
            raise UsageError("--as goes without --markdown, --check and --snapshot")
        wanted = _Wanted(run or (), method, gold_revision, include_private, as_of)
        _export_foreign(context.obj, wanted, foreign, out)
    elif check is None:
        if out == markdown == Path(STDOUT):
            raise UsageError("only one of --out and --markdown can be stdout")
        wanted = _Wanted(
            *(run or (), method, gold_revision, include_private, as_of, snapshot),
            has_markdown=markdown is not None,
        )
        results, table = _exported(context.obj, wanted)
        _write(out or DEFAULT_OUT, results)
        if markdown:
            _write(markdown, table)
    elif run or method or out or markdown or include_private or as_of or snapshot:
        raise UsageError("--check takes runs and method from the file; leave them out")
    else:
        _check(context.obj, check, gold_revision)


def _print_schema() -> None:
    from jevdb.reports.export import SCHEMA_FILE

    sys.stdout.write(SCHEMA_FILE.read_text(encoding="utf-8"))


class _Wanted(NamedTuple):
    """What to export: which runs, how they are scored, and what to keep."""

    names: Sequence[str]
    method: str | None
    gold_revision: int | None
    include_private: bool
    as_of: str | None
    snapshot: str | None = None
    has_markdown: bool = False


def _export_foreign(
    session: Session, wanted: _Wanted, form: Foreign, out: Path | None
) -> None:
    from jevdb.as_of import resolved
    from jevdb.commands.export_foreign import write_foreign
    from jevdb.reports.report import DEFAULT_METHOD
    from jevdb.selection import Selection

    with session.reader() as connection:
        seq = resolved(connection, wanted.as_of)
        runs = _runs(connection, wanted, seq)
        selection = Selection(
            run_ids=[run.run_id for run in runs],
            methods=(wanted.method or DEFAULT_METHOD,),
            gold_revision=wanted.gold_revision,
            as_of=seq,
        )
        write_foreign(connection, runs, selection, form, out)


def _exported(session: Session, wanted: _Wanted) -> tuple[bytes, bytes]:
    """Return evaluation_results.json and RESULTS.md; keep the first if asked to."""
    from jevdb.as_of import resolved
    from jevdb.reports.export import Request
    from jevdb.reports.report import DEFAULT_METHOD
    from jevdb.reports.snapshots import keep

    def exported(connection: Connection) -> tuple[bytes, bytes]:
        seq = resolved(connection, wanted.as_of)
        runs = _runs(connection, wanted, seq)
        method = wanted.method or DEFAULT_METHOD
        request = Request(runs, method, wanted.gold_revision, seq)
        results, table = _made(connection, request, wanted.has_markdown)
        say(f"{counted(len(runs), 'run')} exported")
        if wanted.snapshot:
            is_new = keep(connection, wanted.snapshot, results)
            say(f"{'kept' if is_new else 'already kept'} as {wanted.snapshot!r}")
        return results, table

    if wanted.snapshot:
        return session.write(exported)
    with session.reader() as connection:
        return exported(connection)


def _runs(connection: Connection, wanted: _Wanted, seq: int | None) -> list[Run]:
    from jevdb.as_of import then
    from jevdb.runs import all_runs, asked_for

    with then(connection, seq):
        runs = asked_for(connection, wanted.names, on_choice=say)
    private_now = {run.run_id for run in all_runs(connection) if run.is_private}
    private = [run for run in runs if run.is_private or run.run_id in private_now]
    if wanted.include_private or not private:
        return runs
    if wanted.names:
        listed = ", ".join(f"{run.name} ({short_id(run.run_id)})" for run in private)
        raise UsageError(f"private: {listed}; add --include-private to export anyway")
    return [run for run in runs if run not in private]


def _made(
    connection: Connection, request: Request, has_markdown: bool
) -> tuple[bytes, bytes]:
    """Return evaluation_results.json and, if it is wanted, RESULTS.md."""
    from jevdb.reports import export as results
    from jevdb.reports import report
    from jevdb.reports.results_markdown import results_markdown

    table = ""
    with results.exporting(connection, request):
        made = results.selected_document(connection, request)
        if has_markdown:
            asked = report.Request(request.runs, (request.method,))
            lines = report.selected_lines(connection, asked)
            method = results.method_json(connection, request.method)
            table = results_markdown(lines, method)
    return results.to_bytes(made), table.encode()


def _write(path: Path, data: bytes) -> None:
    from jevdb.warehouse.files import write_whole

    write_whole(path, data)
    if str(path) != STDOUT:
        say(f"wrote {path}")


def _check(session: Session, path: Path, gold_revision: int | None) -> None:
    from jevdb.reports.export_check import check_file

    with session.reader() as connection:
        count = check_file(connection, path, gold_revision)
    say(f"{path}: recomputes byte for byte, {counted(count, 'run')}")
