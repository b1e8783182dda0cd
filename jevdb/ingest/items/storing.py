"""Items and their gold into the warehouse: new ones, the same again, corrected gold."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher, get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.arrow import register
from jevdb.base.errors import (
    ConflictError,
    InputError,
    Problem,
    UnknownNameError,
    UsageError,
)
from jevdb.base.wording import either, option
from jevdb.ingest.benchmark import DEFAULT_SCORING
from jevdb.ingest.items.files import ReadItems, read_items
from jevdb.ingest.items.rules import ItemRow
from jevdb.ingest.items.summary import ItemsSummary
from jevdb.ingest.layouts.mapped_items import MappedItems
from jevdb.ingest.reading_options import ReadingOptions
from jevdb.scoring.names import stored_benchmark
from jevdb.warehouse.database import transaction
from jevdb.warehouse.ledger import insert_row, record
from jevdb.warehouse.scope_views import rules_of
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

NAMED = 5
PREVIEWED = 5
NEAR = 0.9
DIGITS = re.compile(r"\d+")

REVISING = either("revise=True, reason='TEXT'", "--revise --reason TEXT")


@dataclass(frozen=True, slots=True)
class ItemsOptions:
    """Which benchmark the items are of; *revise* lets gold change, for a *reason*."""

    benchmark_id: str
    scoring: str | None = None
    layout: str | None = None
    revise: bool = False
    reason: str | None = None
    is_new: bool = False
    reading: ReadingOptions = field(default_factory=ReadingOptions)
    mapping: MappedItems | None = None


class _Benchmark(NamedTuple):
    """The benchmark as the warehouse knows it before this ingest."""

    scoring: str
    is_created: bool
    gold_revision: int
    has_runs: bool


class _Changes(NamedTuple):
    """Which of the items read are new, and which have another gold than stored."""

    new: list[str]
    regilded: list[str]


def ingest_items(
    connection: Connection, paths: Sequence[Path], options: ItemsOptions
) -> ItemsSummary:
    """Read item files and store them, all on one connection."""
    read = read_items(paths, options.layout, options.reading, options.mapping)
    return store_items(connection, read, options)


def store_items(
    connection: Connection, read: ReadItems, options: ItemsOptions
) -> ItemsSummary:
    """Store items read from files, in one transaction.

    Raises
    ------
    UsageError
        A revision without a reason, or a scoring that no scope view defines.
    InputError
        The scoring asks of every item what some do not have.
    ConflictError
        The scoring, an item, or without *revise* a gold, is stored otherwise.
    """
    _check_options(options)
    with transaction(connection), _incoming(connection, read):
        options = _meant(connection, options)
        benchmark = _benchmark(connection, options)
        _check_scoring(connection, benchmark.scoring, read)
        changes = _changes(connection, options, benchmark)
        revision = benchmark.gold_revision
        if changes.new or changes.regilded:
            revision = _store(connection, options, benchmark, changes)
        return _summary(connection, read, options, benchmark, changes, revision)


def foreseen_items(
    connection: Connection, read: ReadItems, options: ItemsOptions
) -> ItemsSummary:
    """Return the summary of a dry run; raises what storing would raise."""
    _check_options(options)
    with _incoming(connection, read):
        options = _meant(connection, options)
        benchmark = _benchmark(connection, options)
        _check_scoring(connection, benchmark.scoring, read)
        changes = _changes(connection, options, benchmark)
        revision = benchmark.gold_revision
        summary = _summary(connection, read, options, benchmark, changes, revision)
    first = [stored_item(read.rows[item_id]) for item_id in list(read.rows)[:PREVIEWED]]
    return replace(summary, outcome="dry_run", first_items=first)


def stored_item(row: ItemRow) -> dict[str, object]:
    """Return an item as it would be stored, its gold by name, without nulls."""
    given = row._asdict()
    index, meta = given.pop("label_index"), given.pop("meta")
    labels = given.pop("labels")
    gold = labels if index is None else row.options[index]
    kept = {**given, "meta": json.loads(meta) if meta else None, "gold": gold}
    return {key: value for key, value in kept.items() if value is not None}


def _meant(connection: Connection, options: ItemsOptions) -> ItemsOptions:
    """Return the options with the benchmark's id, whichever of its names was said."""
    found = stored_benchmark(connection, options.benchmark_id)
    return replace(options, benchmark_id=found)


