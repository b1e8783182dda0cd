"""The items that a run answers, taken from the warehouse while its files are read."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager
from threading import Thread
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.arrow import register, start_threads
from jevdb.scoring.names import require_benchmark
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    import pyarrow as pa

    from jevdb.base.connection import Connection

DEFAULT_SCORING = "generic"
"""How a new benchmark is scored unless told."""


class ItemTables(NamedTuple):
    """Items by id, each with the number of its shape.

    A shape is a type with a list of options: items have few, so they are stored once.
    """

    items: pa.Table
    shapes: pa.Table


class Benchmark(NamedTuple):
    """A benchmark: what is known at once, and its items, for which one may wait."""

    benchmark_id: str
    gold_revision: int
    size: int
    tables: Future[ItemTables]

    @property
    def items(self) -> pa.Table:
        """Ids of the items, each with the number of its shape."""
        return self.tables.result().items

    @property
    def shapes(self) -> pa.Table:
        """Types with their lists of options, numbered."""
        return self.tables.result().shapes


def load_benchmark(connection: Connection, benchmark_id: str) -> Benchmark:
    """Return the items that a run of the benchmark answers."""
    tables: Future[ItemTables] = Future()
    tables.set_result(_tables(connection, benchmark_id))
    return Benchmark(benchmark_id, *_known(connection, benchmark_id), tables)


@contextmanager
def loading_benchmark(
    reader: AbstractContextManager[Connection], name: str
) -> Iterator[Benchmark]:
    """Open the warehouse and take the items from it beside what the block does.

    It is opened and closed by a thread of its own: closed as soon as the items are
    there, and at the latest with the block.

    Raises
    ------
    UnknownNameError
        There is no such benchmark.
    """
    start_threads()
    known: Future[tuple[str, int, int]] = Future()
    tables: Future[ItemTables] = Future()

    def load() -> None:
        try:
            with reader as connection:
                found = require_benchmark(connection, name)
                known.set_result((found, *_known(connection, found)))
                loaded = _tables(connection, found)
            tables.set_result(loaded)
        except BaseException as error:
            tables.set_exception(error)
            if not known.done():
                known.set_exception(error)

    thread = Thread(target=load, daemon=True)
    thread.start()
    try:
        yield Benchmark(*known.result(), tables)
    finally:
        # Whoever interrupts us while another process holds the file does not wait.
        if known.done():
            thread.join()


def _known(connection: Connection, benchmark_id: str) -> tuple[int, int]:
    """Return the newest gold revision and the number of items."""
    found = connection.execute(
        query("ingest/benchmark"), {"benchmark_id": benchmark_id}
    ).fetchall()
    _, gold_revision, _, size = found[0] if found else (None, 0, 0, 0)
    return gold_revision or 0, size


def _tables(connection: Connection, benchmark_id: str) -> ItemTables:
    named = {"benchmark_id": benchmark_id}
    shapes = connection.execute(query("ingest/shapes"), named).to_arrow_table()
    register(connection, "shapes", shapes)
    items = connection.execute(query("ingest/asked"), named).to_arrow_table()
    connection.unregister("shapes")
    return ItemTables(items, shapes)
