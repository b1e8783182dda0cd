"""Several answers of a run to an item: numbered from 0 by what tells them apart.

Every item is asked for each of them: one that is not there is a missing answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.errors import Problem
from jevdb.base.stored_values import MOST_REPEATS
from jevdb.ingest.decode.near_fields import field_option
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

FIELD = "$.repeat"


class Repeats(NamedTuple):
    """How often each item was asked, and what the files call the repeats, in order.

    ``values`` are empty where each was asked once; ``problems`` say what no repeats
    can be.
    """

    n: int = 1
    values: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


def number(scratch: Connection) -> Repeats:
    """Tell the repeats of ``judged`` rows apart, where some say theirs.

    Where all rows say the same, each item was asked once, and rows stay as they are.
    """
    scratch.execute(query("ingest/repeat_values"))
    found = scratch.execute("select value from repeat_values order by repeat")
    values = tuple(value for (value,) in found.fetchall())
    problems = _faults(scratch)
    if problems or len(values) <= 1:
        return Repeats(problems=problems)
    scratch.execute(query("ingest/numbered"))
    scratch.execute("create or replace temp view judged as from numbered")
    return Repeats(len(values), values)


def _faults(scratch: Connection) -> tuple[Problem, ...]:
    found = scratch.execute(query("ingest/repeat_faults")).fetchall()
    n_rows, n_items, n_values, n_answers, unnumbered, first = found[0]
    if unnumbered:
        message = "missing; other rows say which repeat of their item they are"
        return tuple(
            Problem(each["source"], each["line"], FIELD, message) for each in unnumbered
        )
    message = _not_repeats(n_rows, n_items, n_values, n_answers)
    return (Problem(first["source"], None, FIELD, message),) if message else ()


def _not_repeats(n_rows: int, n_items: int, n_values: int, n_answers: int) -> str:
    """Return why values do not number repeats; nothing where they do."""
    meant = (
        f"name the field that numbers the repeats ({field_option('repeat', 'epoch')})"
    )
    if n_values == n_rows and n_items > 1:
        return f"another value on each of {n_rows:,} rows: a row number; {meant}"
    if n_values > MOST_REPEATS:
        return f"{n_values:,} different values, at most {MOST_REPEATS:,} go; {meant}"
    if 2 * n_answers <= n_items * n_values and n_values > 1:
        return (
            f"unequal repeats: {n_values:,} different values, and an item has "
            f"{n_answers / n_items:.1f} of them on average; every item is asked for "
            f"each; {meant}"
        )
    return ""
