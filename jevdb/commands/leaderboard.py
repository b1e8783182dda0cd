"""`jevdb leaderboard`: runs ranked on the items they share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from jevdb.commands.common import AsOfOption, FormatOption, RunsOption, examples
from jevdb.commands.compare import CohortOption, ModalityOption, show_with_heading
from jevdb.commands.session import Session, say
from jevdb.comparison.cohorts import Rule
from jevdb.comparison.entrants import LEAST_SHARE
from jevdb.errors import UsageError
from jevdb.output import Format

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jevdb.runs import Run
    from jevdb.warehouse.database import Connection


def register(app: typer.Typer) -> None:
    """Add the command to *app*."""
    app.command(
        epilog=examples(
            "jevdb leaderboard --benchmark cmdb-1500-synthetic",
            "jevdb leaderboard --benchmark cmdb-1500-synthetic "
            "--cohort shared-probability --modality text",
            "jevdb leaderboard --benchmark jevbench-public-231 --by accuracy "
            "--row hard_111",
            "jevdb leaderboard --benchmark decision-bench --by accuracy "
            "--rank-reported",
            "jevdb leaderboard --benchmark cmdb-1500-synthetic --as-of 2026-03-31 "
            "--format json",
        )
    )(leaderboard)


def leaderboard(
    context: typer.Context,
    benchmark: Annotated[
        str, typer.Option("--benchmark", metavar="ID", help="Whose runs are ranked.")
    ],
    run: RunsOption = None,
    cohort: CohortOption = Rule.SHARED,
    modality: ModalityOption = None,
    by: Annotated[
        str,
        typer.Option("--by", metavar="METRIC", help="I, C, accuracy, ece_noul, ..."),
    ] = "I",
    row: Annotated[
        str | None,
        typer.Option("--row", help="Report row; the one with most items unless given."),
    ] = None,
    method: Annotated[
        str, typer.Option("--method", help="Scoring method.")
    ] = "metrics-md",
    as_of: AsOfOption = None,
    least_share: Annotated[
        float,
        typer.Option(
            min=0,
            max=1,
            help="Runs give way until the cohort has this share of the items; 0 keeps "
            "every run.",
        ),
    ] = LEAST_SHARE,
    include_private: Annotated[
        bool, typer.Option("--include-private", help="Private runs too.")
    ] = False,
    reported: Annotated[
        bool,
        typer.Option("--reported", help="Published results below, marked, unranked."),
    ] = False,
    rank_reported: Annotated[
        bool,
        typer.Option(
            "--rank-reported",
            help="Published results among the runs, marked, ranked by value alone.",
        ),
    ] = False,
    form: FormatOption = Format.TABLE,
) -> None:
    """Rank runs on the items they share; ties are ties, and nobody leads by luck.

    The latest public run of each model and revision, or the runs named: those never
    give way. Exact ties share a rank. A run is #1 only if it beats the second in 95 %
    of the replicates, else there are joint leaders. METRICS.md's cohort is `--cohort
    shared-probability --modality text`.
    """
    from jevdb.as_of import resolved, then
    from jevdb.comparison.cohorts import Asked
    from jevdb.comparison.leaderboard import Request
    from jevdb.comparison.leaderboard import leaderboard as made
    from jevdb.comparison.leaderboard_lines import listed_below, ranked_together
    from jevdb.comparison.leaderboard_reported import read_reported
    from jevdb.comparison.leaderboard_rows import heading, leaderboard_rows, people_rows
    from jevdb.metric_names import number_named

    if rank_reported:
        _require_all_rows(row, modality)
    session: Session = context.obj
    with session.reader() as connection:
        seq = resolved(connection, as_of)
        with then(connection, seq):
            runs = _entrants(connection, run or (), benchmark, include_private)
            number = number_named(by)
            is_asked = reported or rank_reported
            beside = read_reported(connection, benchmark, number) if is_asked else []
        request = Request(
            benchmark_id=benchmark,
            runs=runs,
            asked=Asked(cohort, modality),
            number=number,
            method_id=method,
            report_row=row,
            as_of=seq,
            least_share=0 if run else least_share,
        )
        board = made(connection, request)
    placed = ranked_together if rank_reported else listed_below
    show_with_heading(
        heading(board, placed),
        people_rows(board, beside, placed),
        leaderboard_rows(board, beside, placed),
        form,
    )


def _require_all_rows(row: str | None, modality: str | None) -> None:
    """Refuse to rank published numbers of all rows among numbers of some."""
    if row is not None or modality is not None:
        raise UsageError(
            "--rank-reported: published numbers are of all rows; leave out --row and "
            "--modality, or list them below with --reported"
        )


def _entrants(
    connection: Connection, names: Sequence[str], benchmark: str, include_private: bool
) -> list[Run]:
    from jevdb.comparison.entrants import latest_of_each_model
    from jevdb.runs import asked_for
    from jevdb.text import counted

    runs = asked_for(connection, names, benchmark, say)
    if names:
        return runs
    public = [run for run in runs if include_private or not run.is_private]
    if len(public) < len(runs):
        left_out = counted(len(runs) - len(public), "private run")
        say(f"{left_out} left out; --include-private ranks them")
    return latest_of_each_model(public)
