"""Opening a warehouse: made or brought up to date, read by this program's views."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import duckdb

from jevdb.base.connection import Connection
from jevdb.base.errors import (
    BusyError,
    ReadOnlyError,
    SchemaError,
    UsageError,
)
from jevdb.base.wording import either, option
from jevdb.warehouse.cache import is_mirror
from jevdb.warehouse.connecting import (
    LOCK_TIMEOUT,
    OnWait,
    connect,
    in_memory,
    require_file,
)
from jevdb.warehouse.contents import (
    MACROS,
    Contents,
    Thing,
    contents,
    listed,
    named,
)
from jevdb.warehouse.faults import (
    first_line,
    told_what_is_gone,
    translated_errors,
)
from jevdb.warehouse.interrupts import (
    committing,
    interrupts_held,
    raise_if_interrupted,
)
from jevdb.warehouse.known import is_known, remember, state_of
from jevdb.warehouse.new_files import building, filling_blank, stored
from jevdb.warehouse.private import (
    no_more_readable_than,
)
from jevdb.warehouse.settings import (
    SETTINGS,
    Settings,
    is_shut,
    lock,
    shut,
)
from jevdb.warehouse.sqlfiles import identifier, quoted
from jevdb.warehouse.upgrading import (
    complete,
    has_scorings,
    upgrade,
)
from jevdb.warehouse.versions import Fit, built_with, is_outdated

if TYPE_CHECKING:
    from jevdb.warehouse.inspection import Seen

# A file that is known is not looked through, and what that takes is not imported.
NOT_OURS = "of the file is not this jevdb's"
TAKE_ROWS = "take its rows alone: " + either(
    "`backup` it, then `jevdb.restore` that into a new file",
    "`jevdb --db FILE backup BUNDLE`, then `jevdb --db NEW restore BUNDLE`",
)
ATTACHED_NAMES = "select database_name from system.main.duckdb_databases()"

Offer = Callable[[Connection], bool]
_offers: dict[int, Offer] = {}
_hidden: Counter[int] = Counter()
"""How many selections stand before the tables of a connection, by its identity."""


@contextmanager
def open_reader(
    path: Path,
    *,
    lock_timeout: float = LOCK_TIMEOUT,
    on_wait: OnWait | None = None,
    settings: Settings = SETTINGS,
    outward: bool = False,
) -> Iterator[Connection]:
    """Open a warehouse read-only, upgrading it first where it is older than we are.

    The file may be anybody's. The connection can read no other file, load nothing and
    change no setting; views of the file that are not this program's are told of through
    *on_wait*, and the program's own are put in their place.

    With *outward*, what is read may be written to other files: that is for statements
    of jevdb's alone (a bundle, the files of a lake) and for SQL of the caller's who
    asked for it (``safe=False``).

    Raises
    ------
    SchemaError
        The file is missing, is no warehouse, is newer than this program, is older and
        cannot be written to, or has other tables in the place of jevdb's.
    BusyError
        A writer held the file for longer than *lock_timeout* seconds.
    """
    require_file(path)
    if outward:
        with open_reader(path, lock_timeout=lock_timeout, on_wait=on_wait):
            pass
    asked = _Asked(path, True, lock_timeout, on_wait, settings, outward=outward)
    with (
        interrupts_held(),
        translated_errors(path),
        closing(_Opened(asked)) as opened,
    ):
        opened.have_own_views()
        if not outward:
            lock(opened.connection)
        with told_what_is_gone(path, opened.lacks_own):
            yield opened.connection


def connected(
    path: Path, *, lock_timeout: float = LOCK_TIMEOUT, on_wait: OnWait | None = None
) -> Connection:
    """Return a connection as `open_reader` gives it, for the caller to close.

    Raises the errors of `open_reader`.
    """
    require_file(path)
    with interrupts_held(), translated_errors(path):
        opened = _Opened(_Asked(path, True, lock_timeout, on_wait))
        try:
            opened.have_own_views()
            lock(opened.connection)
        except BaseException:
            opened.close()
            raise
        return opened.connection


@contextmanager
def open_as_it_is(path: Path) -> Iterator[Connection]:
    """Open a database read-only whatever it is, without waiting or upgrading.

    Raises the errors of `open_reader`, but not that its schema does not fit.
    """
    require_file(path)
    with (
        interrupts_held(),
        closing(connect(path, True, 0, None)) as connection,
        translated_errors(path),
        told_what_is_gone(path, lambda: True),
    ):
        shut(connection)
        lock(connection)
        yield connection


@contextmanager
def open_writer(
    path: Path,
    *,
    create: bool = False,
    lock_timeout: float = LOCK_TIMEOUT,
    on_wait: OnWait | None = None,
    settings: Settings = SETTINGS,
    outward: bool = False,
    by_jevdb: bool = False,
    mirroring: bool = False,
) -> Iterator[Connection]:
    """Open a warehouse for writing, at the newest schema and with today's views.

    *by_jevdb* says that what is executed are statements of jevdb's alone, so that
    whoever opens the file next need not look it through again.

    A mirror is only written by what pulls into it (*mirroring*).

    Views that are not this program's are put right. Raises the errors of `open_reader`,
    and one where the file has macros that would go before functions of DuckDB; a
    missing file is one unless *create*.
    """
    if not mirroring:
        _refuse_mirror(path)
    if create and not path.exists():
        # Two may create it at once: the second finds the first's.
        with suppress(FileExistsError):
            _create(path)
    require_file(path)
    asked = _Asked(path, False, lock_timeout, on_wait, settings, outward=outward)
    with interrupts_held(), translated_errors(path), no_more_readable_than(path):
        with closing(_Opened(asked)) as opened:
            opened.put_right()
            with told_what_is_gone(path, opened.lacks_own):
                yield opened.connection
                # A scoring of a user's may take longer with the items that came.
                is_as_it_was = by_jevdb and not has_scorings(opened.connection)
        if is_as_it_was:
            remember(path)


class _Asked(NamedTuple):
    """What was asked for where a file is opened."""

    path: Path
    read_only: bool
    lock_timeout: float
    on_wait: OnWait | None
    settings: Settings = SETTINGS
    outward: bool = False

    def connect(self) -> Connection:
        connection = connect(*self[:5])
        if not self.outward:
            shut(connection)
        elif is_shut(connection):
            connection.close()
            raise BusyError(
                f"{self.path}: this process reads the file already, and can write no "
                "other meanwhile; close what reads it, and try again"
            )
        return connection

    def say(self, message: str) -> None:
        if self.on_wait:
            self.on_wait(f"warning: {self.path}: {message}")


class _Opened:
    """A connection to a file, and whether all that jevdb reads of it is jevdb's."""

    def __init__(self, asked: _Asked):
        self._asked = asked
        self._connect()

    def _connect(self) -> None:
        path = self._asked.path
        before = state_of(path)
        self.connection = self._asked.connect()
        self.is_own = is_known(path, before) and state_of(path) == before

    def close(self) -> None:
        """Close whatever is open now."""
        self.connection.close()

    def lacks_own(self) -> bool:
        """Whether the file lacks something of jevdb's, or has it otherwise."""
        from jevdb.warehouse.inspection import lacks_own

        return lacks_own(self.connection, stored)

    def have_own_views(self) -> None:
        """Have a reader read what this program makes, and nothing else."""
        path = self._asked.path
        if self.is_own:
            return
        from jevdb.warehouse.inspection import look_through, run_unfit

        found = contents(self.connection.execute)
        # Another program may upgrade, or compact, before we have the file again.
        while is_outdated(self.connection, path, found):
            if self._are_views_enough(found):
                break
            self.close()
            wait = self._asked.lock_timeout
            waiting = self._asked.on_wait
            with open_writer(path, lock_timeout=wait, on_wait=waiting, mirroring=True):
                pass
            self._connect()
            found = contents(self.connection.execute)
        seen = look_through(self.connection, found, stored)
        self._refuse(seen.strangers.tables)
        self._refuse_endless(seen)
        if seen.is_own and not self._asked.outward:
            seen.unfit.update(run_unfit(self.connection))
        self.is_own = seen.is_own
        if seen.is_own:
            remember(path)
        else:
            self._tell(seen)
            self._read_beside(found, seen)

    def _are_views_enough(self, found: Contents) -> bool:
        """Whether an older file cannot be upgraded as it is, but read by our views."""
        from jevdb.warehouse.inspection import in_an_upgrades_way

        fit = built_with(self.connection, found).fit
        in_the_way = in_an_upgrades_way(self.connection, found, stored)
        return fit is Fit.OLDER_VIEWS and bool(in_the_way)

    def _read_beside(self, found: Contents, seen: Seen) -> None:
        """Read the file's tables through the program's views in a database beside."""
        from jevdb.warehouse.inspection import own_of, run_unfit, tables_of
        from jevdb.warehouse.own_views import ATTACHED, create_over_attached
        from jevdb.warehouse.scope_views import install

        self.close()
        self.connection = in_memory(self._asked.settings)
        asked = self._asked
        self.connection.execute(
            f"attach {quoted(str(asked.path))} as {identifier(ATTACHED)} "
            "(read_only, type duckdb)"
        )
        if contents(self.connection.execute, ATTACHED) != found:
            raise BusyError(f"{asked.path}: was replaced; try again")
        if not asked.outward:
            shut(self.connection)
        names = [table.name for table in tables_of(own_of(found, stored))]
        create_over_attached(self.connection, names, seen.unfit)
        if not asked.outward and (late := run_unfit(self.connection, seen.unfit)):
            self._tell_of_scorings(late)
            install(self.connection.execute, seen.unfit | late)

    def put_right(self) -> None:
        """Have a writer's file hold what this program makes, or refuse it."""
        path = self._asked.path
        if self.is_own:
            return
        from jevdb.warehouse.inspection import (
            in_a_writers_way,
            in_an_upgrades_way,
            look_through,
            run_unfit,
        )

        found = contents(self.connection.execute)
        if is_outdated(self.connection, path, found):
            self._refuse(in_an_upgrades_way(self.connection, found, stored))
            _upgrade(self.connection, path)
            # DuckDB shows a view as it was made until it is read from the file.
            self.close()
            self._connect()
            found = contents(self.connection.execute)
        seen = look_through(self.connection, found, stored)
        self._refuse(in_a_writers_way(seen))
        self._refuse_endless(seen)
        if seen.is_own:
            seen.unfit.update(run_unfit(self.connection))
        if not seen.is_own:
            self._tell(seen)
            _upgrade(self.connection, path, seen.unfit)

    def _refuse(self, found: Sequence[Thing]) -> None:
        if found:
            raise SchemaError(
                f"{self._asked.path}: the {listed(found)} {NOT_OURS}; {TAKE_ROWS}"
            )

    def _refuse_endless(self, seen: Seen) -> None:
        if seen.endless:
            raise SchemaError(f"{self._asked.path}: {seen.endless}")

    def _tell(self, seen: Seen) -> None:
        if found := seen.strangers.in_the_way:
            self._asked.say(f"the {listed(found)} {NOT_OURS}, and not used")
        self._tell_of_scorings(seen.unfit)

    def _tell_of_scorings(self, unfit: Mapping[str, str]) -> None:
        for scoring, why in unfit.items():
            self._asked.say(
                f"the scoring {named(scoring)} is left out: {named(why, 300)}; "
                "add a version that is in order"
            )