def _check_options(options: ItemsOptions) -> None:
    if options.revise and not options.reason:
        raise UsageError(
            f"{option('revise')} needs {option('reason')}: why does the gold change?"
        )
    if options.reason and not options.revise:
        raise UsageError(f"{option('reason')} goes with {option('revise', value=True)}")


@contextmanager
def _incoming(connection: Connection, read: ReadItems) -> Iterator[None]:
    import pyarrow as pa

    columns = zip(*read.rows.values(), strict=True)
    kinds = {
        "options": pa.list_(pa.string()),
        "labels": pa.list_(pa.string()),
        "label_index": pa.int32(),
        "reference": pa.list_(pa.float64()),
        "level_values": pa.list_(pa.float64()),
    }
    table = pa.table(
        {
            name: pa.array(column, kinds.get(name, pa.string()))
            for name, column in zip(ItemRow._fields, columns, strict=True)
        }
    )
    register(connection, "incoming_items", table)
    try:
        yield
    finally:
        connection.unregister("incoming_items")


def _benchmark(connection: Connection, options: ItemsOptions) -> _Benchmark:
    found = connection.execute(
        query("ingest/benchmark"), {"benchmark_id": options.benchmark_id}
    ).fetchall()
    if not found:
        scoring = options.scoring or DEFAULT_SCORING
        listed = connection.execute(query("scoring/scorings_listed")).fetchall()
        known = [str(row[0]) for row in listed]
        if scoring not in known:
            raise UnknownNameError("scoring", scoring, known)
        _refuse_near(connection, options)
        return _Benchmark(scoring, True, 0, False)
    scoring, gold_revision, n_runs, _ = found[0]
    if options.scoring not in (None, scoring):
        raise ConflictError(
            f"benchmark {options.benchmark_id!r} is scored as {scoring!r}, not as "
            f"{options.scoring!r}; leave out {option('scoring')}, or choose another "
            f"{option('benchmark')}"
        )
    return _Benchmark(scoring, False, gold_revision or 0, bool(n_runs))


def _check_scoring(connection: Connection, scoring: str, read: ReadItems) -> None:
    """Hold the items to what their benchmark's scoring needs of every one."""
    rules = rules_of(connection, scoring).rules
    problems = []
    for item_id, row in read.rows.items():
        place = read.places[item_id]
        if rules.tier_rule == "always" and row.tier is None:
            message = f"missing; the scoring {scoring} weighs items by tier"
            problems.append(Problem(place.source, place.line, "$.tier", message))
        if row.type not in rules.item_types:
            message = (
                f"{row.type!r}; the scoring {scoring} takes every item as "
                f"{' or '.join(rules.item_types)}, its primitive goes into meta"
            )
            problems.append(Problem(place.source, place.line, "$.type", message))
    if problems:
        raise InputError(problems)


def _changes(
    connection: Connection, options: ItemsOptions, benchmark: _Benchmark
) -> _Changes:
    found = connection.execute(
        query("ingest/item_changes"), {"benchmark_id": options.benchmark_id}
    ).fetchall()
    named: dict[str, list[str]] = {"new": [], "order": [], "other": [], "gold": []}
    for item_id, change in found:
        named[change].append(item_id)
    if named["order"]:
        raise ConflictError(
            f"{_listed(named['order'])} of {options.benchmark_id!r}: stored with other "
            "content: the options stand in another order, and a list of probabilities "
            "would mean something else; give them as stored, or the item another id"
        )
    if named["other"]:
        raise ConflictError(
            f"{_listed(named['other'])} of {options.benchmark_id!r}: stored with other "
            "content; an item keeps its type, options and facts for good: give the new "
            "one an id of its own"
        )
    if named["gold"] and not options.revise:
        raise ConflictError(
            f"{_listed(named['gold'])} of {options.benchmark_id!r}: stored with "
            f"another gold; store the correction as a new revision with {REVISING}"
        )
    if named["new"] and benchmark.has_runs and not options.revise:
        raise ConflictError(
            f"{_listed(named['new'])} not in {options.benchmark_id!r} yet, which has "
            f"runs that did not answer them; add them with {REVISING}"
        )
    return _Changes(named["new"], named["gold"])


