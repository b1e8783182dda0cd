"""The guards that need the gold: a file's own verdicts and golds, and all wrong.

They speak before a run is stored, and in a dry run the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from jevdb.base.arrow import register
from jevdb.base.errors import InputError, Problem
from jevdb.base.text import counted
from jevdb.base.wording import how
from jevdb.ingest.run_options import RunOptions
from jevdb.warehouse.sqlfiles import filled, query

if TYPE_CHECKING:
    import pyarrow as pa

    from jevdb.base.connection import Connection
    from jevdb.ingest.judge.spool import Rows, Spool

MOST_OTHER = 0.05
"""The share of a file's own verdicts that may differ from ours."""
LEAST_CHANCE = math.log(0.001)
FIRST = 500
SAMPLE = 2_000
OWN_WORDS = ("is_correct", "target")
"""What a row may say of itself."""

UPSIDE_DOWN = {
    "noul": "is it P(no), or {no_yes} a list the other way round",
    "score": "do its levels count otherwise ({levels})",
    "choice": "do its numbers or letters name other options ({style})",
    "multi_select": "are its options called otherwise",
}


class Disagreements(NamedTuple):
    """How many rows say of themselves what we do not, and the first places."""

    n: int
    places: list[str]


def hold_against_gold(
    connection: Connection, rows: Spool, options: RunOptions, types: frozenset[str]
) -> Disagreements:
    """Return where the files' own verdicts are not ours; *types* are the benchmark's.

    Raises
    ------
    InputError
        A guard holds: more than a few verdicts, a gold, or every answer of a type.
    """
    held = rows.rows()
    found = _own_words(connection, held, options)
    problems = [*found.problems]
    if not options.allows("all-wrong"):
        problems += _all_wrong(connection, held, options, types)
    if problems:
        raise InputError(problems)
    return found.disagreements


class _Found(NamedTuple):
    disagreements: Disagreements
    problems: list[Problem]


def _own_words(connection: Connection, rows: Rows, options: RunOptions) -> _Found:
    """Hold the files' own verdicts and golds against ours, if there are any."""
    none = _Found(Disagreements(0, []), [])
    if not _say_of_themselves(connection, rows):
        return none
    n_other, n, n_against, n_golds, others, against, golds = _held(
        connection, rows, options, "ingest/disagreements"
    )[0]
    problems = []
    if n_against > MOST_OTHER * n and not options.allows("verdict"):
        first, listed = _places(against)
        message = (
            f"{n_against} of {counted(n, 'row says', 'rows say')} in correct what is "
            f"not ours ({listed}): most likely the file is read otherwise than it was "
            "meant; "
            f"{how('allow', 'verdict')} stores it as it is read"
        )
        problems.append(Problem(*first, "correct", message))
    if n_golds and not options.allows("target"):
        first, listed = _places(golds)
        rows_have = "row has" if n_golds == 1 else "rows have"
        message = (
            f"{n_golds} {rows_have} another gold as target than is stored ({listed}); "
            "if the gold was wrong, store the right one with `jevdb ingest items "
            f"--revise`, {how('allow', 'target')} keeps what is stored"
        )
        problems.append(Problem(*first, "target", message))
    kept = [_place(each) for each in others or ()]
    return _Found(Disagreements(n_other, kept), problems)


def _say_of_themselves(connection: Connection, rows: Rows) -> bool:
    """Whether a row has a verdict or a gold of its own."""
    import pyarrow as pa

    if isinstance(rows, pa.Table):
        # Arrow has counted the nulls already.
        return any(rows[of].null_count < rows.num_rows for of in OWN_WORDS)
    is_said = " or ".join(f"{of} is not null" for of in OWN_WORDS)
    some = f"select 1 from incoming where {is_said} limit 1"
    return bool(connection.execute(some).fetchall())


def _held(
    connection: Connection, rows: Rows, options: RunOptions, name: str
) -> list[tuple[Any, ...]]:
    """Return a query of rows held against the gold."""
    with _registered(connection, rows):
        # A view takes no parameters.
        connection.execute(_of("ingest/held_answers", options))
        try:
            return connection.execute(query(name)).fetchall()
        finally:
            connection.execute("drop view held_answers")


def _surely_right(connection: Connection, rows: Rows, options: RunOptions) -> set[str]:
    """Return types of which an answer is right, as far as little work tells."""
    with _registered(connection, rows):
        found = connection.execute(_of("ingest/surely_right", options)).fetchall()
    return {type for (type,) in found}


def _of(name: str, options: RunOptions) -> str:
    """Return a query about the run's benchmark."""
    return filled(query(name), {"benchmark_id": options.benchmark_id})


@contextmanager
def _registered(connection: Connection, rows: Rows) -> Iterator[None]:
    register(connection, "held_rows", rows)
    try:
        yield
    finally:
        connection.unregister("held_rows")


def _all_wrong(
    connection: Connection, rows: Rows, options: RunOptions, types: frozenset[str]
) -> list[Problem]:
    """Return what to say of types whose every answer is wrong.

    A part of the rows shows for most runs that none is: then no more is looked at.
    """
    name = "ingest/right_by_type"
    missing = set(types)
    for some in _parts(rows):
        missing -= _surely_right(connection, some, options)
        if missing:
            found = _held(connection, some, options, name)
            missing -= {type for type, _, n_right, _ in found if n_right}
        if not missing:
            return []
    problems = []
    for type, n, n_right, log_chance in _held(connection, rows, options, name):
        if n_right or log_chance >= LEAST_CHANCE:
            continue
        source = connection.execute("select min(source_file) from incoming").fetchall()
        message = (
            f"all {n} {type} answers are wrong; guessing would do that with a "
            f"probability of {math.exp(log_chance):.1g}: "
            f"{_upside_down(type)}? {how('allow', 'all-wrong')} stores them so"
        )
        problems.append(Problem(str(source[0][0]), None, "answer", message))
    return problems


def _upside_down(type: str) -> str:
    words: Mapping[str, str] = {
        "no_yes": how("noul_order", "yes,no"),
        "levels": how("levels", "from=1"),
        "style": how("answer_style", "index1"),
    }
    return UPSIDE_DOWN[type].format(**words)


def _parts(rows: Rows) -> Iterator[pa.Table]:
    """Yield the first rows, then some from all over them where they lie in memory.

    The first ones alone cost little: nothing is copied, and their golds lie together.
    """
    import pyarrow as pa

    if not isinstance(rows, pa.Table):
        yield rows.head(SAMPLE)
        return
    yield rows.slice(0, FIRST)
    if rows.num_rows > FIRST:
        step = max(rows.num_rows // SAMPLE, 1)
        yield rows.take(pa.array(range(0, rows.num_rows, step)))


def _places(found: list[dict[str, object]]) -> tuple[tuple[str, int], str]:
    first = found[0]
    return (str(first["file"]), int(str(first["line"]))), ", ".join(map(_place, found))


def _place(found: Mapping[str, object]) -> str:
    return f"{found['file']}:{found['line']}"
