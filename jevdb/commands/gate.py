"""`jevdb gate`: is a candidate good enough."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jevdb.commands.common import FormatOption, examples
from jevdb.commands.session import Session, say
from jevdb.errors import GateFailed, UsageError
from jevdb.output import Format, to_json, write

if TYPE_CHECKING:
    from jevdb.gating.gate import Margin, MetricGate
    from jevdb.gating.verdict import Verdict
    from jevdb.runs import Run
    from jevdb.warehouse.database import Connection

MARGIN = re.compile(r"(\d+\.?\d*|\.\d+)(%?)")


class Faulty(StrEnum):
    """Rows that a gate lets through only when told to."""

    MISSING = "missing"
    DUPLICATE = "duplicate"
    UNSCORED = "unscored"


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
            metavar="RUN", help="The run to hold it against. [the approved baseline]"
        ),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric", help="I, C, accuracy, ece_noul, ...; repeat it for several."
        ),
    ] = None,
    margin: Annotated[
        list[str] | None,
        typer.Option(
            "--margin",
            help="How much worse is good enough, in the metric's unit or as 2% of the "
            "baseline: one for all metrics, or one each, in order. [0]",
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
    row: Annotated[
        str | None,
        typer.Option("--row", help="Report row; the one with most items unless given."),
    ] = None,
    method: Annotated[
        str, typer.Option("--method", help="Scoring method.")
    ] = "metrics-md",
    allow: Annotated[
        list[Faulty] | None,
        typer.Option("--allow", help="Let such rows of the candidate through."),
    ] = None,
    junit: Annotated[
        Path | None, typer.Option(help="Write JUnit XML too, or - for stdout.")
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(help="Write Markdown too, or - for stdout.")
    ] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Hold a candidate against a baseline and rules; exit 5 if it is not good enough.

    A metric fails only when the paired 95 % interval excludes "not worse by more than
    the margin", over all items, a missing answer counting as wrong. Missing, duplicate
    and unscored rows fail, unless allowed. `--format json` is one verdict object.
    """
    from jevdb.gating.gate import Request, judge
    from jevdb.gating.gate_rules import parse_rule

    if not metric and not rule:
        raise UsageError("a gate needs a --metric or a --rule")
    rules = [parse_rule(text) for text in rule or ()]
    metrics = _metric_gates(metric or (), margin or ())
    session: Session = context.obj
    with session.reader() as connection:
        request = Request(
            *_pair(connection, candidate, baseline, needs_baseline=bool(metrics)),
            metrics=metrics,
            rules=rules,
            method_id=method,
            report_row=row,
            allowed=frozenset(fault.value for fault in allow or ()),
        )
        verdict = judge(connection, request)
    _write(verdict, form, junit, markdown)
    if not verdict.passed:
        raise GateFailed(f"gate {verdict.summary}")


def _metric_gates(metrics: Sequence[str], margins: Sequence[str]) -> list[MetricGate]:
    from jevdb.gating.gate import MetricGate
    from jevdb.metric_names import number_named

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
    return [
        MetricGate(number_named(name), _margin(text))
        for name, text in zip(metrics, each, strict=True)
    ]


def _margin(text: str) -> Margin:
    from jevdb.gating.gate import Margin

    match = MARGIN.fullmatch(text)
    if match is None:
        raise UsageError(f"--margin {text!r}: give a number from 0, as 1.0 or 2%")
    amount, percent = float(match[1]), bool(match[2])
    return Margin(amount / 100 if percent else amount, percent)


def _pair(
    connection: Connection,
    candidate: str,
    baseline: str | None,
    *,
    needs_baseline: bool,
) -> tuple[Run, Run | None]:
    from jevdb.commands.compare import comparable
    from jevdb.gating.baselines import baseline_of
    from jevdb.runs import asked_for

    if baseline is not None:
        run, other = comparable(connection, [candidate, baseline])
        return run, other
    [run] = asked_for(connection, [candidate], on_choice=say)
    return run, baseline_of(connection, run.benchmark_id) if needs_baseline else None


def _write(
    verdict: Verdict, form: Format, junit: Path | None, markdown: Path | None
) -> None:
    from jevdb.gating.verdict import (
        verdict_json,
        verdict_junit,
        verdict_markdown,
        verdict_rows,
        verdict_text,
    )
    from jevdb.warehouse.files import write_whole

    if junit:
        write_whole(junit, verdict_junit(verdict).encode())
    if markdown:
        write_whole(markdown, verdict_markdown(verdict).encode())
    if form is Format.CSV:
        write(verdict_rows(verdict), form, sys.stdout)
    elif form in (Format.JSON, Format.JSONL):
        sys.stdout.write(to_json(verdict_json(verdict)) + "\n")
    elif form is Format.MARKDOWN:
        sys.stdout.write(verdict_markdown(verdict))
    else:
        sys.stdout.write(verdict_text(verdict))
