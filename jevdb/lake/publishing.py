"""Publish: what a command stores goes into the lake, once, whole, and in one order.

The command stores into the mirror, as it would into a file, in a transaction. Before
that commits, the new rows go to the lake under the lake's lock; only if they stand
there does the mirror keep them. So a mirror never holds what its lake does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, TypeVar

from jevdb.base.errors import BusyError
from jevdb.lake.connecting import Lake
from jevdb.lake.failures import CommitLost, Disconnected, Moved, Refused
from jevdb.lake.files import (
    Column,
    DataFile,
    columns,
    keep_on_disk,
    register,
    unless_it_fails,
    write_file,
)
from jevdb.lake.mirroring import ensure_mirror, mirror_writer
from jevdb.lake.news import Head, StaleMirror, head_of
from jevdb.lake.placeholders import refuse_placeholders
from jevdb.lake.pulling import pull_into
from jevdb.lake.rebasing import Note, Place, place_in
from jevdb.lake.tables import new_tables
from jevdb.lake.target import Target
from jevdb.warehouse.connecting import LOCK_TIMEOUT, OnWait
from jevdb.warehouse.database import offering
from jevdb.warehouse.new_files import drop_database

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

Result = TypeVar("Result")
ATTEMPTS = 20


def publish(
    target: Target,
    action: Callable[[Connection], Result],
    *,
    lock_timeout: float = LOCK_TIMEOUT,
    on_wait: OnWait | None = None,
) -> Result:
    """Do *action*, which stores into a warehouse, and publish what it stored.

    It may be done several times, each on a newer state of the lake, until what it
    stored stands there; it has to come to the same end on the same state.

    Raises
    ------
    InputError
        The rows hold text that a lake cannot keep.
    BusyError
        Lock or mirror were held for longer than *lock_timeout* seconds, or others were
        quicker each time.
    """
    with publishing(target, lock_timeout=lock_timeout, on_wait=on_wait) as publisher:
        return publisher.publish(action)


@contextmanager
def publishing(
    target: Target,
    *,
    lock_timeout: float = LOCK_TIMEOUT,
    on_wait: OnWait | None = None,
) -> Iterator[Publisher]:
    """Give what publishes any number of times; it has the mirror for itself."""
    with ExitStack() as stack:
        publisher = Publisher(target, lock_timeout, on_wait)
        stack.callback(publisher.close)
        publisher.open_mirror(stack)
        yield publisher


class Publisher:
    """A way to the lake: the mirror first, then the lake's lock."""

    def __init__(self, target: Target, lock_timeout: float, on_wait: OnWait | None):
        self._target = target
        self._timeout = lock_timeout
        self._on_wait = on_wait
        self._lake = _connected(target)
        self._may_write = False
        self._mirror: Connection
        self._columns: dict[str, list[Column]]
        self._base: Head
        self._snapshot: int

    def close(self) -> None:
        """Let go of the lake."""
        self._lake.close()

    def open_mirror(self, stack: ExitStack) -> None:
        """Hold the mirror, at the lake's present state, for as long as the stack."""
        path = self._target.mirror
        for _ in range(ATTEMPTS):
            with ExitStack() as inner:
                ensure_mirror(self._lake, path)
                self._mirror = inner.enter_context(
                    mirror_writer(path, self._timeout, self._on_wait)
                )
                try:
                    self._pull()
                except StaleMirror:
                    inner.close()
                    drop_database(path)
                    continue
                except Disconnected:
                    self._reconnect()
                    continue
                self._columns = columns(self._mirror)
                stack.push(inner.pop_all())
                return
        raise BusyError(f"{self._target.name}: cannot be pulled from; try again")

    def publish(self, action: Callable[[Connection], Result]) -> Result:
        """Do *action* on ever newer states until what it stored stands in the lake."""
        try:
            for attempt in range(ATTEMPTS):
                try:
                    if attempt:
                        # With the lock: nobody who asks for it is quicker again.
                        self._lake.lock(self._timeout, self._on_wait)
                        self._pull()
                    with offering(self._mirror, self._offer):
                        return action(self._mirror)
                except (Refused, Disconnected):
                    # A refusal under the lock means that the lock was lost.
                    self._reconnect()
                except Moved:
                    pass
        finally:
            self._lake.unlock()
        raise BusyError(
            f"{self._target.name}: others were quicker {ATTEMPTS} times; try again"
        )

    def _pull(self) -> None:
        self._base, self._snapshot = pull_into(self._lake, self._mirror)

    def _reconnect(self) -> None:
        self._lake.close()
        self._lake = _connected(self._target)

    def _offer(self, connection: Connection) -> bool:
        """Publish what the transaction stored; return whether the mirror may keep it.

        It may not where the rows went behind others that it does not hold yet.
        """
        if head_of(connection) == self._base:
            return True
        if not self._may_write:
            self._lake.require_writer()
            self._may_write = True
        batch = _Batch(self._lake, connection, self._base)
        try:
            with unless_it_fails(self._lake, batch.files):
                batch.write_ahead(self._columns)
                self._lake.lock(self._timeout, self._on_wait)
                batch.commit(self._snapshot)
                self._lake.unlock()
        except CommitLost:
            # It may stand, or be about to: the files stay, as orphans at worst.
            self._reconnect()
            if not batch.stands_in(self._lake):
                raise Moved from None
        if batch.place.shift:
            return False
        self._base, self._snapshot = head_of(connection), self._snapshot + 1
        return True


def _connected(target: Target) -> Lake:
    """Attach the lake, again if the connection breaks meanwhile."""
    for _ in range(ATTEMPTS):
        try:
            return Lake(target)
        except Disconnected as error:
            lost = error
    raise lost


class _Batch:
    """The rows that a transaction of the mirror stored, on their way to the lake."""

    def __init__(self, lake: Lake, mirror: Connection, base: Head):
        self._lake = lake
        self._mirror = mirror
        self._base = base.seq
        self._tables = new_tables(mirror, base.seq)
        self._note = Note.of(mirror, base.seq)
        self.files: list[DataFile] = []
        self.place = Place()

    def write_ahead(self, kinds: dict[str, list[Column]]) -> None:
        """Write, without a lock, the files that the place in the lake has no part in.

        Raises
        ------
        InputError
            The rows hold text that a lake cannot keep.
        JevdbError
            The storage refused a file.
        """
        new = {table: table.rows_after(self._base) for table in self._tables}
        refuse_placeholders(self._mirror, new, kinds)
        self._write(is_placed=False)

    def commit(self, snapshot: int) -> None:
        """Write the other files and register them all, in one transaction."""
        with self._lake.writing():
            self.place = place_in(self._lake, self._note, snapshot)
            self._write(is_placed=True)
            register(self._lake, self.files)
            if self._note:
                self._lake.leave_note(self._note.moved(self.place)._asdict())

    def _write(self, *, is_placed: bool) -> None:
        written = []
        for table in self._tables:
            if (table.parent is None) is is_placed:
                rows = self.place.rows(table, self._base)
                written.append(write_file(self._lake, self._mirror, table.name, rows))
                self.files.append(written[-1])
        keep_on_disk(written)

    def stands_in(self, lake: Lake) -> bool:
        """Whether the lake holds the rows' ingests."""
        sql = f"select ingest_id from ingests where seq > {self._base:d}"
        ours = set(self._mirror.execute(sql).fetchall())
        theirs = {tuple(row) for row in lake.rows(sql)}
        return ours <= theirs
