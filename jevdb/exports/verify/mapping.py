"""What the numbers of somebody's file mean: a TOML mapping, for JSON and Markdown.

run = "de-1"                    # what the numbers are about, unless a table says so
method = "metrics-md"

[[field]]                       # a number of a JSON file
at = "hard.per_family.*.ece"    # keys and list places; * is any, and the key
row = "hard_111/*"              # * is the key here too
by = "family"
metric = "ece"
kind = "all"
decimals = 4                    # as published; or tolerance = 1e-6

[[field]]
at = "hard.n_correct"
sql = "select n_right from cells where ..."    # sees the run alone; $key is the key

[[lacks]]
at = "speed_axis"
why = "no rule for it is published"

[[column]]                      # a column of a Markdown table
name = "ECE choice / noul"
metric = "ece"
kinds = ["choice", "noul"]      # of cells like 0.1 / 0.2

[table]
run = "Model"                   # the columns that name the run and the report row
row = "Row"
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, cast

from jevdb.base.metrics import number_named
from jevdb.base.toml_files import read_toml
from jevdb.exports.verify.verify import TOLERANCE, Claim, Meaning
from jevdb.scoring.selection import Dimension
from jevdb.warehouse.assets import file_or_shipped, shipped

TOP_KEYS = {"run", "method", "benchmark", "field", "lacks", "column", "table"}
FIELD_KEYS = {
    *("at", "row", "by", "metric", "kind", "of", "scale", "decimals", "tolerance"),
    *("sql", "run"),
}
COLUMN_KEYS = {"name", "metric", "kind", "kinds", "scale", "of", "tolerance"}
DIMENSIONS = ("type", "tier", "family", "domain")
OF = ("value", "n", "n_scope")
NOT_MAPPED = "not in the mapping"


class Mapped(NamedTuple):
    """A mapping: as its file has it, checked."""

    name: str
    run: str | None
    method: str | None
    benchmark_id: str | None
    fields: list[dict[str, Any]]
    lacks: list[dict[str, Any]]
    columns: list[dict[str, Any]]
    table: dict[str, Any]

    def meaning(self, given: Mapping[str, Any], key: str = "") -> Meaning:
        """Return what a field or column of the mapping says a number is."""
        row = str(given.get("row", "")).replace("*", key)
        named = Meaning(
            run=given.get("run", self.run) or "",
            benchmark_id=self.benchmark_id,
            report_row=row,
            of=given.get("of", "value"),
            scale=float(given.get("scale", 1.0)),
            by=cast("Dimension | None", given.get("by")),
            key=key,
        )
        if "sql" in given:
            return named._replace(sql=given["sql"])
        number = number_named(given["metric"], given.get("kind"))
        return named._replace(metric=number.metric, kind=number.kind)


def read_mapping(path: Path) -> Mapped:
    """Return the mapping of a TOML file, or of one that ships under this name.

    Raises
    ------
    InputError
        It is no TOML, or says what no mapping says.
    UnknownNameError
        It is a bare name, and neither a file nor one that ships.
    """
    path = file_or_shipped(path, "verify", "mapping")
    given = read_toml(path, _problems)
    return Mapped(
        name=path.stem,
        run=given.get("run"),
        method=given.get("method"),
        benchmark_id=given.get("benchmark"),
        fields=given.get("field", []),
        lacks=given.get("lacks", []),
        columns=given.get("column", []),
        table=given.get("table", {}),
    )


def fitting_mapping(document: object) -> Mapped | None:
    """Return the mapping that ships and accounts for every number of a JSON document.

    None if none does, or the document has no number.
    """
    for path in shipped("verify").values():
        mapped = read_mapping(path)
        claims = json_claims(document, mapped, None)
        if claims and all(claim.why != NOT_MAPPED for claim in claims):
            return mapped
    return None


def _problems(given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key in sorted(given.keys() - TOP_KEYS):
        yield key, "no key of a mapping"
    for i, field in enumerate(given.get("field", [])):
        yield from _entry_problems(f"field[{i}]", field, FIELD_KEYS, "at")
    for i, column in enumerate(given.get("column", [])):
        yield from _entry_problems(f"column[{i}]", column, COLUMN_KEYS, "name")
    for i, lacking in enumerate(given.get("lacks", [])):
        if lacking.keys() != {"at", "why"}:
            yield f"lacks[{i}]", "has exactly the keys at and why"


def _entry_problems(
    place: str, entry: Mapping[str, Any], keys: set[str], name: str
) -> Iterator[tuple[str, str]]:
    for key in sorted(entry.keys() - keys):
        yield f"{place}.{key}", f"no key of it; there are {', '.join(sorted(keys))}"
    if name not in entry:
        yield f"{place}.{name}", "missing"
    if ("metric" in entry) == ("sql" in entry):
        yield place, "has either a metric or sql"
    if entry.get("by") not in (None, *DIMENSIONS):
        yield f"{place}.by", f"expected {', '.join(DIMENSIONS)}"
    if entry.get("of", "value") not in OF:
        yield f"{place}.of", f"expected {', '.join(OF)}"


def json_claims(
    document: object, mapped: Mapped, tolerance: float | None
) -> list[Claim]:
    """Return a claim for every number of a JSON document, mapped or not."""
    return [
        _json_claim(place, value, mapped, tolerance)
        for place, value in _leaves(document)
    ]


def _leaves(value: object, place: str = "") -> Iterator[tuple[str, float]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, f"{place}.{key}" if place else str(key))
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from _leaves(inner, f"{place}.{i}" if place else str(i))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield place, float(value)


def _json_claim(
    place: str, value: float, mapped: Mapped, tolerance: float | None
) -> Claim:
    for field in mapped.fields:
        found = re.fullmatch(_pattern(field["at"]), place)
        if found:
            key = next(iter(found.groups()), "")
            allowed = _tolerance(field, tolerance)
            return Claim(place, value, allowed, mapped.meaning(field, key))
    for lacking in mapped.lacks:
        if fnmatch.fnmatchcase(place, lacking["at"]):
            return Claim(place, value, 0.0, None, lacking["why"])
    return Claim(place, value, 0.0, None, NOT_MAPPED)


def _pattern(at: str) -> str:
    return re.escape(at).replace(r"\*", "([^.]+)")


def _tolerance(given: Mapping[str, Any], asked: float | None) -> float:
    if "tolerance" in given:
        return float(given["tolerance"])
    if "decimals" in given:
        return half_unit(int(given["decimals"]))
    return TOLERANCE if asked is None else asked


def half_unit(decimals: int) -> float:
    """Return what rounding to some decimals changes a number by, at most."""
    return float(f"5e-{decimals + 1}")
