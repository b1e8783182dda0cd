"""Reports over a part of the warehouse: runs, items, a past gold, a slice, a date.

DuckDB resolves a name in a persisted view to a temp table of that name, if there is
one. So a selection is a set of temp tables that shadow what the views read: the views
stay one text, nothing is written, and what a view shows is exactly what the selection
holds. The inner views are stored the same way, once per selection, because DuckDB would
otherwise compute them anew for every metric; the reports, which the file has written
out, are shadowed by views that read these. What is stored meanwhile would reach the
temp tables: a transaction is refused. Columns are left out only where the file is
open for reading: DuckDB takes a view of the file for what it last read, and a
checkpoint finds comments on columns that it then has not, and ends the database.
"""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, NamedTuple

from jevdb.base.connection import Connection
from jevdb.base.metrics import SUMMED
from jevdb.scoring.kept import BELIEVED, find_believed, forget_believed
from jevdb.scoring.kept_form import BINNED, CLASSES, PARTS, unpacking
from jevdb.warehouse.database import hiding
from jevdb.warehouse.scope_views import versions_rules, versions_source
from jevdb.warehouse.sqlfiles import SqlObject, identifier, program, query, quoted
from jevdb.warehouse.writing_out import WRITTEN_OUT

Dimension = Literal["type", "tier", "family", "domain"]
Breakdown = Literal["type", "tier", "family", "domain", "repeat"]
"""What lines are added by: parts of the items, or each repeat of the runs alone."""

DATED_TABLES = (
    *("benchmarks", "items", "golds", "gold_revisions"),
    *("models", "runs", "run_events", "name_events", "reported_results"),
)
"""Tables whose rows an as-of leaves out when they were stored later."""

EVERY_NUMBER = "report_metrics"
"""The report that needs the sums of all metrics."""
NOT_SHOWN = "select error('{name} does not show this selection')"
READ_OFTEN = ("constants", "components")
"""What that report reads time and again; DuckDB would plan it anew each time."""
STORED = "tallies"
"""The layer that a selection computes once, with what it reads of `current`."""
OF_REPEATS = "repeated_items"
"""The view of that layer that is empty where every run asked once."""
COUNTED = {OF_REPEATS, *(part.view for part in PARTS)}
"""What is taken of single answers."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What a report is over; None means everything.

    ``run_ids`` leave out other runs, and the benchmarks of none of them;
    ``gold_revision`` pins the gold to that revision, ``as_of`` the whole warehouse to
    an ingest sequence; ``item_ids`` is a cohort: the only items any scope holds; ``by``
    adds a report row per type, tier, family or domain; ``parts_of`` shows the parts of
    these report rows by all of them and modality, as report rows ``text/tier/hard``,
    and nothing else; ``scope_versions`` shows these versions of the users' scorings
    side by side, as report rows ``row@version``; ``suite``, a name and a version, shows
    the report rows of its members, without what they exclude, and no other suite;
    ``metrics`` are all that will be asked for: the sums of others are not taken.
    ``repeats`` are those of the repeats of a run that count, in this order; or each is
    shown as a run that asked once, called ``<run_id>/<repeat>``.
    """

    run_ids: Sequence[str] | None = None
    methods: Sequence[str] | None = None
    gold_revision: int | None = None
    as_of: int | None = None
    item_ids: Sequence[str] | None = None
    by: Dimension | None = None
    parts_of: Sequence[str] | None = None
    scope_versions: Sequence[int] | None = None
    suite: tuple[str, str] | None = None
    metrics: Collection[str] | None = None
    repeats: Sequence[int] | Literal["each"] | None = None


