"""`jevdb plot`: pictures of what the reports say."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jevdb.base.defaults import DEFAULT_METHOD, TARGET
from jevdb.base.errors import UsageError
from jevdb.commands.calibration import Kind
from jevdb.commands.common import (
    BenchmarkOption,
    GoldOption,
    MethodOption,
    MethodsOption,
    RowOption,
    examples,
    writable,
)
from jevdb.commands.compare import CohortOption, Dimension, ModalityOption
from jevdb.commands.session import Session, say
from jevdb.comparison.cohorts import Rule

if TYPE_CHECKING:
    from jevdb.api.warehouse import Warehouse
    from jevdb.plots import Picture

BOXES = 20
"""So many characters without a glyph are named."""
SUFFIXES = (".svg", ".png", ".html")
plot_app = typer.Typer(no_args_is_help=True)


class Paper(StrEnum):
    """What a picture is for."""

    LIGHT = "light"
    DARK = "dark"
    AUTO = "auto"


RunsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[RUN]...",
        help="Id prefixes, models, model@revision or model@revision#label; every "
        "current public run of the benchmark unless given.",
    ),
]
OutOption = Annotated[
    Path,
    typer.Option(
        "--out",
        callback=writable,
        metavar="FILE",
        help="A name that ends in .svg, .png or .html; `-` is SVG on stdout.",
    ),
]
ThemeOption = Annotated[
    Paper,
    typer.Option(
        "--theme",
        help="The colours; auto follows the reader's setting (a PNG is light then).",
    ),
]
MetricOption = Annotated[
    str, typer.Option("--metric", help="I, C, accuracy, ece_noul, ...")
]
PrivateOption = Annotated[
    bool, typer.Option("--include-private", help="Private runs too.")
]


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    app.add_typer(
        plot_app,
        name="plot",
        help="Draw pictures: SVG, PNG, or an HTML page that needs no network.",
        epilog=examples(
            "jevdb plot reliability de-1 --out reliability.svg",
            "jevdb plot indices --benchmark cmdb-1500-synthetic --out i-c.html",
            "jevdb plot won-lost de-1 gavel-decide-4b --out won-lost.png",
        ),
    )


@plot_app.command(
    epilog=examples(
        "jevdb plot reliability de-1 --out reliability.svg",
        "jevdb plot reliability de-1 gavel-decide-4b --kind noul --out noul.png",
        "jevdb plot reliability --benchmark cmdb-1500-synthetic --kind pooled "
        "--out all.html",
    )
)
def reliability(
    context: typer.Context,
    out: OutOption,
    runs: RunsArgument = None,
    benchmark: BenchmarkOption = None,
    kind: Annotated[
        list[Kind] | None,
        typer.Option("--kind", help="Only this kind of ECE; repeatable."),
    ] = None,
    row: RowOption = None,
    method: MethodOption = DEFAULT_METHOD,
    gold_revision: GoldOption = None,
    include_private: PrivateOption = False,
    theme: ThemeOption = Paper.AUTO,
) -> None:
    """Draw reliability diagrams: is what a run states true as often as it says.

    A panel per run and type, with every bin, Wilson intervals, how many rows each bin
    holds, and the ECE (expected calibration error) beside what chance alone gives.
    """
    _require_plots(out)
    picture = _warehouse(context).plot_reliability(
        runs,
        benchmark=benchmark,
        kinds=[each.value for each in kind] if kind else None,
        row=row,
        method=method,
        gold_revision=gold_revision,
        include_private=include_private,
    )
    _write(picture, out, theme)


@plot_app.command(
    epilog=examples(
        "jevdb plot indices --benchmark cmdb-1500-synthetic --out i-c.svg",
        "jevdb plot indices --benchmark my-questions --x accuracy --y ece_choice "
        "--out a.html",
    )
)
def indices(
    context: typer.Context,
    out: OutOption,
    runs: RunsArgument = None,
    benchmark: BenchmarkOption = None,
    x: Annotated[
        str, typer.Option("--x", help="The number on the horizontal axis.")
    ] = "I",
    y: Annotated[
        str, typer.Option("--y", help="The number on the vertical axis.")
    ] = "C",
    row: RowOption = None,
    method: MethodOption = DEFAULT_METHOD,
    gold_revision: GoldOption = None,
    include_private: PrivateOption = False,
    theme: ThemeOption = Paper.AUTO,
) -> None:
    """Draw I against C, a point per run, with 95 % bootstrap intervals.

    A run that lacks the number upwards is drawn in a strip below. A run that lacks the
    other number is in the list only. Both have the reason.
    """
    _require_plots(out)
    picture = _warehouse(context).plot_indices(
        runs,
        benchmark=benchmark,
        x=x,
        y=y,
        row=row,
        method=method,
        gold_revision=gold_revision,
        include_private=include_private,
    )
    _write(picture, out, theme)


@plot_app.command(
    epilog=examples(
        "jevdb plot history de-1 --out history.svg",
        "jevdb plot history de-1 --metric ece_noul --row hard_111 --out h.png",
        "jevdb plot history de-1 --method metrics-md --method jevbench-v1.5 "
        "--out h.svg",
    )
)
def history(
    context: typer.Context,
    out: OutOption,
    model: Annotated[
        str, typer.Argument(metavar="MODEL", help="A model, or model@revision.")
    ],
    metric: MetricOption = "I",
    benchmark: BenchmarkOption = None,
    row: RowOption = None,
    method: MethodsOption = None,
    theme: ThemeOption = Paper.AUTO,
) -> None:
    """Draw a number over the runs of a model, with gold and method changes marked."""
    _require_plots(out)
    picture = _warehouse(context).plot_history(
        model,
        metric=metric,
        benchmark=benchmark,
        row=row,
        method=method or DEFAULT_METHOD,
    )
    _write(picture, out, theme)


@plot_app.command(
    epilog=examples(
        "jevdb plot profile de-1 gavel-decide-4b --out profile.svg",
        "jevdb plot profile de-1 --metric I --by tier --out tiers.png",
    )
)
def profile(
    context: typer.Context,
    out: OutOption,
    runs: RunsArgument = None,
    benchmark: BenchmarkOption = None,
    metric: MetricOption = "accuracy",
    by: Annotated[
        list[Dimension] | None,
        typer.Option("--by", help="Only this breakdown; repeatable."),
    ] = None,
    row: RowOption = None,
    method: MethodOption = DEFAULT_METHOD,
    gold_revision: GoldOption = None,
    include_private: PrivateOption = False,
    theme: ThemeOption = Paper.AUTO,
) -> None:
    """Draw a number per type, tier and family: dots with 95 % bootstrap intervals."""
    _require_plots(out)
    picture = _warehouse(context).plot_profile(
        runs,
        benchmark=benchmark,
        metric=metric,
        by=[each.value for each in by] if by else None,
        row=row,
        method=method,
        gold_revision=gold_revision,
        include_private=include_private,
    )
    _write(picture, out, theme)


@plot_app.command(
    name="won-lost",
    epilog=examples(
        "jevdb plot won-lost de-1 gavel-decide-4b --out won-lost.svg",
        "jevdb plot won-lost de-1@r1 de-1@r2 --by type --out won-lost.html",
    ),
)
def won_lost(
    context: typer.Context,
    out: OutOption,
    base: Annotated[
        str, typer.Argument(metavar="BASE", help="The base of the comparison.")
    ],
    other: Annotated[
        str, typer.Argument(metavar="OTHER", help="The run to compare with it.")
    ],
    benchmark: BenchmarkOption = None,
    by: Annotated[
        Dimension, typer.Option("--by", help="What items are grouped by.")
    ] = Dimension.FAMILY,
    cohort: CohortOption = Rule.SHARED,
    modality: ModalityOption = None,
    theme: ThemeOption = Paper.AUTO,
) -> None:
    """Draw the items that one of two runs got right and the other did not.

    The items, counts and tests are those of `jevdb compare`.
    """
    _require_plots(out)
    picture = _warehouse(context).plot_won_lost(
        base,
        other,
        benchmark=benchmark,
        by=by.value,
        cohort=cohort.value,
        modality=modality.value if modality else None,
    )
    _write(picture, out, theme)


@plot_app.command(
    name="risk-coverage",
    epilog=examples(
        "jevdb plot risk-coverage de-1 gavel-decide-4b --out risk.svg",
        "jevdb plot risk-coverage de-1 --kind choice --target 0.99 --out risk.png",
    ),
)
def risk_coverage(
    context: typer.Context,
    out: OutOption,
    runs: RunsArgument = None,
    benchmark: BenchmarkOption = None,
    kind: Annotated[
        Kind, typer.Option("--kind", help="The items the curve is over.")
    ] = Kind.ALL,
    target: Annotated[
        float, typer.Option(help="The accuracy whose most coverage is marked.")
    ] = TARGET,
    row: RowOption = None,
    method: MethodOption = DEFAULT_METHOD,
    gold_revision: GoldOption = None,
    include_private: PrivateOption = False,
    theme: ThemeOption = Paper.AUTO,
) -> None:
    """Draw how often runs err if only their surest answers are taken."""
    _require_plots(out)
    picture = _warehouse(context).plot_risk_coverage(
        runs,
        benchmark=benchmark,
        kind=kind.value,
        target=target,
        row=row,
        method=method,
        gold_revision=gold_revision,
        include_private=include_private,
    )
    _write(picture, out, theme)


@plot_app.command(
    epilog=examples(
        "jevdb plot usage --benchmark cmdb-1500-synthetic --out cost.svg",
        "jevdb plot usage de-1 gavel-decide-4b --metric accuracy --out cost.png",
    )
)
def usage(
    context: typer.Context,
    out: OutOption,
    runs: RunsArgument = None,
    benchmark: BenchmarkOption = None,
    metric: MetricOption = "I",
    row: RowOption = None,
    method: MethodOption = DEFAULT_METHOD,
    gold_revision: GoldOption = None,
    include_private: PrivateOption = False,
    theme: ThemeOption = Paper.AUTO,
) -> None:
    """Draw latency and cost against I: what a run's score takes."""
    _require_plots(out)
    picture = _warehouse(context).plot_usage(
        runs,
        benchmark=benchmark,
        metric=metric,
        row=row,
        method=method,
        gold_revision=gold_revision,
        include_private=include_private,
    )
    _write(picture, out, theme)


def _require_plots(out: Path) -> None:
    """Refuse a file name that says no format, and a missing extra, before any work."""
    from jevdb.plots.rendering import vl_convert
    from jevdb.warehouse.files import STDOUT

    if str(out) != STDOUT and out.suffix.lower() not in SUFFIXES:
        raise UsageError(f"--out {out}: the name ends in {', '.join(SUFFIXES)}")
    vl_convert()


def _warehouse(context: typer.Context) -> Warehouse:
    session: Session = context.obj
    return session.reading()


def _write(picture: Picture, out: Path, paper: Paper) -> None:
    from jevdb.warehouse.files import write_whole

    suffix = out.suffix.lower()
    if suffix == ".png":
        data = picture.png(paper.value)
        if lacking := picture.boxed():
            shown = lacking[:BOXES] + ("..." if len(lacking) > BOXES else "")
            say(
                f"No font of this machine has {shown}: empty boxes in {out.name}. "
                "Install one that has them (Noto Sans CJK, say), or draw .svg or "
                ".html, which take the reader's fonts."
            )
    else:
        text = picture.html if suffix == ".html" else picture.svg
        data = text(paper.value).encode()
    write_whole(out, data)
    say(picture.alt)
