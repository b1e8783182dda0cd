"""Views written out as CTEs: one statement that shows everything it reads.

DuckDB computes a view anew wherever it is read, and a report reads the tallies a dozen
times; a CTE it computes once. A statement written out plans and runs several times
faster, in any client.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Container, Iterable, Iterator, Mapping

from jevdb.warehouse.sqlfiles import (
    OVER_OTHER_SCOPES,
    READS,
    SqlObject,
    identifier,
    program,
)

COMMENT_COLUMNS = 84
CTES = re.compile(r"\b([a-z_][a-z0-9_]*) as (?:materialized )?\(")
UNIONS = ("scoring_rules", "scopes")
"""The views that the scorings of users become part of."""
SUITES = "suites"
OF_SUITES_ALONE = ("suite_members", "suite_scopes", "suite_numbers")
"""The views of suites that read ``scopes``: these stay views everywhere."""
WHOLE = "report"
"""The report that another is over, and reads once."""
WRITTEN_OUT = "reports"
"""The layer whose views are stored written out: what people read first."""


def read_by(
    statement: str, views: Mapping[str, SqlObject], tables: Container[str] = ()
) -> Iterator[str]:
    """Yield the views and tables a statement goes through, each after what it reads."""
    seen: set[str] = set()

    def visit(text: str) -> Iterator[str]:
        own = set(CTES.findall(text))
        for name in dict.fromkeys(READS.findall(text)):
            if name in own | seen or (name not in views and name not in tables):
                continue
            seen.add(name)
            if name in views:
                yield from visit(views[name].body)
            yield name

    yield from visit(statement)


def cte(view: SqlObject) -> str:
    """Return a view as a CTE, its header above it.

    DuckDB would compute those of suites anew: it takes their statements for cheap.
    """
    how = "materialized " if view.layer == SUITES else ""
    comment = textwrap.wrap(view.header, COMMENT_COLUMNS)
    lines = "\n".join(f"-- {line}" for line in comment)
    return f"{lines}\n{view.name} as {how}(\n{textwrap.indent(view.body, '    ')}\n)"


def as_cte(statement: str) -> str:
    """Return a statement with CTEs of its own as one without."""
    return f"select *\nfrom (\n{textwrap.indent(statement, '    ')}\n)"


def stored_program() -> Iterator[SqlObject]:
    """Yield every object of the program as a file stores it, in order of creation.

    `UNIONS` stay views everywhere: scorings that users add become part of them. What
    is over `WHOLE` reads it as it is written out. A suite is written out as far as its
    numbers, which are written out over its own scopes.
    """
    views = {
        item.name: item
        for item in program()
        if item.kind == "view" and item.name not in UNIONS
    }
    inside = {
        name: item
        for name, item in views.items()
        if item.layer == SUITES and name not in OF_SUITES_ALONE
    }
    scored = {name: item for name, item in views.items() if item.layer != SUITES}
    below = {name: item for name, item in views.items() if name != WHOLE}
    for item in program():
        ctes: list[str] = []
        if item.layer == WRITTEN_OUT:
            ctes = _ctes(item, below)
        elif item.name in OVER_OTHER_SCOPES:
            scopes = OVER_OTHER_SCOPES[item.name]
            ctes = [f"scopes as (\n    select * from {scopes}\n)", *_ctes(item, scored)]
        elif item.name in inside:
            ctes = _ctes(item, inside)
        if ctes:
            listed = ",\n\n".join(ctes)
            yield item._replace(body=f"with {listed}\n\n{as_cte(item.body)}")
        else:
            yield item


def _ctes(item: SqlObject, views: Mapping[str, SqlObject]) -> list[str]:
    return [cte(views[name]) for name in read_by(item.body, views)]


def each_alone(items: Iterable[SqlObject]) -> str:
    """Return the statements that create objects, a view not worked through to tables.

    DuckDB would work every view through down to its tables when another is made over
    it. So each is hidden by an empty table with its columns until the last is made.
    """
    statements: list[str] = []
    hidden: list[str] = []
    for item in items:
        statements += item.statements
        if item.kind == "view":
            name = identifier(item.name)
            statements.append(f"create temp table {name} as from {name} limit 0")
            hidden.append(f"drop table temp.{name}")
    return ";\n".join((*statements, *hidden))