class Shadows:
    """Temp tables that stand in for the tables and views of the same name."""

    def __init__(self, connection: Connection):
        self.connection = connection
        [(catalog, self.is_read_only)] = connection.execute(
            "select database_name, readonly from duckdb_databases() "
            "where database_name = current_database()"
        ).fetchall()
        self._catalog = identifier(catalog)
        self._kinds: dict[str, str] = {}

    def cast(
        self, name: str, source: str, parameters: dict[str, object] | None = None
    ) -> None:
        """Put the rows of a statement before a table or view."""
        self.connection.execute(f"create temp table {name} as {source}", parameters)
        self._kinds[name] = "table"

    def show(self, view: SqlObject) -> None:
        """Put a view as its file has it before the one that is written out."""
        self.cast_view(view.name, view.body)

    def cast_view(self, name: str, body: str) -> None:
        """Put a statement before a view, computed where it is read."""
        self.connection.execute(f"create temp view {name} as {body}")
        self._kinds[name] = "view"

    def uncast(self, name: str) -> None:
        """Let the table or view of the file be seen again, if it is not."""
        if kind := self._kinds.pop(name, None):
            self.connection.execute(f"drop {kind} temp.{name}")

    @contextmanager
    def instead(self, name: str, source: str) -> Iterator[None]:
        """Put other rows before a table for a while, those of *source* of it."""
        aside = f"{name}_aside"
        was_cast = name in self._kinds
        self.connection.execute(f"create temp table {aside} as {source}")
        if was_cast:
            self.connection.execute(f"alter table temp.{name} rename to {name}_all")
        self.connection.execute(f"alter table temp.{aside} rename to {name}")
        try:
            yield
        finally:
            self.connection.execute(f"drop table temp.{name}")
            if was_cast:
                self.connection.execute(f"alter table temp.{name}_all rename to {name}")

    def original(self, name: str) -> str:
        """Return the full name of the table or view in the file behind a shadow."""
        return f"{self._catalog}.main.{name}"

    def drop(self) -> None:
        """Let the tables and views of the file be seen again."""
        for name in reversed(tuple(self._kinds)):
            self.uncast(name)


@contextmanager
def shadowing(connection: Connection) -> Iterator[Shadows]:
    """Let tables and views be put before those of the file, until the block ends."""
    shadows = Shadows(connection)
    with hiding(connection):
        try:
            yield shadows
        finally:
            shadows.drop()


@contextmanager
def narrowed(connection: Connection, selection: Selection) -> Iterator[None]:
    """Make the tables hold the selection's rows only, until the block ends.

    Enough to list runs or items as they were; no view is stored, so that a report in
    here would be slow, and neither cohort nor breakdown are known.
    """
    with shadowing(connection) as shadows:
        _narrow(shadows, selection)
        yield


@contextmanager
def laid_out(connection: Connection, selection: Selection) -> Iterator[None]:
    """Make runs, items, strata and rules show the selection, until the block ends.

    It is what tallies are taken of: nothing is counted.
    """
    with shadowing(connection) as shadows:
        _lay_out(shadows, selection)
        yield


@contextmanager
def selected(
    connection: Connection,
    selection: Selection,
    *,
    reports: Collection[str] | None = None,
) -> Iterator[None]:
    """Make every view of the connection show the selection, until the block ends.

    Of the reports these are *reports*, if they are given: to make them all ready takes
    a tenth of a command on a small file. To read another is an error then.
    """
    with shadowing(connection) as shadows:
        _lay_out(shadows, selection)
        # The repeats of a run shown by themselves are other runs.
        kept = [] if selection.repeats is not None else find_believed(connection)
        if kept:
            _take_kept(shadows, selection, kept)
        else:
            _cast_predictions(shadows, selection)
            _count(shadows, selection)
        for view in stored_views().after:
            shadows.cast(view, f"select * from {shadows.original(view)}")
        shown = _shown(None if reports is None else frozenset(reports))
        # Of a suite it is another, over the metrics of its members.
        absent = {EVERY_NUMBER} if selection.suite else set()
        shown -= absent if selection.metrics is None else {EVERY_NUMBER}
        for view in READ_OFTEN if EVERY_NUMBER in shown else ():
            shadows.cast(view, f"select * from {shadows.original(view)}")
        for item in program():
            if item.name in shown:
                shadows.show(item)
            elif item.layer == WRITTEN_OUT and item.name not in absent:
                shadows.cast_view(item.name, NOT_SHOWN.format(name=item.name))
        yield


@cache
def _shown(reports: frozenset[str] | None) -> frozenset[str]:
    """Return reports, of all where none are named, and those that they read."""
    items = {item.name: item for item in program() if item.layer == WRITTEN_OUT}
    if reports is None:
        return frozenset(items)
    read = {name for report in reports for name in items[report].read_names & {*items}}
    return reports | _shown(frozenset(read)) if read else reports


class StoredViews(NamedTuple):
    """The views that a selection stores, in the order in which they are made."""

    before: tuple[str, ...]
    """What no answer is read for."""
    counted: tuple[str, ...]
    """What is taken of single answers, or may have been kept."""
    after: tuple[str, ...]
    """What follows from these."""


