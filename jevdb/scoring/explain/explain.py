"""Everything behind one number: definition, method, scope, rows, bins or terms.

All of it is asked of the views that give the number, over the selection in which a
report shows it; the definitions are the headers of the SQL files.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from jevdb.base.documents import Json
from jevdb.base.metrics import BY_NAME, REASONS, TYPES, Number
from jevdb.base.output import Rows, collected
from jevdb.scoring.explain.explanation import Explanation, Terms
from jevdb.scoring.explain.number_place import (
    VIEWS,
    Asked,
    definitions,
    place_of,
    report_row_of,
    value_of,
)
from jevdb.scoring.explain.written_out import Place, inside
from jevdb.scoring.methods import method_json
from jevdb.scoring.selection import selected
from jevdb.warehouse.sqlfiles import filled, query, quoted

if TYPE_CHECKING:
    from jevdb.base.connection import Connection


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
    report_row = report_row_of(connection, place, asked)
    with selected(connection, asked.selection):
        return _explained(connection, asked, place, report_row)


def _explained(
    connection: Connection, asked: Asked, place: Place, report_row: str
) -> Explanation:
    """Return the explanation from the selection that the connection shows."""
    metric, kind = asked.number
    known = BY_NAME[metric]
    where: dict[str, str | None] = {"report_row": report_row}
    value = value_of(connection, asked.number, report_row)
    # What is no mean may be null for all rows alike.
    is_mean = known.term or not known.is_further
    nothing = REASONS[value.reason] if value.reason and not is_mean else None
    named = {**where, "metric": metric, "kind": kind, "nothing": nothing}
    statement = query("scoring/explain_rows").replace("$term", known.row_term or "null")
    rows = _ask(connection, statement, named)
    return Explanation(
        asked=asked,
        place=place,
        report_row=report_row,
        value=value,
        definitions=definitions(asked.number),
        parameters=_parameters(connection, asked),
        scope=asked.number.scope,
        fates=_fates(rows),
        bins=_bins(connection, asked.number, where),
        terms=_terms(rows) if known.tally else None,
        tiers=_tiers(connection, asked.number, where),
        parts=_parts(connection, asked.number, where),
        components=_components(connection, asked.number, where),
        every_row=rows,
    )


def _ask(connection: Connection, statement: str, named: dict[str, str | None]) -> Rows:
    connection.execute(filled(statement, named))
    return collected(connection)


def _parameters(connection: Connection, asked: Asked) -> Json:
    method = method_json(connection, asked.method_id)
    names = BY_NAME[asked.number.metric].parameters
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
    connection: Connection, number: Number, where: dict[str, str | None]
) -> Rows | None:
    if number.is_binned:
        named = {**where, "kind": number.kind}
        return _ask(connection, query("scoring/explain_bins"), named)
    return None


def _parts(
    connection: Connection, number: Number, where: dict[str, str | None]
) -> Rows | None:
    """Return the metrics that C is averaged from, with the points they give."""
    if number.metric != "calibration":
        return None
    return _ask(
        connection, query("scoring/explain_parts"), {**where, "kind": number.kind}
    )


def _components(
    connection: Connection, number: Number, where: dict[str, str | None]
) -> Rows | None:
    """Return the components that an index is the mean of."""
    if number.metric not in VIEWS or number.kind != "all":
        return None
    named = {**where, "metric": number.metric}
    return _ask(connection, query("scoring/explain_components"), named)


def _tiers(
    connection: Connection, number: Number, where: dict[str, str | None]
) -> Rows | None:
    """Return what each component of I is averaged from, a line per weighted tier."""
    if number.metric != "intelligence":
        return None
    kinds = TYPES if number.kind == "all" else (number.kind,)
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
    return _ask(connection, statement, where)
