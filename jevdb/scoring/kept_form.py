"""How the tallies of a run are kept: in four lists, one row a run and rule.

What is kept are the rows of the views that read single answers, and no others do in a
report: `binned_tallies`, and for metrics by class and of repeats `confusions`,
`repeat_tallies` and `repeat_rights`. Each of them is a part. The first list says how
many rows each part has; the others hold names, counts and sums, part by part and in a
part column by column.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import duckdb

from jevdb.warehouse.sqlfiles import CALLS, SqlObject, program

FORM = 1
"""Another number here, and nothing that was kept before is read."""
OUTSIDE = frozenset({"golden_items", "strata", "rules"})
"""What is told by the sheet and the rule, so that judging goes no further."""
COUNTED = re.compile(r"\bas (n(?:_\w+)?)\b")
SUMMED = re.compile(r"\bas (\w+_units)\b")
TERMS = re.compile(r"\bas term_(\w+)")


class Part(NamedTuple):
    """A view whose rows are kept, and what a row is named by, with its types."""

    view: str
    names: dict[str, str]
    has_benchmark: bool = True

    @property
    def counts(self) -> tuple[str, ...]:
        """The columns that are counts, in the view's order."""
        return tuple(COUNTED.findall(_view(self.view).body))

    @property
    def sums(self) -> tuple[str, ...]:
        """The columns that are exact sums, in the view's order."""
        body = _view(self.view).body
        found = SUMMED.findall(body)
        if "columns('^term_" in body:
            found += [f"sum_{name}" for name in TERMS.findall(_view("terms").body)]
        return tuple(found)


BINNED = "binned_tallies"
CLASSES = "confusions"
PARTS = (
    Part(BINNED, {"stratum": "varchar", "top_bin": "integer", "yes_bin": "integer"}),
    Part(
        CLASSES,
        {"stratum": "varchar", "gold_class": "varchar", "predicted_class": "varchar"},
    ),
    Part("repeat_tallies", {"stratum": "varchar"}, has_benchmark=False),
    Part(
        "repeat_rights",
        {"stratum": "varchar", "repeat": "bigint"},
        has_benchmark=False,
    ),
)


@cache
def _views() -> dict[str, SqlObject]:
    return {item.name: item for item in program()}


def _view(name: str) -> SqlObject:
    return _views()[name]


@cache
def judging() -> tuple[SqlObject, ...]:
    """Return all SQL that makes tallies of rows, sheet and rule, in order of use."""
    macros = {item.name for item in program() if item.kind == "macro"}
    reached: set[str] = set()

    def visit(name: str) -> None:
        if name in reached or name in OUTSIDE or name not in _views():
            return
        reached.add(name)
        item = _view(name)
        called = macros & set(CALLS.findall(item.body))
        for each in sorted(item.read_names | called):
            visit(each)

    for part in PARTS:
        visit(part.view)
    return tuple(item for item in program() if item.name in reached)


@cache
def judging_sha256() -> str:
    """Return the digest of what makes tallies: the SQL, DuckDB, and the form."""
    texts = "\n".join(f"{item.name} {item.body}" for item in judging())
    layout = [(part.view, *part.names, *part.counts, *part.sums) for part in PARTS]
    said = f"{FORM}\n{duckdb.__version__}\n{layout}\n{texts}"
    return hashlib.sha256(said.encode()).hexdigest()


def packing() -> str:
    """Return the query for the tallies as they are kept, a row per run and rule.

    It reads the views of the parts, ``runs`` and ``run_rules``.
    """
    names, counts, sums = [], [], []
    for place, part in enumerate(PARTS):
        cells = f"coalesce(part_{place}.cells, [])"
        names += [_column(cells, name, "varchar") for name in part.names]
        counts += [_column(cells, name, "bigint") for name in part.counts]
        sums += [_column(cells, name, "decimal(38, 0)") for name in part.sums]
    sizes = ", ".join(f"len({_cells(place)})" for place in range(len(PARTS)))
    joins = "\n".join(
        f"left join ({_gathered(part)}) as part_{place} "
        f"on runs.run_id = part_{place}.run_id and rules.rule = part_{place}.rule"
        for place, part in enumerate(PARTS)
    )
    return f"""
with packed as (
    select
        runs.run_id,
        rules.rule_sha256,
        [{sizes}]::bigint[] as sizes,
        flatten([{", ".join(names)}]) as keys,
        flatten([{", ".join(counts)}]) as counts,
        flatten([{", ".join(sums)}]) as sums
    from runs
    cross join run_rules as rules
    {joins}
)
select *, tallies_digest(sizes, keys, counts, sums) as cells_sha256
from packed
order by run_id, rule_sha256"""


def _cells(place: int) -> str:
    return f"coalesce(part_{place}.cells, [])"


def _column(cells: str, name: str, kind: str) -> str:
    return f"list_transform({cells}, lambda c: cast(c.{name} as {kind}))"


def _gathered(part: Part) -> str:
    columns = ", ".join(
        f"'{name}': {name}" for name in (*part.names, *part.counts, *part.sums)
    )
    order = ", ".join(f"{name} asc nulls first" for name in part.names)
    return (
        f"select run_id, rule, list({{{columns}}} order by {order}) as cells "
        f"from {part.view} group by run_id, rule"
    )


def unpacking(view: str, kept: str, left_out: frozenset[str] = frozenset()) -> str:
    """Return the query for the rows of a part, of the tallies in *kept*.

    *left_out* are sums that it is without.
    """
    names, counts, sums = _Offset("keys"), _Offset("counts"), _Offset("sums")
    for place, part in enumerate(PARTS):
        size = f"sizes[{place + 1}]"
        stratum, *others = names.columns(part.names.items(), size)
        counted = counts.columns([(name, "bigint") for name in part.counts], size)
        summed = sums.columns([(name, "decimal(38, 0)") for name in part.sums], size)
        if part.view == view:
            asked = [
                column
                for name, column in zip(part.sums, summed, strict=True)
                if name not in left_out
            ]
            run = ["run_id", *(["benchmark_id"] if part.has_benchmark else [])]
            listed = [*run, stratum, "rule", *others, *counted, *asked]
            return f"select {', '.join(listed)} from {kept}"
    raise KeyError(view)


class _Offset:
    """How far the columns of parts go in one of the lists."""

    def __init__(self, list_name: str):
        self._list = list_name
        self._start = "0"

    def columns(self, columns: Iterable[tuple[str, str]], size: str) -> list[str]:
        """Return the next columns, of *size* rows each, unnested."""
        found = []
        for name, kind in columns:
            part = f"{self._list}[{self._start} + 1 : {self._start} + {size}]"
            found.append(f"cast(unnest({part}) as {kind}) as {name}")
            self._start += f" + {size}"
        return found
