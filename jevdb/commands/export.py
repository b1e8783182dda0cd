"""`jevdb export`: evaluation_results.json and RESULTS.md."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from jevdb.base.errors import UsageError
from jevdb.base.text import counted
from jevdb.commands.common import (
    AsOfOption,
    GoldOption,
    RunsOption,
    examples,
    writable,
)
from jevdb.commands.export_foreign import Wanted, write_foreign
from jevdb.commands.session import Session, say
from jevdb.commands.suite_options import SuiteOption, require_no_others, require_suite
from jevdb.exports.foreign import Foreign
from jevdb.warehouse.files import STDOUT

DEFAULT_OUT = Path("evaluation_results.json")
DEFAULT_SUITE_OUT = Path("suite_results.json")


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
            "jevdb export --as hf --dataset acme/questions --run de-1",
            "jevdb export --as mlflow --out mlflow",
            "jevdb export --as every-eval-ever --out datastore",
            "jevdb export --suite our-suite --out board.json",
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
    suite: SuiteOption = None,
    reported: Annotated[
        bool,
        typer.Option("--reported", help="With --suite: add published results, marked."),
    ] = False,
    dataset: Annotated[
        str | None,
        typer.Option(metavar="ORG/NAME", help="With --as hf: the dataset on the hub."),
    ] = None,
    json_schema: Annotated[
        bool, typer.Option("--json-schema", help="Print the JSON Schema of the file.")
    ] = False,
) -> None:
    """Write evaluation_results.json: every number, full precision, same bytes always.

    It holds every public current run unless you name some. With `--as-of` it holds the
    runs that were public and current then, but none that is private today. `--snapshot`
    keeps what was published, see `jevdb snapshots`. `--check` recomputes the runs of a
    file by its method, and names where it differs (exit 1). With a suite it writes the
    suite's board instead, canonical JSON in one line.
    """
    if suite is not None:
        require_no_others(context, "suite", "run", "out", "as_of", "reported")
        place = writable(out or DEFAULT_SUITE_OUT) or DEFAULT_SUITE_OUT
        found = context.obj.reading().export_suite(
            suite, run=run, reported=reported, as_of=as_of
        )
        _write(place, found)
        return
    require_suite(context, "reported")
    wanted = Wanted(run, method, gold_revision, include_private, as_of)
    if json_schema:
        _print_schema()
    elif foreign:
        if markdown or check or snapshot:
            raise UsageError("--as goes without --markdown, --check and --snapshot")
        write_foreign(context.obj, wanted, foreign, out, dataset)
    elif dataset:
        raise UsageError("--dataset goes with --as hf")
    elif check is None:
        if out == markdown == Path(STDOUT):
            raise UsageError("only one of --out and --markdown can be stdout")
        _export(context.obj, wanted, out or DEFAULT_OUT, markdown, snapshot)
    elif run or method or out or markdown or include_private or as_of or snapshot:
        raise UsageError("--check takes runs and method from the file; leave them out")
    else:
        _check(context.obj, check, gold_revision)


def _print_schema() -> None:
    from jevdb.exports.results_schema import schema_text

    sys.stdout.write(schema_text())


def _export(
    session: Session,
    wanted: Wanted,
    out: Path,
    markdown: Path | None,
    snapshot: str | None,
) -> None:
    for place in (out, markdown):
        writable(place)
    warehouse = session.storing() if snapshot else session.reading()
    done = warehouse.export(
        **wanted._asdict(), snapshot=snapshot, markdown=markdown is not None
    )
    say(f"{counted(len(done.runs), 'run')} exported")
    if snapshot:
        say(f"{'kept' if done.is_new else 'already kept'} as {snapshot!r}")
    _write(out, done.results)
    if markdown:
        _write(markdown, done.table or b"")


def _write(path: Path, data: bytes) -> None:
    from jevdb.warehouse.files import write_whole

    write_whole(path, data)
    if str(path) != STDOUT:
        say(f"wrote {path}")


def _check(session: Session, path: Path, gold_revision: int | None) -> None:
    count = session.reading().check_export(path, gold_revision=gold_revision)
    say(f"{path}: recomputes byte for byte, {counted(count, 'run')}")