def looked_into(connection: Connection) -> Seen:
    """Return what is not jevdb's in the file that a reader has open.

    Tables of an older schema are not today's, and not jevdb's by that.
    """
    from jevdb.warehouse.inspection import look_through
    from jevdb.warehouse.own_views import ATTACHED

    execute = connection.execute
    names = {str(name) for (name,) in execute(ATTACHED_NAMES).fetchall()}
    found = contents(execute, ATTACHED if ATTACHED in names else None)
    return look_through(connection, found, stored)


def require_own_views(connection: Connection, path: Path) -> None:
    """Refuse a file with views or macros besides jevdb's, where SQL may read files."""
    seen = looked_into(connection).strangers
    others = [each for each in seen.others if each.kind in (*MACROS, "view")]
    if found := (*seen.in_the_way, *others):
        raise UsageError(
            f"{path}: the {listed(found)} is not jevdb's and could read other files; "
            "drop it with a DuckDB client, or leave safe=False away"
        )


def _create(path: Path) -> None:
    with (
        building(path) as built,
        filling_blank(built, path) as connection,
        transaction(connection),
    ):
        complete(connection)
    remember(path)


def _upgrade(
    connection: Connection, path: Path, left_out: Collection[str] = ()
) -> None:
    try:
        upgrade(connection, left_out=left_out)
    except (duckdb.IOException, duckdb.OutOfMemoryException, duckdb.FatalException):
        raise
    except duckdb.Error as error:
        raise SchemaError(
            f"{path}: its tables are not those of a jevdb warehouse, so it cannot be "
            f"brought up to date; it is as it was. {first_line(error)}"
        ) from error