@cache
def stored_views() -> StoredViews:
    """Return the views that a selection stores."""
    stored = [item for item in program() if item.layer == STORED]
    read = {name for item in stored for name in item.read_names}
    parts: dict[str, list[str]] = {"before": [], "counted": [], "after": []}
    late: set[str] = set()
    for item in program():
        if item.layer == "current" and item.name in read:
            parts["before"].append(item.name)
        elif item.layer == STORED:
            place = "counted" if item.name in COUNTED else "before"
            if place == "before" and item.read_names & late:
                place = "after"
            if place != "before":
                late.add(item.name)
            parts[place].append(item.name)
    return StoredViews(**{place: tuple(names) for place, names in parts.items()})


def _lay_out(shadows: Shadows, selection: Selection) -> None:
    _narrow(shadows, selection)
    for view in ("suite_members", "suite_scopes") if selection.suite else ():
        shadows.cast(view, f"select * from {shadows.original(view)}")
    if selection.scope_versions:
        rules = versions_rules(shadows.connection, selection.scope_versions)
        shadows.cast("scoring_rules", rules)
    for view in stored_views().before:
        source = f"select * from {shadows.original(view)}"
        if view == "scopes":
            _cast_scopes(shadows, selection, source)
        else:
            shadows.cast(view, source)


def _count(shadows: Shadows, selection: Selection) -> None:
    """Store what is taken of the answers of all runs that the connection shows."""
    for view in stored_views().counted:
        shadows.cast(view, _counting(shadows, selection, view))


def _take_kept(shadows: Shadows, selection: Selection, kept: Sequence[str]) -> None:
    """Store the tallies of runs that are kept, and count those of the others.

    The rows of these runs are not read, unless somebody asks for single answers: they
    are found as ever, and so are those of items asked several times.
    """
    left_out = frozenset(unasked(shadows, selection))
    views = [
        part.view for part in PARTS if part.view != CLASSES or selection.metrics is None
    ]
    try:
        with _others_alone(shadows, selection, kept) as are_others:
            for view in views:
                source = unpacking(view, BELIEVED, left_out)
                if are_others:
                    counted = _counting(shadows, selection, view)
                    source = f"{source} union all by name {counted}"
                shadows.cast(view, source)
    finally:
        forget_believed(shadows.connection)
    if not _is_repeated(shadows):
        shadows.cast(OF_REPEATS, _counting(shadows, selection, OF_REPEATS))


def _counting(shadows: Shadows, selection: Selection, view: str) -> str:
    names = ", ".join(unasked(shadows, selection)) if view == BINNED else ""
    left_out = f" exclude ({names})" if names else ""
    is_empty = view == OF_REPEATS and not _is_repeated(shadows)
    limit = " limit 0" if is_empty else ""
    return f"select *{left_out} from {shadows.original(view)}{limit}"


def _is_repeated(shadows: Shadows) -> bool:
    asked = shadows.connection.execute("select max(n_repeats) from runs").fetchall()
    return bool((asked[0][0] or 1) > 1)


@contextmanager
def _others_alone(
    shadows: Shadows, selection: Selection, kept: Sequence[str]
) -> Iterator[bool]:
    """Let the connection show the runs alone that are not *kept*; say if there are any.

    Afterwards it shows all of the selection, and the predictions of these.
    """
    others = _others(shadows, kept)
    with shadows.instead("runs", f"from runs where {_in('run_id', others)}"):
        if others:
            _cast_predictions(shadows, replace(selection, run_ids=others))
        yield bool(others)
        shadows.uncast("predictions")
    if selection.run_ids is not None:
        source = f"select * from {shadows.original('predictions')} where "
        shadows.cast_view("predictions", source + _in("run_id", selection.run_ids))


def _others(shadows: Shadows, kept: Sequence[str]) -> list[str]:
    found = shadows.connection.execute("select run_id from runs order by run_id")
    return sorted({run_id for (run_id,) in found.fetchall()} - set(kept))


def unasked(shadows: Shadows, selection: Selection) -> list[str]:
    """Return the sums that nobody will ask the tallies for: those of other metrics.

    What reads the tallies wants one sum at least.
    """
    if selection.metrics is None or not shadows.is_read_only:
        return []
    sums = [str(each.tally) for each in SUMMED if each.name not in selection.metrics]
    return sums[1:] if len(sums) == len(SUMMED) else sums


def _narrow(shadows: Shadows, selection: Selection) -> None:
    for table, condition in _conditions(selection, shadows.original("runs")).items():
        source = f"select * from {shadows.original(table)} where {condition}"
        if table == "runs" and selection.repeats is not None:
            source = _repeated_runs(source, selection.repeats)
        shadows.cast(table, source)


