"""`jevdb gate`: is a candidate good enough."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jevdb.base.defaults import DEFAULT_METHOD
from jevdb.base.errors import GateFailed, GateInconclusive, UsageError
from jevdb.base.output import Format, to_json, write
from jevdb.commands.common import (
    ClusterOption,
    FormatOption,
    MethodOption,
    RowOption,
    examples,
)
from jevdb.commands.compare import show_with_heading
from jevdb.commands.session import Session
from jevdb.commands.suite_options import SuiteOption, require_no_others
from jevdb.warehouse.files import STDOUT

if TYPE_CHECKING:
    from jevdb.comparison.gates.verdict import Verdict


class Faulty(StrEnum):
    """Rows that a gate lets through only when told to."""

    MISSING = "missing"
    DUPLICATE = "duplicate"
    UNSCORED = "unscored"


class Require(StrEnum):
    """What a gate asks for."""

    NOT_WORSE = "not-worse"
    NON_INFERIOR = "non-inferior"


def register(app: typer.Typer) -> None:
    """Add the command to *app*."""
    app.command(
        epilog=examples(
            "jevdb gate --candidate de-1@r2 --metric I --margin 1.0",
            "jevdb gate --candidate de-1@r2 --baseline de-1@r1 --metric accuracy "
            "--margin 2% --metric ece_choice --margin 0.01",
            "jevdb gate --candidate de-1 --rule 'min(p_gold) >= 0.8'",
            "jevdb gate --candidate de-1 --rule 'share(latency_s <= 2) >= 95%' "
            "--junit gate.xml --markdown gate.md",
            "jevdb gate --candidate de-1 --metric I --margin 6 --require non-inferior",
            "jevdb gate --candidate de-1 --thresholds thresholds.json",
            "jevdb gate --candidate de-1 --suite our-suite --margin 2",
        )
    )(gate)


def gate(
    context: typer.Context,
    candidate: Annotated[
        str,
        typer.Option(
            metavar="RUN",
            help="An id prefix, model, model@revision or model@revision#label.",
        ),
    ],
    baseline: Annotated[
        str | None,
        typer.Option(
            metavar="RUN", help="The run to compare it with. [the approved baseline]"
        ),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            help="I, accuracy, brier, gap_noul, ce2, ...; repeat it for several.",
        ),
    ] = None,
    margin: Annotated[
        list[str] | None,
        typer.Option(
            "--margin",
            help="By how much a metric may be worse, in its unit or as 2% of the "
            "baseline. Give one for all metrics, or one each, in order. [0]",
        ),
    ] = None,
    rule: Annotated[
        list[str] | None,
        typer.Option(
            "--rule",
            help="'min(p_gold) >= 0.8': min, max, mean, median or share of p_gold, "
            "confidence, correct, nll, brier, tvd, rps, rating_error, f1, latency_s, "
            "input_tokens, output_tokens or cost_usd.",
        ),
    ] = None,
    require: Annotated[
        Require,
        typer.Option(
            help="Fail on evidence of harm, or pass only on evidence that a candidate "
            "is within the margin."
        ),
    ] = Require.NOT_WORSE,
    thresholds: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Check that it keeps the promises of `jevdb calibration --out`.",
        ),
    ] = None,
    row: RowOption = None,
    method: MethodOption = DEFAULT_METHOD,
    cluster: ClusterOption = None,
    allow: Annotated[
        list[Faulty] | None,
        typer.Option(
            "--allow", help="Do not fail because of such rows of the candidate."
        ),
    ] = None,
    junit: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write JUnit XML too; with - stdout has nothing else."
        ),
    ] = None,
    markdown: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write Markdown too; with - stdout has nothing else."
        ),
    ] = None,
    suite: SuiteOption = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Hold a candidate against a baseline and rules; exit 5 if it is not good enough.

    A metric fails only on evidence that it is worse by more than the margin. It is
    taken over all items, and a missing answer counts as wrong. Every different
    candidate that an approved baseline meets is a look. Each look needs more evidence
    than the one before, so that a good candidate fails in 5 % of all looks together at
    most. Evidence that would have been enough at the first look alone is inconclusive
    (exit 7), and so is a number without an interval. Missing, duplicate and unscored
    rows fail, unless allowed. `--format json` is one object.

    With a suite, the score is compared with that of the baseline that you name or that
    is approved (`jevdb baseline set`). The suite counts such looks.
    """
    if suite is not None:
        require_no_others(
            context, "suite", "candidate", "baseline", "margin", "require"
        )
        _gate_suite(context.obj, suite, candidate, baseline, margin, require, form)
        return
    if not metric and not rule and thresholds is None:
        raise UsageError("a gate needs a --metric, a --rule or --thresholds")
    alone = _alone_on_stdout(form, junit, markdown)
    session: Session = context.obj
    verdict = session.storing().gate(
        candidate,
        baseline,
        metrics=_margins(metric or (), margin or ()),
        rules=rule or (),
        row=row,
        method=method,
        allow=[fault.value for fault in allow or ()],
        require=require.value,
        cluster=cluster.value if cluster else None,
        thresholds=thresholds,
    )
    _write(verdict, None if alone else form, junit, markdown)
    if verdict.outcome == "inconclusive":
        raise GateInconclusive(f"gate {verdict.summary}")
    if not verdict.passed:
        raise GateFailed(f"gate {verdict.summary}")


