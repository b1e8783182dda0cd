"""What every part of a `Warehouse` shares: the file, how it is opened, who is meant.

A warehouse holds its file only while a method works: a notebook that stays open all day
keeps nobody from storing a run. Opening takes a few hundredths of a second.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeAlias, TypeVar, overload

import duckdb

from jevdb.api.store import Store
from jevdb.base.connection import Connection
from jevdb.base.errors import BusyError, ClosedError, ReadOnlyError
from jevdb.scoring.runs import Run, asked_for
from jevdb.warehouse.connecting import LOCK_TIMEOUT
from jevdb.warehouse.interrupts import interrupts_held

if TYPE_CHECKING:
    from jevdb.base.output import Rows

Notify = Callable[[str], None]
RunName: TypeAlias = str | Run
RunNames: TypeAlias = RunName | Iterable[RunName] | None
Then: TypeAlias = int | str | date | None
"""An ingest number, a date (its end), a date and time; None means now."""

Result = TypeVar("Result")

_locks: dict[str, threading.RLock] = {}
_locks_guard = threading.Lock()


class Base:
    """A warehouse, and how its methods reach it.

    Threads may share one: a process works on a file one call at a time, because DuckDB
    refuses two connections to a file that are set up differently.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        read_only: bool = True,
        lock_timeout: float = LOCK_TIMEOUT,
        notify: Notify | None = None,
    ):
        self._notify = notify or _log
        self._store = Store(os.fspath(path), lock_timeout, self._notify)
        self._read_only = read_only
        self._is_closed = False

    @property
    def path(self) -> Path:
        """The warehouse file; of a lake, this machine's mirror of it."""
        return self._store.path

    @property
    def read_only(self) -> bool:
        """Whether methods that store something refuse to."""
        return self._read_only

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._is_closed

    def close(self) -> None:
        """Refuse every call from now on; the file itself is held by nobody."""
        self._is_closed = True

    def __enter__(self) -> Self:
        self._require_open()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        state = ", read-only" if self._read_only else ""
        closed = ", closed" if self._is_closed else ""
        return f"<jevdb.Warehouse {self._store.name!r}{state}{closed}>"

    @contextmanager
    def _reader(self, *, outward: bool = False) -> Iterator[Connection]:
        """Give a read-only connection for as long as one call takes."""
        self._require_open()
        with (
            interrupts_held(),
            _alone(self._store.path),
            self._store.reader(outward=outward) as connection,
        ):
            yield connection

    def _write(
        self, action: Callable[[Connection], Result], *, create: bool = False
    ) -> Result:
        """Do what stores, and return what it returns; see `Store.write`."""
        self._require_writable()
        with interrupts_held(storing=True), _alone(self._store.path):
            return self._store.write(action, create=create)

    def _require_open(self) -> None:
        if self._is_closed:
            raise ClosedError(
                f"{self._store.name}: this warehouse was closed; open it again"
            )

    def _require_writable(self) -> None:
        self._require_open()
        if self._read_only:
            raise ReadOnlyError(
                f"{self._store.name} is open for reading only; to store something open "
                "it with jevdb.open(path, read_only=False)"
            )

    def _runs(
        self, connection: Connection, names: RunNames, benchmark: str | None = None
    ) -> list[Run]:
        """Return the runs that are meant, or every current one, in report order."""
        benchmark = self._benchmark_id(connection, benchmark)
        return asked_for(connection, texts(names), benchmark, self._notify)

    @overload
    def _benchmark_id(self, connection: Connection, name: str) -> str: ...
    @overload
    def _benchmark_id(self, connection: Connection, name: None) -> None: ...
    @overload
    def _benchmark_id(self, connection: Connection, name: str | None) -> str | None: ...
    def _benchmark_id(self, connection: Connection, name: str | None) -> str | None:
        """Return the id of the benchmark that is meant; say so of a name of before."""
        from jevdb.scoring.names import require_benchmark

        if name is None:
            return None
        return require_benchmark(connection, name, self._notify)

    def _run(self, connection: Connection, name: RunName) -> Run:
        [run] = self._runs(connection, name)
        return run

    def _queried(
        self, name: str, parameters: Mapping[str, object], as_of: Then = None
    ) -> Rows:
        """Return the rows of a query of ``sql/queries``, of now or of then."""
        from jevdb.base.output import collected
        from jevdb.scoring.as_of import resolved, then
        from jevdb.warehouse.sqlfiles import query

        with (
            self._reader() as connection,
            then(connection, resolved(connection, as_of_text(as_of))),
        ):
            benchmark = parameters.get("benchmark")
            if benchmark is not None:
                found = self._benchmark_id(connection, str(benchmark))
                parameters = {**parameters, "benchmark": found}
            connection.execute(query(name), parameters)
            return collected(connection)


def texts(names: RunNames) -> list[str]:
    """Return how `jevdb.scoring.runs` calls the runs that are meant."""
    if names is None:
        return []
    listed = [names] if isinstance(names, str | Run) else list(names)
    return [each.run_id if isinstance(each, Run) else each for each in listed]


def words(given: str | Iterable[str]) -> tuple[str, ...]:
    """Return one word or several, each once, in their order."""
    listed = [given] if isinstance(given, str) else list(given)
    return tuple(dict.fromkeys(listed))


def as_of_text(then: Then) -> str | None:
    """Return a past moment as `jevdb.scoring.as_of` takes it."""
    if then is None or isinstance(then, str):
        return then
    return str(then) if isinstance(then, int) else then.isoformat()


def _log(message: str) -> None:
    import logging

    from jevdb.base.wording import for_python

    logging.getLogger("jevdb").warning(for_python(message))


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keep other threads of this process from the file meanwhile."""
    name = os.path.realpath(path)
    with _locks_guard:
        lock = _locks.setdefault(name, threading.RLock())
    with lock:
        try:
            yield
        except duckdb.ConnectionException as error:
            if "different configuration" not in str(error):
                raise
            raise BusyError(
                f"{path}: this process has the file open by other means; close that "
                "connection first"
            ) from error