def _cast_predictions(shadows: Shadows, selection: Selection) -> None:
    """Set the answers of a few runs apart, so that those of all are not scanned.

    Which runs count is for `runs` to say; copying most answers would only cost.
    """
    if selection.run_ids is None:
        return
    if selection.repeats is not None:
        source = f"select * from {shadows.original('predictions')} where "
        rows = source + _in("run_id", selection.run_ids)
        shadows.cast("predictions", _repeated_rows(rows, selection.repeats))
        return
    count = f"select count(*) from {shadows.original('runs')}"
    if 2 * len(selection.run_ids) <= shadows.connection.execute(count).fetchall()[0][0]:
        source = f"select * from {shadows.original('predictions')} where "
        shadows.cast("predictions", source + _in("run_id", selection.run_ids))


def _repeated_runs(runs: str, repeats: Sequence[int] | Literal["each"]) -> str:
    """Return the runs as if these repeats had been asked alone, or each by itself."""
    if repeats == "each":
        return (
            "select runs.* replace (run_id || '/' || repeat as run_id, 1 as n_repeats) "
            f"from ({runs}) as runs cross join unnest(range(n_repeats)) as t (repeat)"
        )
    return f"select * replace ({len(repeats):d} as n_repeats) from ({runs})"


def _repeated_rows(rows: str, repeats: Sequence[int] | Literal["each"]) -> str:
    if repeats == "each":
        name = "run_id || '/' || repeat as run_id"
        return f"select * replace ({name}, 0 as repeat) from ({rows})"
    listed = f"[{', '.join(f'{repeat:d}' for repeat in repeats)}]"
    place = f"cast(list_position({listed}, repeat) - 1 as integer) as repeat"
    return (
        f"select * replace ({place}) from ({rows}) "
        f"where list_contains({listed}, repeat)"
    )


def _cast_scopes(shadows: Shadows, selection: Selection, source: str) -> None:
    parameters: dict[str, object] = {}
    if selection.suite:
        source = "select * from suite_scopes"
    if selection.parts_of is not None:
        source = query("scoring/parted_scopes")
        parameters["parts_of"] = list(selection.parts_of)
    if selection.scope_versions:
        source = versions_source(shadows.connection, selection.scope_versions)
    if selection.by:
        source = sliced(source, selection.by)
    if selection.item_ids is not None:
        source = f"from ({source}) where item_id in (select unnest($items))"
        parameters["items"] = list(selection.item_ids)
    shadows.cast("scopes", source, parameters or None)


def sliced(source: str, dimension: Dimension) -> str:
    """Return the scopes of *source*, and beside each report row its slices."""
    slices = query("scoring/sliced_scopes").replace("$dimension", quoted(dimension))
    return (
        f"with scopes as (\n{textwrap.indent(source, '    ')}\n)\n\n"
        f"select *\nfrom (\n{textwrap.indent(slices, '    ')}\n)"
    )


def _conditions(selection: Selection, runs: str) -> dict[str, str]:
    """Return what each shadowed table is restricted to; *runs* is the file's table."""
    conditions: dict[str, list[str]] = {}
    if selection.as_of is not None:
        for table in DATED_TABLES:
            conditions.setdefault(table, []).append(f"seq <= {selection.as_of:d}")
    if selection.gold_revision is not None:
        for table in ("golds", "gold_revisions"):
            conditions.setdefault(table, []).append(
                f"gold_revision <= {selection.gold_revision:d}"
            )
    if selection.run_ids is not None:
        chosen = _in("run_id", selection.run_ids)
        conditions.setdefault("runs", []).append(chosen)
        # Items, golds and scopes of other benchmarks are then not looked at.
        if selection.run_ids and selection.suite is None:
            conditions.setdefault("benchmarks", []).append(
                f"benchmark_id in (select benchmark_id from {runs} where {chosen})"
            )
    if selection.suite is not None:
        name, version = map(quoted, selection.suite)
        conditions["suites"] = [f"suite = {name} and version = {version}"]
    if selection.methods is not None:
        conditions["methods"] = [_in("method_id", selection.methods)]
    return {table: " and ".join(parts) for table, parts in conditions.items()}


def _in(column: str, values: Sequence[str]) -> str:
    listed = ", ".join(quoted(value) for value in values)
    return f"{column} in ({listed})" if listed else "false"