def _listed(ids: list[str]) -> str:
    shown = ", ".join(repr(each) for each in ids[:NAMED])
    more = f" and {len(ids) - NAMED} more" if len(ids) > NAMED else ""
    return f"{'item' if len(ids) == 1 else 'items'} {shown}{more}"


def _store(
    connection: Connection,
    options: ItemsOptions,
    benchmark: _Benchmark,
    changes: _Changes,
) -> int:
    """Store the changes and return the gold revision they are in."""
    content = connection.execute(
        query("ingest/items_digest"), {"benchmark_id": options.benchmark_id}
    ).fetchall()[0][0]
    seq = record(connection, "items", content)
    name = options.benchmark_id
    named: dict[str, object] = {"benchmark_id": name}
    if benchmark.is_created:
        insert_row(
            connection,
            "benchmarks",
            {**named, "name": name, "scoring": benchmark.scoring, "seq": seq},
        )
    revision = benchmark.gold_revision
    if not revision or changes.regilded or benchmark.has_runs:
        revision += 1
        row = {**named, "gold_revision": revision, "reason": options.reason}
        insert_row(connection, "gold_revisions", {**row, "seq": seq})
    keys = {**named, "seq": seq}
    # Gold first: what is stored already is seen from the tables themselves.
    connection.execute(
        query("ingest/golds_insert"), {**keys, "gold_revision": revision}
    ).fetchall()
    connection.execute(query("ingest/items_insert"), keys).fetchall()
    return revision


def _summary(
    connection: Connection,
    read: ReadItems,
    options: ItemsOptions,
    benchmark: _Benchmark,
    changes: _Changes,
    revision: int,
) -> ItemsSummary:
    n_new, n_changed = len(changes.new), len(changes.regilded)
    return ItemsSummary(
        benchmark_id=options.benchmark_id,
        outcome="stored" if n_new or n_changed else "already_there",
        scoring=benchmark.scoring,
        is_created=benchmark.is_created,
        near_benchmarks=_near(connection, options) if benchmark.is_created else [],
        gold_revision=revision,
        read=read.n_read,
        new=n_new,
        changed=n_changed,
        same=len(read.rows) - n_new - n_changed,
        files=[file._asdict() for file in read.files],
        ignored_keys=read.ignored_keys,
        conversions=read.conversions,
        notes=read.notes,
    )


def _refuse_near(connection: Connection, options: ItemsOptions) -> None:
    """Refuse to make a benchmark whose name is nearly that of another."""
    name = options.benchmark_id
    rows = connection.execute("select benchmark_id from benchmarks").fetchall()
    near = [
        other
        for (other,) in rows
        if SequenceMatcher(None, name, other).ratio() >= NEAR
        and DIGITS.sub("", name) != DIGITS.sub("", other)
    ]
    if near and not options.is_new:
        listed = " and ".join(repr(each) for each in near)
        raise UsageError(
            f"there is no benchmark {name!r}, but {listed}; if it is not that one, "
            f"{option('new', value=True)} makes a new one"
        )


def _near(connection: Connection, options: ItemsOptions) -> list[str]:
    rows = connection.execute("select benchmark_id from benchmarks").fetchall()
    others = [str(row[0]) for row in rows if row[0] != options.benchmark_id]
    return get_close_matches(options.benchmark_id, others, n=3, cutoff=0.5)
