"""Everything behind one number: definition, method, scope, rows, bins or terms.

All of it is asked of the same written-out views that give the number, so what is shown
is what was computed; the definitions are the headers of the SQL files.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from jevdb.errors import UnknownNameError, UsageError
from jevdb.export import TYPES, Json, method_json
from jevdb.metric_names import Number
from jevdb.names import require_method
from jevdb.output import Rows, collected
from jevdb.report import require_gold_revision
from jevdb.scope_views import scope_view
from jevdb.sqlfiles import SqlObject, program, query, quoted
from jevdb.written_out import Place, as_cte, inside, written_out

if TYPE_CHECKING:
    from jevdb.database import Connection
    from jevdb.runs import Run

ANSWER_PARAMETERS = ("tie_rule",)
METHOD_PARAMETERS: dict[str, tuple[str, ...]] = {
    "accuracy": ANSWER_PARAMETERS,
    "ece": ("bins", *ANSWER_PARAMETERS),
    "nll": ("probability_floor",),
    "calibration": ("bins", "type_weights", *ANSWER_PARAMETERS),
    "intelligence": (
        *("noul_low", "noul_high", "noul_chance_corrected", "type_weights"),
        *("tier_weights", "failed_rating", *ANSWER_PARAMETERS),
    ),
}
"""What of a method changes a metric; of the others it changes nothing."""

VIEWS = {
    "intelligence": "component_intelligence",
    "calibration": "component_calibration",
}
SUBSETS = {
    **{"accuracy": "all", "coverage": "all", "tvd": "tvd", "rps": "rps"},
    **{"brier": "index", "nll": "index", "ordinal_mae": "rps"},
    **{"multi_select_f1": "multi_select", "intelligence": "index"},
}
ECE_SUBSETS = {"pooled": "pooled", "all": "index"}


class Asked(NamedTuple):
    """The number to explain: whose, which, where, by which method and gold."""

    run: Run
    number: Number
    report_row: str | None
    method_id: str
    gold_revision: int | None


class Scope(NamedTuple):
    """The items a number is about: a subset of the scope view, maybe of one type."""

    subset: str | None
    type: str
    basis: str | None


class Value(NamedTuple):
    """The number itself."""

    report_row: str
    value: float | None
    n: int
    n_scope: int
    reason: str | None


class Terms(NamedTuple):
    """What a mean was taken of: how many terms, and their exact sum."""

    n: int
    total: float


class Explanation(NamedTuple):
    """A number, and everything that went into it; tables that do not apply are None."""

    asked: Asked
    place: Place
    value: Value
    definitions: list[SqlObject]
    parameters: Json
    scope: Scope
    fates: list[tuple[bool, str, int]]
    bins: Rows | None
    terms: Terms | None
    tiers: Rows | None
    parts: Rows | None
    components: Rows | None
    rows: Rows

    @property
    def n_items(self) -> int:
        """How many items the report row has; the fates add up to it."""
        return sum(count for _, _, count in self.fates)


def explain(connection: Connection, asked: Asked) -> Explanation:
    """Return everything behind the number that *asked* means.

    Raises
    ------
    UnknownNameError
        A method or report row that there is not.
    UsageError
        A gold revision that there is not, or a benchmark without items.
    """
    place = place_of(connection, asked)
    value = _value(connection, place, asked)
    metric, kind = asked.number
    scope = scope_of(asked.number)
    where: dict[str, object] = {"report_row": value.report_row}
    rows = _ask(
        connection,
        place,
        query("explain_rows"),
        {**where, "metric": metric, **scope._asdict()},
    )
    is_index = metric in VIEWS
    return Explanation(
        asked=asked,
        place=place,
        value=value,
        definitions=definitions(asked.number),
        parameters=_parameters(connection, asked),
        scope=scope,
        fates=_fates(rows),
        bins=_bins(connection, place, asked.number, where),
        terms=None if is_index or metric == "ece" else _terms(rows),
        tiers=_tiers(connection, place, kind, where)
        if metric == "intelligence"
        else None,
        parts=_ask(connection, place, query("explain_parts"), {**where, "kind": kind})
        if metric == "calibration"
        else None,
        components=_ask(
            connection, place, query("explain_components"), {**where, "metric": metric}
        )
        if is_index and kind == "all"
        else None,
        rows=rows,
    )


def place_of(connection: Connection, asked: Asked) -> Place:
    """Return where the number stands; the newest gold unless one is asked for."""
    require_method(connection, asked.method_id)
    require_gold_revision(connection, asked.gold_revision, [asked.run])
    benchmark = asked.run.benchmark_id
    scoring, revision = connection.execute(
        "select scoring, gold_revision from benchmark_states where benchmark_id = $id",
        {"id": benchmark},
    ).fetchall()[0]
    if revision is None:
        raise UsageError(f"{benchmark} has no items yet; ingest them first")
    return Place(
        run_id=asked.run.run_id,
        benchmark_id=benchmark,
        gold_revision=asked.gold_revision or revision,
        method_id=asked.method_id,
        scope=scope_view(connection, scoring),
    )


def asked_query(connection: Connection, asked: Asked) -> str:
    """Return one query that gives the number in any DuckDB client on the file.

    Raises the errors of `explain`.
    """
    place = place_of(connection, asked)
    value = _value(connection, place, asked)
    return number_query(place, asked.number, value.report_row)


def number_query(place: Place, number: Number, report_row: str) -> str:
    """Return the query of a number in a report row that there is."""
    statement = f"""\
