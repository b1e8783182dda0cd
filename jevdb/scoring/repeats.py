"""The repeats of a run: each by itself, and what they show together (SUITES.md §2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING

from jevdb.base.aligning import aligned
from jevdb.base.errors import UsageError
from jevdb.base.metrics import BY_NAME, decimals
from jevdb.base.output import Rows
from jevdb.base.stored_values import read_object
from jevdb.base.tabular import Told
from jevdb.base.text import markdown_table, short_id, visible
from jevdb.base.wording import option
from jevdb.scoring.names import require_method
from jevdb.scoring.report_rows import row_meant
from jevdb.scoring.report_text import rounded
from jevdb.scoring.runs import Run
from jevdb.scoring.selection import Selection, selected
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

OF_EACH = ("accuracy", "brier", "ece", "intelligence")
"""What is said of every repeat by itself."""
TOGETHER = ("flip_rate", "pass_all", "pass_any", "accuracy_sd", "disagreement")
MOST_PASSED = 10
"""Up to how many repeats pass_k is shown for every k unless one is asked for."""

Number = tuple[float | None, int, str | None]
"""A value, over how many items, or why there is none."""


@dataclass(frozen=True, slots=True, repr=False)
class Repeats(Told):
    """A run's repeats in one report row.

    ``each`` holds the numbers of every repeat by itself, ``together`` those of all, and
    ``pass_k`` the share of items right in all of k repeats drawn, by k.
    """

    run: Run
    report_row: str
    method_id: str
    numbers: Sequence[int]
    names: Sequence[str]
    each: Sequence[Mapping[str, Number]]
    together: Mapping[str, Number]
    pass_k: Mapping[int, Number]

    def rows(self) -> Rows:
        """Return a row per repeat and metric, and of all together without a repeat."""
        columns = ("repeat", "name", "metric", "k", "value", "n", "reason")
        return Rows(columns, [*self._rows()])

    def _rows(self) -> Iterator[tuple[object, ...]]:
        for repeat, name, found in zip(
            self.numbers, self.names, self.each, strict=True
        ):
            for metric, number in found.items():
                yield (repeat, name, metric, None, *number)
        for metric, number in self.together.items():
            yield (None, None, metric, None, *number)
        for k, number in self.pass_k.items():
            yield (None, None, "pass_k", k, *number)

    def text(self) -> str:
        """Return a line per repeat, then what they show together."""
        table, pairs = self._tables()
        lines = [
            f"{visible(self.run.name)}  {short_id(self.run.run_id)}",
            f"report row {self.report_row}, method {self.method_id}, "
            f"x{len(self.numbers)}",
            "",
            *aligned(table, [True, False, *[True] * len(OF_EACH)]),
            "",
            *aligned(pairs, [False, True, True]),
        ]
        return "\n".join(lines) + "\n"

    def markdown(self) -> str:
        """Return the two tables as Markdown."""
        parts = [
            markdown_table(head, body, [True] * len(head))
            for head, *body in self._tables()
        ]
        return "\n\n".join("\n".join(part) for part in parts) + "\n"

    def _tables(self) -> tuple[list[list[str]], list[list[str]]]:
        headings = [BY_NAME[metric].heading for metric in OF_EACH]
        table = [["repeat", "called", *headings]]
        for repeat, name, found in zip(
            self.numbers, self.names, self.each, strict=True
        ):
            cells = [_cell(found[metric], metric) for metric in OF_EACH]
            table.append([str(repeat), visible(name), *cells])
        pairs = [["of all", "", "n"]]
        for metric, number in self.together.items():
            pairs.append([metric, _cell(number, metric), str(number[1])])
        for k, number in self.pass_k.items():
            pairs.append([f"pass_{k}", _cell(number, "pass_all"), str(number[1])])
        return table, pairs


def _cell(number: Number, metric: str) -> str:
    value, _, reason = number
    return reason or "N/A" if value is None else rounded(value, decimals(metric))


def repeats_of(
    connection: Connection,
    run: Run,
    *,
    row: str | None,
    method_id: str,
    k: int | None = None,
    among: Sequence[int] | None = None,
) -> Repeats:
    """Return what the repeats of a run show, or those of *among* alone.

    Raises
    ------
    UsageError
        A repeat that the run did not ask, fewer than two of them, or k below 1.
    UnknownNameError
        A method or report row that there is not.
    """
    require_method(connection, method_id)
    numbers = list(range(run.n_repeats)) if among is None else sorted(set(among))
    _require(run, numbers, k, is_chosen=among is not None)
    names = _names(connection, run)
    chosen = Selection(run_ids=[run.run_id], methods=[method_id], repeats=numbers)
    with selected(connection, chosen):
        sizes = connection.execute(
            "select report_row, n from report order by report_row"
        ).fetchall()
        report_row = row_meant(row, dict(sizes))
        together = _numbers(connection, report_row, TOGETHER).get(run.run_id, {})
        counts = connection.execute(
            query("scoring/repeat_rows"), {"report_row": report_row}
        ).fetchall()
    alone = Selection(run_ids=[run.run_id], methods=[method_id], repeats="each")
    with selected(connection, alone):
        found = _numbers(connection, report_row, OF_EACH)
    return Repeats(
        run,
        report_row,
        method_id,
        numbers,
        [names[repeat] for repeat in numbers],
        [found[f"{run.run_id}/{repeat}"] for repeat in numbers],
        together,
        _passed(counts, len(numbers), k),
    )


def _require(
    run: Run, numbers: Sequence[int], k: int | None, *, is_chosen: bool
) -> None:
    among = option("among")
    if unknown := [each for each in numbers if each not in range(run.n_repeats)]:
        raise UsageError(
            f"{among} {unknown[0]}: the repeats of the run are 0 to {run.n_repeats - 1}"
        )
    if is_chosen and len(numbers) < 2:  # noqa: PLR2004
        raise UsageError(f"{among} takes two repeats or more: 0,1")
    if k is not None and k < 1:
        raise UsageError(f"{option('k')} is 1 or more, not {k}")


def _names(connection: Connection, run: Run) -> list[str]:
    """Return what the files of a run call its repeats."""
    [(settings,)] = connection.execute(
        "select settings from runs where run_id = $run_id", {"run_id": run.run_id}
    ).fetchall()
    said = read_object(settings, f"runs.settings of {run.run_id}").get("repeats")
    if isinstance(said, list) and len(said) == run.n_repeats:
        return [str(name) for name in said]
    return [str(repeat) for repeat in range(run.n_repeats)]


def _numbers(
    connection: Connection, report_row: str, metrics: Sequence[str]
) -> dict[str, dict[str, Number]]:
    """Return numbers of kind all, by run, in the order of *metrics*."""
    found = connection.execute(
        "select run_id, metric, value, n, reason from report_metrics "
        "where report_row = $report_row and kind = 'all' "
        "and list_contains($metrics, metric) "
        "order by run_id, list_position($metrics, metric)",
        {"report_row": report_row, "metrics": list(metrics)},
    ).fetchall()
    numbers: dict[str, dict[str, Number]] = {}
    for run_id, metric, *number in found:
        numbers.setdefault(run_id, {})[metric] = (number[0], number[1], number[2])
    return numbers


def _passed(
    counts: Sequence[tuple[int, int]], n_repeats: int, k: int | None
) -> dict[int, Number]:
    """Return pass_k: the mean over items of C(c, k) / C(R, k), rounded once."""
    n_items = sum(n for _, n in counts)
    asked = [k] if k is not None else range(1, min(n_repeats, MOST_PASSED) + 1)
    if not n_items:
        return dict.fromkeys(asked, (None, 0, "no_repeats"))
    found: dict[int, Number] = {}
    for each in asked:
        if each > n_repeats:
            found[each] = (None, 0, "no_repeats")
            continue
        right = sum(comb(c, each) * n for c, n in counts)
        share = Fraction(right, comb(n_repeats, each) * n_items)
        found[each] = (float(share), n_items, None)
    return found
