"""`jevdb leaderboard`: runs ranked on the items they share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from jevdb.base.defaults import DEFAULT_METHOD
from jevdb.base.output import Format
from jevdb.commands.common import (
    AsOfOption,
    ClusterOption,
    FormatOption,
    MethodOption,
    RowOption,
    RunsOption,
    examples,
)
from jevdb.commands.compare import (
    CohortOption,
    IntervalOption,
    ModalityOption,
    show_with_heading,
)
from jevdb.commands.session import Session
from jevdb.commands.suite_options import (
    DropOption,
    EditionOption,
    EntrantOption,
    MixedOption,
    SuiteOption,
    require_no_others,
    require_suite,
)
from jevdb.comparison.cohorts import Rule
from jevdb.comparison.entrants import LEAST_SHARE
from jevdb.comparison.rules import IntervalRule

if TYPE_CHECKING:
    from jevdb.base.tabular import Tabular


def register(app: typer.Typer) -> None:
    """Add the command to *app*."""
    app.command(
        epilog=examples(
            "jevdb leaderboard",
            "jevdb leaderboard --benchmark cmdb-1500-synthetic",
            "jevdb leaderboard --benchmark cmdb-1500-synthetic "
            "--cohort shared-probability --modality text",
            "jevdb leaderboard --benchmark jevbench-public-231 --metric accuracy "
            "--row hard_111",
            "jevdb leaderboard --benchmark decision-bench --metric accuracy "
            "--rank-reported",
            "jevdb leaderboard --suite our-suite --drop synthetic-terse",
            "jevdb leaderboard --benchmark cmdb-1500-synthetic --as-of 2026-03-31 "
            "--format json",
        )
    )(leaderboard)


def leaderboard(
    context: typer.Context,
    benchmark: Annotated[
        str | None,
        typer.Option(
            "--benchmark",
            metavar="ID",
            help="The benchmark whose runs are ranked. [a board for each]",
        ),
    ] = None,
    run: RunsOption = None,
    cohort: CohortOption = Rule.SHARED,
    modality: ModalityOption = None,
    metric: Annotated[
        str,
        typer.Option(
            "--metric", metavar="METRIC", help="I, C, accuracy, ece_noul, ..."
        ),
    ] = "I",
    by: Annotated[
        str | None, typer.Option("--by", metavar="METRIC", hidden=True)
    ] = None,
    row: RowOption = None,
    method: MethodOption = DEFAULT_METHOD,
    as_of: AsOfOption = None,
    least_share: Annotated[
        float,
        typer.Option(
            min=0,
            max=1,
            help="Leave runs that miss many items unranked, until the others share "
            "this part of the items; 0 ranks every run.",
        ),
    ] = LEAST_SHARE,
    include_private: Annotated[
        bool, typer.Option("--include-private", help="Private runs too.")
    ] = False,
    suite: SuiteOption = None,
    edition: EditionOption = None,
    entrant: EntrantOption = None,
    drop: DropOption = None,
    reported: Annotated[
        bool,
        typer.Option(
            "--reported",
            help="Add published results below, marked, without a rank. With a "
            "suite they stand for runs that an entrant lacks.",
        ),
    ] = False,
    mixed: MixedOption = False,
    rank_reported: Annotated[
        bool,
        typer.Option(
            "--rank-reported",
            help="Rank published results among the runs by value alone, marked.",
        ),
    ] = False,
    cluster: ClusterOption = None,
    interval: IntervalOption = IntervalRule.ANALYTIC,
    shows_all: Annotated[
        bool, typer.Option("--all", help="Show the other numbers too.")
    ] = False,
    form: FormatOption = Format.TABLE,
) -> None:
    """Rank runs on the items they share, by what tests of all pairs show.

    Without a benchmark, each that has runs gets a board of its own.

    It ranks the latest public run of each model and revision, or the runs named, and
    leaves unnamed runs that miss many items unranked. The rank is the order of values.
    Beside it stand the ranks that are possible, all of them at once with 95 %. A run is
    #1 if it is above every other. Otherwise the runs that no run is above are joint
    leaders. Luck alone makes a false #1 on at most 5 % of boards.
    METRICS.md's cohort is `--cohort shared-probability --modality text`.

    With a suite it ranks the entrants by their score over many benchmarks. With an
    edition it shows the board as it was frozen.
    """
    session: Session = context.obj
    if edition is not None:
        require_no_others(context, "edition")
        show_with_heading(session.reading().edition(edition), form)
        return
    if suite is not None:
        require_no_others(
            context, "suite", "run", "entrant", "drop", "reported", "mixed", "as_of"
        )
        found = session.reading().suite(
            *(suite,),
            run=run,
            entrant=entrant or (),
            drop=drop or (),
            reported=reported,
            mixed=mixed,
            as_of=as_of,
        )
        show_with_heading(found, form)
        return
    require_suite(context, "entrant", "drop", "mixed")
    warehouse = session.reading()
    one = partial(warehouse.leaderboard, benchmark)
    ranked: Callable[..., Tabular] = one if benchmark else warehouse.leaderboards
    boards = ranked(
        run,
        cohort=cohort.value,
        modality=modality.value if modality else None,
        metric=metric,
        by=by,
        row=row,
        method=method,
        as_of=as_of,
        least_share=least_share,
        include_private=include_private,
        reported=reported,
        rank_reported=rank_reported,
        cluster=cluster.value if cluster else None,
        interval=interval.value,
        all=shows_all,
    )
    show_with_heading(boards, form)
