"""Names a user gives: known ones pass, unknown ones are told what is near."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from jevdb.base.errors import UnknownNameError, UsageError
from jevdb.base.wording import option
from jevdb.scoring.naming import names_of, now_called, restoring

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

OnChoice = Callable[[str], None]
NAMED = 5


def require_benchmark(
    connection: Connection, name: str, on_choice: OnChoice | None = None
) -> str:
    """Return the id of the benchmark that a name of now, its id or an old name means.

    *on_choice* is told where it is called otherwise now, or is retired.

    Raises
    ------
    UnknownNameError
        The warehouse does not know it.
    """
    names = names_of(connection, "benchmark")
    shown = names.meant(name)
    if shown != name and on_choice:
        on_choice(now_called("benchmark", name, shown))
    if on_choice and names.is_retired(shown):
        on_choice(
            f"benchmark {shown} is retired: reports leave its runs out until "
            f"{restoring('benchmark', shown)}"
        )
    [benchmark_id] = names.alike(shown) & names.stored
    return benchmark_id


def stored_benchmark(connection: Connection, name: str) -> str:
    """Return the id of the benchmark that is meant, or the name of one to be made."""
    try:
        return require_benchmark(connection, name)
    except UnknownNameError:
        return name


def benchmark_ids(connection: Connection) -> dict[str, str]:
    """Return the id of a benchmark by each name that it has or had beside its id."""
    names = names_of(connection, "benchmark")
    return {
        other: benchmark_id
        for benchmark_id in names.stored
        for other in names.alike(names.shown(benchmark_id)) - names.stored
    }


def only_benchmark(connection: Connection) -> str:
    """Return the benchmark that is meant where none is named: the only one with runs.

    Runs that are withdrawn, superseded or retired are none.

    Raises
    ------
    UsageError
        There are several, or none yet.
    """
    known = benchmarks_with_runs(connection)
    if len(known) == 1:
        return known[0]
    named = ", ".join(repr(each) for each in known[:NAMED])
    more = f" and {len(known) - NAMED} more" if len(known) > NAMED else ""
    raise UsageError(
        f"say which {option('benchmark')} is meant; there are runs of {named}{more}"
    )


def benchmarks_with_runs(connection: Connection) -> list[str]:
    """Return every benchmark that has current runs, by the name it has now.

    Raises
    ------
    UsageError
        There are no runs yet.
    """
    found = connection.execute(
        "select distinct benchmark_id from run_states where is_current"
    ).fetchall()
    names = names_of(connection, "benchmark")
    if not found:
        raise UsageError(
            f"say which {option('benchmark')} is meant; there are no runs yet"
        )
    return sorted(names.shown(str(benchmark_id)) for (benchmark_id,) in found)


def require_method(connection: Connection, method_id: str) -> None:
    """Refuse a scoring method that the warehouse does not know."""
    _require(connection, "method", method_id, "select method_id from methods")


def _require(connection: Connection, kind: str, name: str, listing: str) -> None:
    known = {str(row[0]) for row in connection.execute(listing).fetchall()}
    if name not in known:
        raise UnknownNameError(kind, name, known)