def _gate_suite(
    session: Session,
    suite: str,
    candidate: str,
    baseline: str | None,
    margin: Sequence[str] | None,
    require: Require,
    form: Format,
) -> None:
    try:
        [points] = [float(each) for each in margin or ["0"]]
    except ValueError as error:
        raise UsageError("with --suite: one --margin, in points") from error
    verdict = session.storing().gate_suite(
        *(suite, candidate, baseline), margin=points, require=require.value
    )
    if form in (Format.JSON, Format.JSONL):
        sys.stdout.write(to_json(verdict.to_json()) + "\n")
    else:
        show_with_heading(verdict, form)
    if verdict.outcome == "inconclusive":
        raise GateInconclusive(f"gate {verdict.summary}")
    if not verdict.passed:
        raise GateFailed(f"gate {verdict.summary}")


def _alone_on_stdout(form: Format, junit: Path | None, markdown: Path | None) -> bool:
    """Whether stdout is for one of the two files, and so for nothing else."""
    wanted = [
        name
        for name, path in (("--junit", junit), ("--markdown", markdown))
        if str(path) == STDOUT
    ]
    if wanted and form is not Format.TABLE:
        wanted.append("--format")
    if len(wanted) > 1:
        raise UsageError(f"{' and '.join(wanted)}: one of them can have stdout")
    return bool(wanted)


def _margins(metrics: Sequence[str], margins: Sequence[str]) -> list[tuple[str, str]]:
    """Return each metric with its margin."""
    if len(margins) not in (0, 1, len(metrics)):
        raise UsageError(
            f"{len(metrics)} metrics and {len(margins)} margins: give one margin for "
            "all, or one each"
        )
    if margins and not metrics:
        raise UsageError("a --margin needs a --metric")
    each = list(margins) if len(margins) == len(metrics) else [*margins, "0"][:1]
    if len(each) < len(metrics):
        each *= len(metrics)
    return list(zip(metrics, each, strict=True))


def _write(
    verdict: Verdict, form: Format | None, junit: Path | None, markdown: Path | None
) -> None:
    from jevdb.warehouse.files import write_whole

    if junit:
        write_whole(junit, verdict.to_junit().encode())
    if markdown:
        write_whole(markdown, verdict.markdown().encode())
    if form is Format.CSV:
        write(verdict.rows(), form, sys.stdout)
    elif form in (Format.JSON, Format.JSONL):
        sys.stdout.write(to_json(verdict.to_json()) + "\n")
    elif form is Format.MARKDOWN:
        sys.stdout.write(verdict.markdown())
    elif form:
        sys.stdout.write(verdict.text())
