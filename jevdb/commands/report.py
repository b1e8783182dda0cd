"""`jevdb report`: I, C and the typed metrics of each run."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

import typer

from jevdb.base.defaults import DEFAULT_METHOD
from jevdb.base.output import Format
from jevdb.commands.common import (
    AsOfOption,
    BenchmarkOption,
    ClusterOption,
    FormatOption,
    GoldOption,
    MethodsOption,
    RunsOption,
    examples,
)
from jevdb.commands.compare import show_with_heading
from jevdb.commands.files import Files, GoldFileOption, WhereOption, warehouse_for
from jevdb.commands.ingest import FieldOption, MapOption
from jevdb.commands.reading import takes_reading
from jevdb.commands.session import say
from jevdb.commands.suite_options import SuiteOption, require_no_others, require_suite


class Dimension(StrEnum):
    """What a report can be broken down by."""

    TIER = "tier"
    FAMILY = "family"
    DOMAIN = "domain"


class ReportBy(StrEnum):
    """The same, and the repeats of runs that asked several times."""

    TIER = "tier"
    FAMILY = "family"
    DOMAIN = "domain"
    REPEAT = "repeat"


def register(app: typer.Typer) -> None:
    """Add the command to *app*."""
    app.command(
        epilog=examples(
            "jevdb report",
            "jevdb report --run de-1 --by tier",
            "jevdb report --run de-1 --cluster family",
            "jevdb report answers.jsonl --gold items.jsonl",
            "jevdb report --method metrics-md --method jevbench-v1.5",
            "jevdb report --benchmark cmdb-1500-synthetic --format json",
            "jevdb report --as-of 2026-03-31",
            "jevdb report --suite our-suite --entrant de-1",
            "jevdb report --benchmark mine --scope-version 1 --scope-version 2",
        )
    )(takes_reading(report))


def report(
    context: typer.Context,
    file: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE]...",
            help="Files of answers to report on, in place of a warehouse's runs.",
        ),
    ] = None,
    gold: GoldFileOption = None,
    run: RunsOption = None,
    benchmark: BenchmarkOption = None,
    method: MethodsOption = None,
    gold_revision: GoldOption = None,
    by: Annotated[
        ReportBy | None,
        typer.Option(
            "--by",
            help="Add a line per tier, family or domain; or show each repeat by "
            "itself.",
        ),
    ] = None,
    scope_version: Annotated[
        list[int] | None,
        typer.Option(
            "--scope-version",
            min=1,
            help="Version of the benchmark's own scoring; repeat it for several.",
        ),
    ] = None,
    as_of: AsOfOption = None,
    cluster: ClusterOption = None,
    suite: SuiteOption = None,
    entrant: Annotated[
        list[str] | None,
        typer.Option("--entrant", help="With --suite: only this entrant; repeatable."),
    ] = None,
    form: FormatOption = Format.TABLE,
    map_file: MapOption = None,
    field: FieldOption = None,
    where: WhereOption = None,
    reading: Mapping[str, object] | None = None,
) -> None:
    """Show Intelligence, Calibration and the typed metrics.

    It has one line per run, report row and method, of every current run unless you name
    some. `json`, `jsonl` and `csv` have full precision, and `reasons` for what is null.
    With `--as-of`, rows, gold, names and visibility are those of then, scored as today.

    Files of answers need no warehouse. Give their items with `--gold`, unless the files
    carry them. jevdb reads the files as `jevdb ingest` does, scores them, and keeps
    nothing.

    With a suite it has a line per entrant and member, with what it adds to the score.
    """
    from jevdb.base.output import write

    if suite is not None:
        require_no_others(context, "suite", "entrant", "as_of")
        found_suite = context.obj.reading().report_suite(
            suite, entrant or (), as_of=as_of
        )
        show_with_heading(found_suite, form)
        return
    require_suite(context, "entrant")
    of_a_warehouse = {
        "run": run,
        "benchmark": benchmark,
        "gold-revision": gold_revision,
        "scope-version": scope_version,
        "as-of": as_of,
    }
    files = Files(gold, map_file, field, where, reading or {})
    with warehouse_for(context.obj, file or (), files, of_a_warehouse) as found:
        made = found.warehouse.report(
            found.runs if file else run,
            benchmark=benchmark,
            method=method or DEFAULT_METHOD,
            gold_revision=gold_revision,
            by=by.value if by else None,
            scope_version=scope_version or (),
            as_of=as_of,
            cluster=cluster.value if cluster else None,
        )
    if not made.lines:
        say("no runs to report: see `jevdb ingest run`")
    if form is Format.TABLE:
        sys.stdout.write(made.text())
    elif form is Format.MARKDOWN:
        sys.stdout.write(made.markdown())
    else:
        write(made.rows(), form, sys.stdout)