@contextmanager
def transaction(connection: Connection) -> Iterator[None]:
    """Commit what the block did, or nothing of it.

    Where it is offered elsewhere first (`offering`), the offer has to be taken.

    Raises
    ------
    RuntimeError
        Something stands before the file's tables (`hiding`).
    """
    if _hidden[id(connection)]:
        raise RuntimeError(
            "nothing is stored inside a selection: it would reach the tables that "
            "stand before the file's"
        )
    connection.execute("begin transaction")
    try:
        yield
        raise_if_interrupted()
        offer = _offers.get(id(connection))
        is_kept = offer is None or offer(connection)
    except BaseException:
        # An error inside COMMIT has already ended the transaction, or the database.
        with suppress(duckdb.Error):
            connection.execute("rollback")
        raise
    with committing():
        connection.execute("commit" if is_kept else "rollback")


@contextmanager
def hiding(connection: Connection) -> Iterator[None]:
    """Say that temp tables stand before those of the file, until the block ends.

    A statement that stores would reach them, and be lost with them: no transaction
    begins. One that is open may read inside, and store when the block has ended.
    """
    _hidden[id(connection)] += 1
    try:
        yield
    finally:
        _hidden[id(connection)] -= 1


@contextmanager
def offering(connection: Connection, offer: Offer) -> Iterator[None]:
    """Let *offer* see every transaction of a connection before it commits.

    What it raises ends the transaction, and False takes it back: the rows stand
    elsewhere, and come from there.
    """
    _offers[id(connection)] = offer
    try:
        yield
    finally:
        del _offers[id(connection)]


def _refuse_mirror(path: Path) -> None:
    """Refuse to store where the next pull would not find what it left."""
    if is_mirror(path):
        raise ReadOnlyError(
            f"{path}: this machine's mirror of a lake, which only a pull writes; name "
            f"the lake itself with {option('path', shell='db')}"
        )
