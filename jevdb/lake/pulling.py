"""Pull: what a lake holds, into this machine's mirror, in one state of the lake.

The mirror is an ordinary warehouse file. It is opened for writing only where something
came, and while that is being read.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.errors import SchemaError
from jevdb.lake.connecting import Lake
from jevdb.lake.mirroring import ensure_mirror, mirror_writer, require_revision
from jevdb.lake.news import HEAD, Head, News, StaleMirror, head_of
from jevdb.lake.tables import NOTHING
from jevdb.lake.target import Target
from jevdb.warehouse.connecting import LOCK_TIMEOUT, OnWait
from jevdb.warehouse.database import open_reader
from jevdb.warehouse.new_files import drop_database
from jevdb.warehouse.settings import without_log

if TYPE_CHECKING:
    from jevdb.base.connection import Connection


class Pulled(NamedTuple):
    """The mirror, the sequence number it is at, and how many ingests were new."""

    path: Path
    seq: int
    n_new: int


def pull(
    target: Target,
    *,
    lock_timeout: float = LOCK_TIMEOUT,
    on_wait: OnWait | None = None,
    rebuild: bool = False,
) -> Pulled:
    """Bring this machine's mirror of a lake up to date.

    Raises
    ------
    SchemaError
        The catalog holds no lake of jevdb, or one of another schema.
    JevdbError
        The catalog or the storage cannot be reached, or a data file is damaged.
    BusyError
        Another process held the mirror for longer than *lock_timeout* seconds.
    """
    path = target.mirror
    if rebuild:
        drop_database(path)
    with ThreadPoolExecutor(1) as beside:
        head = beside.submit(_head_of, path, lock_timeout, on_wait)
        lake = Lake(target, read_only=True)
    with lake:
        before = head.result()
        try:
            seq = _pull_news(lake, path, before, lock_timeout, on_wait)
            if seq is None:
                seq = _pull(lake, path, lock_timeout, on_wait)
        except StaleMirror:
            before = None
            drop_database(path)
            seq = _pull(lake, path, lock_timeout, on_wait)
    return Pulled(path, seq, seq - (before.seq if before else NOTHING))


def _head_of(path: Path, lock_timeout: float, on_wait: OnWait | None) -> Head | None:
    """Return the mirror's newest ingest; None if there is no mirror."""
    if not path.exists():
        return None
    with open_reader(path, lock_timeout=lock_timeout, on_wait=on_wait) as mirror:
        return head_of(mirror)


def _pull_news(
    lake: Lake,
    path: Path,
    before: Head | None,
    lock_timeout: float,
    on_wait: OnWait | None,
) -> int | None:
    """Return the mirror's newest ingest; None if it is gone, or not at *before* now."""
    if before is None:
        return None
    with ExitStack() as stack, ThreadPoolExecutor(1) as beside:
        stack.enter_context(lake.reading())
        news = News(lake, before)
        if news:
            writer = mirror_writer(path, lock_timeout, on_wait)
            opening = beside.submit(stack.enter_context, writer)
            news.read_little()
            try:
                mirror = opening.result()
            except SchemaError:
                if path.exists():
                    raise
                return None
            if head_of(mirror) != before:
                return None
            with without_log(mirror):
                news.copy_into(mirror)
        return news.head.seq


def _pull(lake: Lake, path: Path, lock_timeout: float, on_wait: OnWait | None) -> int:
    if ensure_mirror(lake, path):
        with open_reader(path, lock_timeout=lock_timeout, on_wait=on_wait) as mirror:
            return head_of(mirror).seq
    with mirror_writer(path, lock_timeout, on_wait) as mirror, without_log(mirror):
        head, _ = pull_into(lake, mirror)
    return head.seq


def pull_into(lake: Lake, mirror: Connection) -> tuple[Head, int]:
    """Copy what came after the mirror's newest ingest.

    Return the newest that it has then, and the lake's snapshot.

    Raises
    ------
    StaleMirror
        The lake does not hold the mirror's newest ingest.
    DamagedRows
        The rows are not those that were published; none was copied.
    """
    with lake.reading() as snapshot:
        news = News(lake, head_of(mirror))
        if news:
            news.copy_into(mirror)
    return news.head, snapshot


def lake_head(lake: Lake) -> Head:
    """Return the newest ingest of the lake, whose schema is known to be ours."""
    require_revision(lake)
    return Head(**lake.table(HEAD).to_pylist()[0])