select value
from {view_of(number)}
where
    report_row = {quoted(report_row)}
    and metric = {quoted(number.metric)}
    and kind = {quoted(number.kind)}"""
    title = (
        f"-- {number.metric}, kind {number.kind}, of run\n-- {place.run_id},\n"
        f"-- report row {_in_comment(report_row)}, method {place.method_id}, "
        f"gold revision {place.gold_revision}.\n"
        "-- Reads the tables and macros of the warehouse; every view is written out.\n"
    )
    return title + written_out(place, statement)


def _in_comment(text: str) -> str:
    return " ".join(text.split())


def view_of(number: Number) -> str:
    """Return the view that has the number."""
    if number.metric not in VIEWS:
        return f"metric_{number.metric}"
    return "indices" if number.kind == "all" else VIEWS[number.metric]


def definitions(number: Number) -> list[SqlObject]:
    """Return the views whose headers say, in words, what the number is."""
    names = [view_of(number)]
    if number.metric in VIEWS and number.kind == "all":
        names.append(VIEWS[number.metric])
    by_name = {item.name: item for item in program()}
    return [by_name[name] for name in names]


def scope_of(number: Number) -> Scope:
    """Return the items that the number is about."""
    metric, kind = number
    if metric == "calibration" and kind == "all":
        return Scope(None, "all", "by type")
    if metric in ("ece", "calibration"):
        subset = ECE_SUBSETS.get(kind, f"ece_{kind}")
        return Scope(subset, "all", "yes" if kind == "noul" else "top")
    if metric in ("tvd", "multi_select_f1"):
        return Scope(SUBSETS[metric], "all", None)
    return Scope(SUBSETS[metric], kind, None)


def _ask(
    connection: Connection, place: Place, statement: str, named: dict[str, object]
) -> Rows:
    connection.execute(written_out(place, as_cte(statement)), named)
    return collected(connection)


def _value(connection: Connection, place: Place, asked: Asked) -> Value:
    statement = f"""\
select report_row, value, n, n_scope, reason
from {view_of(asked.number)}
where metric = $metric and kind = $kind"""
    connection.execute(written_out(place, statement), asked.number._asdict())
    values = {row[0]: Value(*row) for row in connection.fetchall()}
    if asked.report_row is None:
        return values[_largest_row(connection, place)]
    if asked.report_row not in values:
        raise UnknownNameError("report row", asked.report_row, values)
    return values[asked.report_row]


def report_row_of(connection: Connection, place: Place, asked: Asked) -> str:
    """Return the report row asked for, or the one with most items."""
    return _value(connection, place, asked).report_row


def _largest_row(connection: Connection, place: Place) -> str:
    """Return the report row with most items; of several the first by name."""
    statement = """\
select report_row
from scopes
where subset = 'all'
group by report_row
order by count(*) desc, report_row
limit 1"""
    return str(connection.execute(written_out(place, statement)).fetchall()[0][0])


def _parameters(connection: Connection, asked: Asked) -> Json:
    method = method_json(connection, asked.method_id)
    names = METHOD_PARAMETERS.get(asked.number.metric, ())
    return {name: method[name] for name in names}


def _fates(rows: Rows) -> list[tuple[bool, str, int]]:
    averaged, fate = rows.columns.index("is_averaged"), rows.columns.index("fate")
    counts = Counter((bool(row[averaged]), str(row[fate])) for row in rows.rows)
    found = [
        (is_averaged, name, count) for (is_averaged, name), count in counts.items()
    ]
    return sorted(found, key=lambda each: (not each[0], -each[2], each[1]))


def _terms(rows: Rows) -> Terms:
    place = rows.columns.index("term")
    terms = [float(str(row[place])) for row in rows.rows if row[place] is not None]
    return Terms(len(terms), math.fsum(terms))


def _bins(
    connection: Connection, place: Place, number: Number, where: dict[str, object]
) -> Rows | None:
    metric, kind = number
    if metric == "ece" or (metric == "calibration" and kind != "all"):
        return _ask(connection, place, query("explain_bins"), {**where, "kind": kind})
    return None


def _tiers(
    connection: Connection, place: Place, kind: str, where: dict[str, object]
) -> Rows:
    """Return what each component of I is averaged from, a line per weighted tier."""
    kinds = TYPES if kind == "all" else (kind,)
    listed = ", ".join(quoted(name) for name in kinds)
    statement = f"""\
select
    kind, weighted_tier as tier, weight, n_items as n, n_right, n_clear, chance,
    rating_error, chance_rating_error, component
from (
{inside("component_intelligence", "rated")}
)
where report_row = $report_row and kind in ({listed})
order by kind, tier"""
    connection.execute(written_out(place, statement), where)
    return collected(connection)


def item_rows(explanation: Explanation) -> Rows:
    """Return the rows behind the number: the items of its scope."""
    rows = explanation.rows
    in_scope = rows.columns.index("is_in_scope")
    shown = [i for i, name in enumerate(rows.columns) if name != "is_in_scope"]
    kept = [[row[i] for i in shown] for row in rows.rows if row[in_scope]]
    return Rows(tuple(rows.columns[i] for i in shown), kept, rows.json_columns)
