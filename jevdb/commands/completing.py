"""Names that the warehouse or the program knows, for the shell's completion.

It is asked at every press of a key: what takes long, or needs a warehouse that another
process holds, gives no names and no message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

NAMED_NOW = (
    "with named as (select kind, name, "
    "max_by(value, seq) filter (where event = 'renamed') as shown, "
    "max_by(event, seq) filter (where event <> 'renamed') = 'retired' as is_retired "
    "from name_events group by kind, name) "
)
FORMS = {
    "runs": (
        f"{NAMED_NOW}select distinct run_name from ("
        "select coalesce(n.shown, m.name) "
        "|| coalesce('@' || m.revision, '') || coalesce('#' || r.label, '') "
        "as run_name from runs as r inner join models as m on r.model_id = m.model_id "
        "left join named as n on n.kind = 'model' and n.name = m.name "
        "where n.is_retired is not true) order by run_name"
    ),
    "models": (
        f"{NAMED_NOW}select distinct coalesce(n.shown, m.name) as shown "
        "from models as m left join named as n on n.kind = 'model' and n.name = m.name "
        "where n.is_retired is not true order by shown"
    ),
    "benchmarks": (
        f"{NAMED_NOW}select coalesce(n.shown, b.benchmark_id) as shown "
        "from benchmarks as b left join named as n "
        "on n.kind = 'benchmark' and n.name = b.benchmark_id "
        "where n.is_retired is not true order by shown"
    ),
    "methods": "select method_id from methods order by method_id",
    "scorings": "select distinct scoring from benchmarks order by scoring",
}
"""What is asked of the warehouse, by what is named."""
METRICS = "metrics"
METAVARS: dict[str, str | tuple[str, ...]] = {
    "METRIC": METRICS,
    "NUMBER": ("accuracy", "I"),
    "DIMENSION": ("type", "tier", "family", "domain", "repeat"),
}
"""What stands for values of which few are known, or all."""
PARAMETERS = {
    **dict.fromkeys(("metric", "x", "y"), METRICS),
    **dict.fromkeys(("run", "runs", "base", "other", "others"), "runs"),
    **dict.fromkeys(("candidate", "baseline"), "runs"),
    "benchmark": "benchmarks",
    "model": "models",
    "method": "methods",
    "scoring": "scorings",
}
"""Parameters of commands that take such a name, or a metric's."""


def offer_names(command: Any) -> None:
    """Have every parameter that takes a name of the warehouse offer those there are."""
    for inner in getattr(command, "commands", {}).values():
        offer_names(inner)
        for parameter in inner.params:
            by_name = PARAMETERS.get(parameter.name)
            named = METAVARS.get(parameter.metavar, by_name)
            if named is not None:
                parameter._custom_shell_complete = _offering(named)


def _offering(named: str | tuple[str, ...]) -> Callable[[Any, Any, str], list[str]]:
    def offered(context: Any, parameter: Any, incomplete: str) -> list[str]:
        db = context.find_root().params.get("db")
        if isinstance(named, tuple):
            names = list(named)
        elif named == METRICS:
            names = metric_names()
        else:
            names = known_names(str(db), named)
        return [each for each in names if each.startswith(incomplete)]

    return offered


def metric_names() -> list[str]:
    """Return what numbers are called: I, C, and all by their own names."""
    from jevdb.base.metrics import NUMBERS

    return ["I", "C", *(number.name for number in NUMBERS)]


def known_names(db: str, named: str) -> list[str]:
    """Return the names in a warehouse file, or a lake's mirror; none if it is held."""
    try:
        return list(_read(db, named))
    except Exception:  # (whatever is wrong, a key press is no place to say it)
        return []


def _read(db: str, named: str) -> Iterator[str]:
    import duckdb

    from jevdb.api.store import Store
    from jevdb.base.text import visible

    path: Path = Store(db, 0, lambda _: None).path
    if not path.is_file():
        return
    with duckdb.connect(path, read_only=True) as connection:
        for (name,) in connection.execute(FORMS[named]).fetchall():
            if name == visible(name):
                yield name
