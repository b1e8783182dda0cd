"""Tables of Arrow, as statements of DuckDB read them."""

from __future__ import annotations

from functools import cache
from threading import Thread
from typing import TYPE_CHECKING

from jevdb.base.memory import address_space

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

PATIENCE = 10.0
"""Seconds that threads have to start: they take some thousandths of one."""


def register(connection: Connection, name: str, rows: object) -> None:
    """Let the statements of a connection read rows by a name."""
    start_threads()
    connection.register(name, rows)


def start_threads() -> None:
    """Have the threads by which Arrow reads, where they may not be had later.

    Arrow starts them when it is first asked for rows. Where the address space has no
    room for another stack by then, whoever asked waits for ever.
    """
    if address_space() is not None:
        _start_one_each()


@cache
def _start_one_each() -> None:
    """Start one thread that computes and one that reads; they stay.

    Raises
    ------
    MemoryError
        There is no room for them.
    """
    import pyarrow as pa
    import pyarrow.dataset

    def scan() -> None:
        one = pa.table({"n": [1]})
        for rows in (one, one.to_reader()):
            list(pyarrow.dataset.Scanner.from_batches(rows).to_batches())

    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    scanning = Thread(target=scan, daemon=True)
    scanning.start()
    scanning.join(PATIENCE)
    if scanning.is_alive():
        raise MemoryError
